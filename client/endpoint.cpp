#include "client/endpoint.hpp"

#include <cstdlib>

#include "shared/util/encode.hpp"
#include "shared/util/units.hpp"

namespace mocks3::client {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string{} : std::string(value);
}

Error not_an_endpoint(std::string_view url, const std::string& why) {
  std::string shown(url);
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return Error{"\"" + shown + "\" is not an endpoint: " + why + "; write it as http://HOST[:PORT]"};
}

bool is_host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_';
}

bool is_host_name(std::string_view host) {
  for (const char c : host)
    if (!is_host_character(c)) return false;
  return !host.empty();
}

bool is_ipv6_text(std::string_view host) {
  return !host.empty() && host.find(':') != host.npos &&
         host.find_first_not_of("0123456789abcdefABCDEF:.%") == host.npos;
}

/// "host", "host:port", "[v6]", "[v6]:port" into `endpoint`; gives what is wrong, or nothing.
std::string read_authority(std::string_view text, Endpoint& endpoint) {
  const bool bracketed = text.starts_with('[');
  const size_t host_end = bracketed ? text.find(']') : text.find(':');
  if (bracketed && host_end == text.npos) return "a bracket is not closed";
  endpoint.host = text.substr(bracketed ? 1 : 0, host_end - (bracketed ? 1 : 0));
  if (bracketed ? !is_ipv6_text(endpoint.host) : !is_host_name(endpoint.host))
    return "the host is missing or malformed";
  std::string_view rest = host_end == text.npos ? "" : text.substr(host_end + (bracketed ? 1 : 0));
  if (rest.empty()) return {};
  if (!rest.starts_with(':')) return "something other than a port follows the host";
  const Result<uint64_t> port = parse_uint(rest.substr(1));
  if (!port || *port == 0 || *port > 65535) return "the port must be 1 to 65535";
  endpoint.port = static_cast<uint16_t>(*port);
  return {};
}

void read_environment(Endpoint& endpoint) {
  endpoint.credentials = {environment("AWS_ACCESS_KEY_ID"), environment("AWS_SECRET_ACCESS_KEY"),
                          environment("AWS_SESSION_TOKEN")};
  if (endpoint.credentials.access_key.empty()) endpoint.credentials = {"mock-s3", "mock-s3", ""};
  for (const char* name : {"AWS_DEFAULT_REGION", "AWS_REGION"})
    if (const std::string region = environment(name); !region.empty()) endpoint.region = region;
}

}  // namespace

std::string Endpoint::authority() const {
  const std::string name = host.find(':') == host.npos ? host : "[" + host + "]";
  return port == 80 ? name : name + ":" + std::to_string(port);
}

std::string Endpoint::url() const {
  const std::string name = host.find(':') == host.npos ? host : "[" + host + "]";
  return "http://" + name + ":" + std::to_string(port);
}

Result<Endpoint> parse_endpoint(std::string_view url) {
  constexpr std::string_view kScheme = "http://";
  if (istarts_with(url, "https://")) return not_an_endpoint(url, "https is not supported");
  if (!istarts_with(url, kScheme)) return not_an_endpoint(url, "it does not start with http://");
  std::string_view rest = url.substr(kScheme.size());
  if (rest.ends_with('/')) rest.remove_suffix(1);
  if (rest.find_first_of("/?#") != rest.npos)
    return not_an_endpoint(url, "a path stands behind the host (name a bucket with --bucket)");
  if (rest.find('@') != rest.npos)
    return not_an_endpoint(url, "keys go into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  Endpoint endpoint;
  if (const std::string fault = read_authority(rest, endpoint); !fault.empty())
    return not_an_endpoint(url, fault);
  read_environment(endpoint);
  return endpoint;
}

bool is_loopback(const Endpoint& endpoint) {
  return endpoint.host == "localhost" || endpoint.host == "::1" ||
         (endpoint.host.starts_with("127.") &&
          endpoint.host.find_first_not_of("0123456789.") == std::string::npos);
}

}  // namespace mocks3::client
