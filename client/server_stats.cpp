#include "client/server_stats.hpp"

#include <nlohmann/json.hpp>

#include "client/http_call.hpp"

namespace mocks3::client {
namespace {

using Json = nlohmann::json;
constexpr auto kPatience = std::chrono::seconds(5);

Json parse_object(std::string_view text) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return json.is_object() ? json : Json();
}

/// The member where it is there; null else.
const Json& member(const Json& json, const char* name) {
  static const Json absent;
  if (!json.is_object()) return absent;
  const auto found = json.find(name);
  return found == json.end() ? absent : *found;
}

uint64_t count_of(const Json& json, const char* name) {
  const Json& value = member(json, name);
  return value.is_number_unsigned() ? value.get<uint64_t>() : 0;
}

double number_of(const Json& json, const char* name) {
  const Json& value = member(json, name);
  return value.is_number() ? value.get<double>() : 0;
}

std::string text_of(const Json& json, const char* name) {
  const Json& value = member(json, name);
  return value.is_string() ? value.get<std::string>() : std::string{};
}

std::string get_request(const Endpoint& endpoint, const std::string& target) {
  return "GET " + target + " HTTP/1.1\r\nHost: " + endpoint.authority() +
         "\r\nAccept: application/json\r\nConnection: close\r\n\r\n";
}

/// Empty where the server has no such page.
Result<std::string> fetch_page(const Endpoint& endpoint, const std::string& target) {
  Result<HttpAnswer> answer = http_call(endpoint, get_request(endpoint, target), kPatience);
  if (!answer) return answer.error();
  return answer->status == 200 ? std::move(answer->body) : std::string{};
}

std::string error_line(const Json& request) {
  std::string line = text_of(request, "op") + " " + text_of(request, "bucket");
  if (const std::string key = text_of(request, "key"); !key.empty()) line += "/" + key;
  line += ": " + std::to_string(count_of(request, "status"));
  if (const std::string code = text_of(request, "error"); !code.empty()) line += " " + code;
  const Json& completed = member(request, "completed");
  if (completed.is_boolean() && !completed.get<bool>()) line += " (cut short)";
  return line;
}

}  // namespace

std::optional<ServerStats> parse_server_stats(std::string_view text) {
  const Json json = parse_object(text);
  if (!member(json, "operations").is_object() || !member(json, "version").is_string())
    return std::nullopt;
  ServerStats stats;
  stats.version = text_of(json, "version");
  stats.uptime_s = number_of(json, "uptime_s");
  stats.cpu_s = number_of(member(json, "process"), "cpu_s");
  for (const Json& seconds : member(json, "worker_cpu_s"))
    if (seconds.is_number()) stats.worker_cpu_s.push_back(seconds.get<double>());
  stats.bytes_in = count_of(json, "bytes_in");
  stats.bytes_out = count_of(json, "bytes_out");
  for (const auto& [name, operation] : member(json, "operations").items()) {
    stats.requests[name] = count_of(operation, "count");
    stats.good_bytes_in += count_of(operation, "bytes_in");
    stats.good_bytes_out += count_of(operation, "bytes_out");
    stats.errors += count_of(operation, "errors");
  }
  return stats;
}

Result<std::optional<ServerStats>> fetch_server_stats(const Endpoint& endpoint) {
  const Result<std::string> page = fetch_page(endpoint, "/_mock/stats");
  if (!page) return page.error();
  return parse_server_stats(*page);
}

std::optional<uint64_t> fetch_server_now_ns(const Endpoint& endpoint) {
  const Result<std::string> page = fetch_page(endpoint, "/_mock/requests?limit=1");
  if (!page) return std::nullopt;
  const Json json = parse_object(*page);
  const Json& now = member(json, "now_ns");
  if (!now.is_number_unsigned()) return std::nullopt;
  return now.get<uint64_t>();
}

std::vector<std::string> parse_server_errors(std::string_view text, size_t most) {
  const Json json = parse_object(text);
  std::vector<std::string> lines;
  for (const Json& request : member(json, "requests")) {
    if (lines.size() == most) break;
    lines.push_back(error_line(request));
  }
  return lines;
}

std::vector<std::string> fetch_server_errors(const Endpoint& endpoint, uint64_t since_ns,
                                             size_t most) {
  const Result<std::string> page =
      fetch_page(endpoint, "/_mock/requests?errors&since_ns=" + std::to_string(since_ns) +
                               "&limit=" + std::to_string(most));
  return page ? parse_server_errors(*page, most) : std::vector<std::string>{};
}

}  // namespace mocks3::client
