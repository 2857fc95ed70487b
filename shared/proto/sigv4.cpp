#include "shared/proto/sigv4.hpp"

#include <algorithm>
#include <map>

#include "shared/util/digest.hpp"
#include "shared/util/encode.hpp"

namespace mocks3 {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";

/// Percent-encoding brought to SigV4's form, whatever the sender's: decoded once, encoded once.
std::string canonical_encoding(std::string_view text, bool is_path) {
  const auto decoded = percent_decode(text, !is_path);
  return percent_encode(decoded ? std::string_view(*decoded) : text, is_path);
}

/// Trimmed, with runs of spaces made one.
std::string canonical_value(std::string_view value) {
  std::string out;
  for (const char c : trim(value)) {
    if (c != ' ' || !out.ends_with(' ')) out += c;
  }
  return out;
}

/// Lower-case name to value, in order of name; values of one name are joined by commas.
std::map<std::string, std::string> canonical_headers(const SigningInput& input) {
  std::map<std::string, std::string> headers;
  for (const auto& [name, value] : input.headers) {
    const auto [entry, is_new] = headers.emplace(to_lower(trim(name)), canonical_value(value));
    if (!is_new) entry->second += ',' + canonical_value(value);
  }
  return headers;
}

std::string canonical_query(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> items;
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view item = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (item.empty()) continue;
    const size_t equals = std::min(item.find('='), item.size());
    const std::string_view value = item.substr(std::min(equals + 1, item.size()));
    items.emplace_back(canonical_encoding(item.substr(0, equals), false),
                       canonical_encoding(value, false));
  }
  std::sort(items.begin(), items.end());
  std::string out;
  for (const auto& [name, value] : items) {
    if (!out.empty()) out += '&';
    out.append(name).append("=").append(value);
  }
  return out;
}

std::string as_bytes(const Sha256& digest) { return std::string(digest.begin(), digest.end()); }

/// "20130524/us-east-1/s3/aws4_request"
std::string scope_of(std::string_view timestamp, std::string_view region) {
  std::string scope(timestamp.substr(0, 8));
  return scope.append("/").append(region).append("/s3/aws4_request");
}

}  // namespace

std::string signed_header_names(const SigningInput& input) {
  std::string names;
  for (const auto& [name, value] : canonical_headers(input)) {
    if (!names.empty()) names += ';';
    names += name;
  }
  return names;
}

std::string canonical_request(const SigningInput& input) {
  std::string out(input.method);
  out += '\n';
  out += canonical_encoding(input.path, true);
  out += '\n';
  out += canonical_query(input.query);
  out += '\n';
  for (const auto& [name, value] : canonical_headers(input)) {
    out.append(name).append(":").append(value).append("\n");
  }
  out += '\n';
  out += signed_header_names(input);
  out += '\n';
  out += input.payload_hash;
  return out;
}

std::string string_to_sign(std::string_view canonical_request, std::string_view timestamp,
                           std::string_view region) {
  std::string out(kAlgorithm);
  out.append("\n").append(timestamp).append("\n").append(scope_of(timestamp, region));
  return out.append("\n").append(hex_encode(sha256(canonical_request)));
}

std::string signing_key(std::string_view secret_key, std::string_view date,
                        std::string_view region) {
  std::string key = "AWS4" + std::string(secret_key);
  for (const std::string_view part :
       {date, region, std::string_view("s3"), std::string_view("aws4_request")}) {
    key = as_bytes(hmac_sha256(key, part));
  }
  return key;
}

std::string signature(std::string_view signing_key, std::string_view string_to_sign) {
  return hex_encode(hmac_sha256(signing_key, string_to_sign));
}

std::string authorization_header(const SigningInput& input, const Credentials& credentials,
                                 std::string_view timestamp, std::string_view region) {
  const std::string key = signing_key(credentials.secret_key, timestamp.substr(0, 8), region);
  const std::string to_sign = string_to_sign(canonical_request(input), timestamp, region);
  std::string out(kAlgorithm);
  out.append(" Credential=").append(credentials.access_key).append("/");
  out.append(scope_of(timestamp, region));
  out.append(", SignedHeaders=").append(signed_header_names(input));
  return out.append(", Signature=").append(signature(key, to_sign));
}

}  // namespace mocks3
