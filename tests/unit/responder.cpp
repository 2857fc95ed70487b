#include "tests/unit/responder.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "shared/util/encode.hpp"

namespace mocks3::client {
namespace {

/// Fills `into` until the blank line; false at the end of the stream.
bool read_head(int fd, std::string& into) {
  char block[4096];
  while (into.find("\r\n\r\n") == std::string::npos) {
    const ssize_t n = recv(fd, block, sizeof block, 0);
    if (n <= 0) return false;
    into.append(block, static_cast<size_t>(n));
  }
  return true;
}

SeenRequest parse_head(const std::string& head) {
  SeenRequest request;
  size_t at = head.find("\r\n");
  const std::string line = head.substr(0, at);
  request.method = line.substr(0, line.find(' '));
  const std::string target =
      line.substr(request.method.size() + 1, line.rfind(' ') - request.method.size() - 1);
  const size_t mark = target.find('?');
  request.path = target.substr(0, mark);
  if (mark != std::string::npos) request.query = target.substr(mark + 1);
  while (at + 2 < head.size()) {
    const size_t end = head.find("\r\n", at + 2);
    const std::string field = head.substr(at + 2, end - at - 2);
    const size_t colon = field.find(':');
    if (colon != std::string::npos)
      request.headers[to_lower(field.substr(0, colon))] = trim(field.substr(colon + 1));
    if (end == std::string::npos) break;
    at = end;
  }
  return request;
}

/// Reads the rest of the body; false where it breaks off.
bool read_body(int fd, SeenRequest& request, std::string& surplus) {
  const auto field = request.headers.find("content-length");
  const uint64_t length =
      field == request.headers.end() ? 0 : std::strtoull(field->second.c_str(), nullptr, 10);
  request.body = surplus.substr(0, length);
  request.body_bytes = request.body.size();
  surplus.erase(0, request.body.size());
  std::vector<char> block(1 << 18);
  while (request.body_bytes < length) {
    const size_t most = std::min<uint64_t>(block.size(), length - request.body_bytes);
    const ssize_t n = recv(fd, block.data(), most, 0);
    if (n <= 0) return false;
    request.body_bytes += static_cast<uint64_t>(n);
    if (request.body.size() < 65536) request.body.append(block.data(), static_cast<size_t>(n));
  }
  return true;
}

void send_all(int fd, const CannedReply& reply) {
  for (size_t at = 0; at < reply.bytes.size();) {
    const size_t length = std::min(reply.piece, reply.bytes.size() - at);
    const ssize_t n = send(fd, reply.bytes.data() + at, length, MSG_NOSIGNAL);
    if (n <= 0) return;
    at += static_cast<size_t>(n);
  }
}

std::string object_reply(const SeenRequest& request, uint64_t size) {
  const auto range = request.headers.find("range");
  if (range == request.headers.end())
    return http_reply("200 OK", "", std::string(static_cast<size_t>(size), 'x'));
  uint64_t first = 0, last = 0;
  std::sscanf(range->second.c_str(), "bytes=%lu-%lu", &first, &last);
  return http_reply("206 Partial Content",
                    "Content-Range: bytes " + std::to_string(first) + "-" + std::to_string(last) +
                        "/" + std::to_string(size) + "\r\n",
                    std::string(static_cast<size_t>(last - first + 1), 'x'));
}

}  // namespace

Responder::Responder(Handler handler) : handler_(std::move(handler)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(listener_, generic, length) != 0 || listen(listener_, 128) != 0 ||
      getsockname(listener_, generic, &length) != 0)
    std::abort();
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_loop(); });
}

Responder::~Responder() {
  stopping_ = true;
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  {
    const std::lock_guard lock(mutex_);
    for (const int fd : fds_) shutdown(fd, SHUT_RDWR);
  }
  for (std::thread& thread : threads_) thread.join();
  for (const int fd : fds_) close(fd);
  close(listener_);
}

void Responder::accept_loop() {
  while (!stopping_) {
    const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) continue;
    const std::lock_guard lock(mutex_);
    const size_t number = fds_.size();
    fds_.push_back(fd);
    threads_.emplace_back([this, fd, number] { serve(fd, number); });
  }
}

void Responder::serve(int fd, size_t number) {
  std::string bytes;
  while (read_head(fd, bytes)) {
    const size_t head_end = bytes.find("\r\n\r\n") + 4;
    SeenRequest request = parse_head(bytes.substr(0, head_end));
    request.connection = number;
    bytes.erase(0, head_end);
    CannedReply reply = handler_(request);
    if (!reply.before_body) {
      if (!read_body(fd, request, bytes)) break;
      reply = handler_(request);
    }
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
    }
    send_all(fd, reply);
    if (reply.close) break;
  }
  shutdown(fd, SHUT_RDWR);
}

Endpoint Responder::endpoint() const {
  Endpoint endpoint;
  endpoint.host = "127.0.0.1";
  endpoint.port = port_;
  endpoint.credentials = {"AK", "SK", ""};
  return endpoint;
}

std::vector<SeenRequest> Responder::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

std::string http_reply(const std::string& status, const std::string& headers,
                       const std::string& body) {
  return "HTTP/1.1 " + status + "\r\n" + headers +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

CannedReply act_as_s3(const SeenRequest& request, uint64_t object_size) {
  const bool bucket = std::count(request.path.begin(), request.path.end(), '/') == 1;
  if (request.method == "HEAD" || (bucket && request.method == "PUT"))
    return {http_reply("200 OK", "", "")};
  if (request.query.starts_with("uploads"))
    return {http_reply("200 OK", "", "<R><UploadId>up+1</UploadId></R>")};
  if (request.method == "POST" && request.query.starts_with("uploadId"))
    return {http_reply("200 OK", "", "<CompleteMultipartUploadResult/>")};
  if (request.method == "POST") return {http_reply("200 OK", "", "<DeleteResult/>")};
  if (request.method == "DELETE") return {"HTTP/1.1 204 No Content\r\n\r\n"};
  if (request.method == "PUT")
    return {http_reply("200 OK", "ETag: \"" + request.query.substr(0, 13) + "\"\r\n", "")};
  return {object_reply(request, object_size)};
}

}  // namespace mocks3::client
