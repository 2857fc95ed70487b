#include "client/local_server.hpp"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "client/http_call.hpp"
#include "client/interrupt.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::client {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kStartLimit = std::chrono::seconds(20);
constexpr auto kPoll = std::chrono::milliseconds(2);

/// The program beside this one where it is there; else its bare name, for PATH.
std::string server_program() {
  std::error_code ec;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", ec);
  const auto beside = self.parent_path() / "mock-s3";
  return !ec && access(beside.c_str(), X_OK) == 0 ? beside.string() : "mock-s3";
}

/// Its last words, in one line.
std::string last_words(const ChildProcess& child) {
  std::string text = child.error_output();
  if (trim(text).empty()) text = child.output();
  const std::string_view trimmed = trim(text);
  const size_t line = trimmed.find_last_of('\n');
  return std::string(line == trimmed.npos ? trimmed : trimmed.substr(line + 1));
}

std::string with_last_words(const std::string& text, const ChildProcess& child) {
  const std::string words = last_words(child);
  return words.empty() ? text : text + ": " + words;
}

Error did_not_start(const ChildProcess& child, const std::string& why) {
  return Error{with_last_words("the private mock-s3 did not start: " + why, child)};
}

bool healthy(const Endpoint& endpoint) {
  const std::string request = "GET /_mock/health HTTP/1.1\r\nHost: " + endpoint.authority() +
                              "\r\nConnection: close\r\n\r\n";
  const Result<HttpAnswer> answer = http_call(endpoint, request, std::chrono::seconds(1));
  return answer && answer->status == 200;
}

Result<Endpoint> wait_until_ready(ChildProcess& child) {
  const auto end = Clock::now() + kStartLimit;
  while (Clock::now() < end && !interrupted()) {
    if (const std::optional<int> status = child.exit_status())
      return did_not_start(child, "it ended with status " + std::to_string(*status));
    const std::string url = url_in_banner(child.output());
    if (!url.empty()) {
      Result<Endpoint> endpoint = parse_endpoint(url);
      if (!endpoint || healthy(*endpoint)) return endpoint;
    }
    std::this_thread::sleep_for(kPoll);
  }
  return did_not_start(child, interrupted() ? "interrupted" : "it did not answer within 20 s");
}

}  // namespace

std::string url_in_banner(const std::string& output) {
  constexpr std::string_view kPrefix = "http://127.0.0.1:";
  const size_t at = output.find(kPrefix);
  if (at == std::string::npos) return {};
  const size_t port_end = output.find_first_not_of("0123456789", at + kPrefix.size());
  // Without a character behind the port, more of its digits may still come.
  if (port_end == std::string::npos || port_end == at + kPrefix.size()) return {};
  return output.substr(at, port_end - at);
}

Result<std::unique_ptr<LocalServer>> LocalServer::start(const std::vector<std::string>& arguments) {
  std::unique_ptr<LocalServer> server(new LocalServer);
  server->command_ = {server_program(), "--port",           "0", "--bind",
                      "127.0.0.1",      "--stats-interval", "0"};
  server->command_.insert(server->command_.end(), arguments.begin(), arguments.end());
  Result<std::unique_ptr<ChildProcess>> child = ChildProcess::start(server->command_);
  if (!child) {
    return Error{child.error().message +
                 "; build it beside s3-bench, put it on PATH, or name a server with --endpoint"};
  }
  server->child_ = std::move(*child);
  Result<Endpoint> endpoint = wait_until_ready(*server->child_);
  if (!endpoint) return endpoint.error();
  server->endpoint_ = *endpoint;
  return server;
}

std::string LocalServer::obituary() const {
  const std::optional<int> status = child_->exit_status();
  if (!status) return {};
  return with_last_words("the private mock-s3 ended with status " + std::to_string(*status),
                         *child_);
}

}  // namespace mocks3::client
