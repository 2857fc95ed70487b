#include "tests/protocol/raw_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace mocks3::test {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kPatienceMs = 10'000;

int connect_to(uint16_t port, const std::string& address) {
  sockaddr_storage storage{};
  auto* v4 = reinterpret_cast<sockaddr_in*>(&storage);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&storage);
  const bool is_v6 = address.find(':') != std::string::npos;
  storage.ss_family = is_v6 ? AF_INET6 : AF_INET;
  (is_v6 ? v6->sin6_port : v4->sin_port) = htons(port);
  void* where = is_v6 ? static_cast<void*>(&v6->sin6_addr) : &v4->sin_addr;
  if (inet_pton(storage.ss_family, address.c_str(), where) != 1) return -1;
  const int fd = socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const socklen_t length = is_v6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
  if (fd >= 0 && connect(fd, reinterpret_cast<sockaddr*>(&storage), length) == 0) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

void parse_head(Response& response) {
  const std::string_view head = response.head;
  if (head.size() > 12)
    response.status = static_cast<unsigned>(std::stoul(response.head.substr(9, 3)));
  for (size_t at = head.find("\r\n") + 2; at < head.size();) {
    const size_t end = head.find("\r\n", at);
    const std::string_view line = head.substr(at, end - at);
    const size_t colon = line.find(':');
    if (colon != line.npos)
      response.headers[lower(std::string(line.substr(0, colon)))] = trimmed(line.substr(colon + 1));
    at = end + 2;
  }
}

bool contains_name(const Headers& headers, std::string_view wanted) {
  return std::any_of(headers.begin(), headers.end(),
                     [&](const auto& h) { return lower(h.first) == wanted; });
}

}  // namespace

std::string Response::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

std::string Response::code() const { return between(body, "Code"); }

RawClient::RawClient(uint16_t port, const std::string& address) : fd_(connect_to(port, address)) {
  if (fd_ < 0) throw std::runtime_error("cannot connect to " + address);
  const int on = 1;
  setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

RawClient::~RawClient() {
  if (fd_ >= 0) close(fd_);
}

bool RawClient::wait_for(short events, int milliseconds) {
  pollfd waiting{fd_, events, 0};
  return poll(&waiting, 1, milliseconds) > 0;
}

bool RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    if (!wait_for(POLLOUT, kPatienceMs)) return false;
    const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno != EAGAIN) return false;
    if (n > 0) bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

bool RawClient::send_repeated(std::string_view bytes, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i)
    if (!send(bytes)) return false;
  return true;
}

bool RawClient::send_bytewise(std::string_view bytes) {
  for (size_t i = 0; i < bytes.size(); ++i)
    if (!send(bytes.substr(i, 1))) return false;
  return true;
}

void RawClient::shutdown_send() { shutdown(fd_, SHUT_WR); }

void RawClient::abort() {
  const linger reset{1, 0};
  setsockopt(fd_, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  close(fd_);
  fd_ = -1;
}

bool RawClient::read_more() {
  char block[64 * 1024];
  if (!wait_for(POLLIN, kPatienceMs)) return false;
  const ssize_t n = recv(fd_, block, sizeof block, 0);
  if (n > 0) input_.append(block, static_cast<size_t>(n));
  return n > 0;
}

Response RawClient::receive(bool no_body) {
  Response response;
  size_t end;
  while ((end = input_.find("\r\n\r\n")) == std::string::npos)
    if (!read_more()) return response;
  response.head = input_.substr(0, end + 4);
  input_.erase(0, end + 4);
  parse_head(response);
  const bool bodiless =
      no_body || response.status < 200 || response.status == 204 || response.status == 304;
  const size_t length = bodiless || !response.has("content-length")
                            ? 0
                            : std::stoull(response.header("content-length"));
  while (input_.size() < length)
    if (!read_more()) break;
  response.complete = input_.size() >= length;
  response.body = input_.substr(0, length);
  input_.erase(0, length);
  return response;
}

Response RawClient::request(std::string_view bytes, bool no_body) {
  // Where sending fails the peer may still have answered.
  send(bytes);
  return receive(no_body);
}

bool RawClient::closed_within(int milliseconds) {
  const auto until = Clock::now() + std::chrono::milliseconds(milliseconds);
  char block[4096];
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0 || !wait_for(POLLIN, static_cast<int>(left))) return false;
    if (recv(fd_, block, sizeof block, 0) <= 0) return true;
  }
}

bool RawClient::silent_for(int milliseconds) {
  return input_.empty() && !wait_for(POLLIN, milliseconds);
}

std::string make_request(std::string_view method, std::string_view target, const Headers& headers,
                         std::string_view body) {
  std::string text;
  text.append(method).append(" ").append(target).append(" HTTP/1.1\r\n");
  if (!contains_name(headers, "host")) text += "Host: 127.0.0.1\r\n";
  for (const auto& [name, value] : headers) text += name + ": " + value + "\r\n";
  const bool framed =
      contains_name(headers, "content-length") || contains_name(headers, "transfer-encoding");
  if (!framed && (method == "PUT" || method == "POST" || !body.empty()))
    text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  text += "\r\n";
  text += body;
  return text;
}

std::vector<std::string> all_between(std::string_view text, std::string_view tag) {
  const std::string open = "<" + std::string(tag) + ">", close = "</" + std::string(tag) + ">";
  std::vector<std::string> found;
  for (size_t at = 0; (at = text.find(open, at)) != text.npos;) {
    at += open.size();
    const size_t end = text.find(close, at);
    if (end == text.npos) break;
    found.emplace_back(text.substr(at, end - at));
    at = end + close.size();
  }
  return found;
}

std::string between(std::string_view text, std::string_view tag) {
  const auto found = all_between(text, tag);
  return found.empty() ? std::string() : found.front();
}

server::Options test_options() {
  server::Options options;
  options.port = 0;
  options.workers = 2;
  options.stats_interval = std::chrono::nanoseconds(0);
  return options;
}

TestServer::TestServer(const server::Options& options) {
  auto started = server::Server::start(options);
  if (!started) throw std::runtime_error(started.error().message);
  server_ = std::move(*started);
}

Response TestServer::call(std::string_view request, bool no_body) const {
  return RawClient(port()).request(request, no_body);
}

Response TestServer::get(std::string_view target, const Headers& headers) const {
  return call(make_request("GET", target, headers));
}

Response TestServer::head(std::string_view target, const Headers& headers) const {
  return call(make_request("HEAD", target, headers), true);
}

Response TestServer::put(std::string_view target, std::string_view body,
                         const Headers& headers) const {
  return call(make_request("PUT", target, headers, body));
}

Response TestServer::post(std::string_view target, std::string_view body,
                          const Headers& headers) const {
  return call(make_request("POST", target, headers, body));
}

Response TestServer::remove(std::string_view target, const Headers& headers) const {
  return call(make_request("DELETE", target, headers));
}

std::string TestServer::size_of(std::string_view target) const {
  const Response response = head(target);
  return response.status == 200 ? response.header("content-length") : "none";
}

void pause(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

}  // namespace mocks3::test
