#include "client/http_call.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

#include "shared/net/http_head.hpp"
#include "shared/net/socket_options.hpp"
#include "shared/proto/chunked_decoder.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::client {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t kMostBody = 64U << 20;

/// An open non-blocking socket and the time at which patience ends.
class Socket {
 public:
  Socket(int fd, Clock::time_point end) : fd_(fd), end_(end) {}
  ~Socket() {
    if (fd_ >= 0) close(fd_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  int fd() const { return fd_; }

  /// Whether the socket became ready in time.
  bool wait(short events) const {
    for (;;) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now()).count();
      if (left <= 0) return false;
      pollfd entry{fd_, events, 0};
      const int n = poll(&entry, 1, static_cast<int>(left));
      if (n > 0) return true;
      if (n < 0 && errno != EINTR) return false;
    }
  }

  bool send_all(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t n = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n > 0) bytes.remove_prefix(static_cast<size_t>(n));
      if (n < 0 && errno != EINTR && (errno != EAGAIN || !wait(POLLOUT))) return false;
    }
    return true;
  }

  /// Appends what comes; false at the end of the stream, after an error or out of time.
  bool receive_some(std::string& into) const {
    std::array<char, 65536> block;
    for (;;) {
      const ssize_t n = recv(fd_, block.data(), block.size(), 0);
      if (n > 0) into.append(block.data(), static_cast<size_t>(n));
      if (n >= 0) return n > 0;
      if (errno != EINTR && (errno != EAGAIN || !wait(POLLIN))) return false;
    }
  }

 private:
  int fd_;
  Clock::time_point end_;
};

/// 0, or errno of the attempt.
int connect_within(const Socket& socket, const sockaddr* address, socklen_t length) {
  if (socket.fd() < 0) return errno;
  if (connect(socket.fd(), address, length) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  if (!socket.wait(POLLOUT)) return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(socket.fd(), SOL_SOCKET, SO_ERROR, &error, &size);
  return error;
}

int open_socket(int family) {
  return ::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

Error unreachable(const Endpoint& endpoint, const std::string& why) {
  return Error{"cannot reach " + endpoint.url() + ": " + why};
}

using AddressList = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

/// Null with `why` set where the name cannot be resolved.
AddressList resolve(const Endpoint& endpoint, std::string& why) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int code =
      getaddrinfo(endpoint.host.c_str(), std::to_string(endpoint.port).c_str(), &hints, &found);
  if (code != 0)
    why = std::string("the host's name cannot be resolved (") + gai_strerror(code) + ")";
  return {code == 0 ? found : nullptr, &freeaddrinfo};
}

SocketAddress copy_of(const addrinfo& entry) {
  SocketAddress address;
  std::memcpy(&address.storage, entry.ai_addr, entry.ai_addrlen);
  address.length = entry.ai_addrlen;
  return address;
}

struct Connected {
  std::unique_ptr<Socket> socket;
  SocketAddress address;
};

/// The first of the host's addresses that accepts.
Result<Connected> connect_to(const Endpoint& endpoint, std::chrono::milliseconds most) {
  std::string why;
  const AddressList addresses = resolve(endpoint, why);
  for (const addrinfo* entry = addresses.get(); entry != nullptr; entry = entry->ai_next) {
    auto socket = std::make_unique<Socket>(open_socket(entry->ai_family), Clock::now() + most);
    const int error = connect_within(*socket, entry->ai_addr, entry->ai_addrlen);
    if (error == 0) return Connected{std::move(socket), copy_of(*entry)};
    // The first address is the one that the name stands for first: its fault is the one to tell.
    if (why.empty()) why = std::strerror(error);
  }
  return unreachable(endpoint, why);
}

/// The answer's head is complete in `bytes`; what follows is body.
struct Opened {
  HttpAnswer answer;
  std::optional<uint64_t> length;
  bool chunked = false;
};

std::optional<std::string> read_head(const Socket& socket, std::string& bytes, Opened& opened) {
  ResponseHead head;
  for (;;) {
    const HeadResult result = parse_response_head(bytes, head);
    if (result.status == HeadStatus::complete && head.status >= 200) {
      opened.answer.status = head.status;
      for (const HeaderView& field : head.headers)
        opened.answer.headers.emplace_back(field.name, field.value);
      opened.length = head.content_length;
      opened.chunked = head.http_chunked;
      bytes.erase(0, result.head_bytes);
      return std::nullopt;
    }
    if (result.status == HeadStatus::complete) {
      bytes.erase(0, result.head_bytes);
    } else if (result.status != HeadStatus::incomplete) {
      return "its answer is not HTTP";
    } else if (!socket.receive_some(bytes)) {
      return "no complete answer came";
    }
  }
}

std::optional<std::string> read_chunked(const Socket& socket, std::string& bytes,
                                        std::string& body) {
  ChunkedDecoder decoder;
  for (;;) {
    std::span<const char> left = bytes;
    while (!left.empty()) {
      const ChunkedDecoder::Step step = decoder.feed(left);
      body.append(step.data.data(), step.data.size());
      left = left.subspan(step.consumed);
      if (step.state == ChunkedDecoder::State::done) return std::nullopt;
      if (step.state == ChunkedDecoder::State::failed) return "its chunked answer is malformed";
    }
    bytes.clear();
    if (body.size() > kMostBody) return "its answer is too long";
    if (!socket.receive_some(bytes)) return "the answer broke off";
  }
}

std::optional<std::string> read_body(const Socket& socket, std::string& bytes, Opened& opened) {
  if (opened.chunked) return read_chunked(socket, bytes, opened.answer.body);
  if (opened.length.value_or(0) > kMostBody) return "its answer is too long";
  std::string& body = opened.answer.body;
  body = std::move(bytes);
  while (body.size() < opened.length.value_or(kMostBody)) {
    if (socket.receive_some(body)) continue;
    if (opened.length) return "the answer broke off";
    return std::nullopt;
  }
  if (!opened.length) return "its answer is too long";
  body.resize(*opened.length);
  return std::nullopt;
}

}  // namespace

std::string_view HttpAnswer::header(std::string_view name) const {
  for (const auto& [field, value] : headers)
    if (iequals(field, name)) return value;
  return {};
}

Result<SocketAddress> reachable_address(const Endpoint& endpoint, std::chrono::milliseconds most) {
  const Result<Connected> connected = connect_to(endpoint, most);
  if (!connected) return connected.error();
  return connected->address;
}

Result<HttpAnswer> http_call(const Endpoint& endpoint, std::string_view request_bytes,
                             std::chrono::milliseconds most, bool no_body) {
  const Result<Connected> connected = connect_to(endpoint, most);
  if (!connected) return connected.error();
  const Socket& socket = *connected->socket;
  tune_connection(socket.fd());
  if (!socket.send_all(request_bytes))
    return unreachable(endpoint, "the request could not be sent");
  std::string bytes;
  Opened opened;
  std::optional<std::string> fault = read_head(socket, bytes, opened);
  if (!fault && !no_body && opened.answer.status != 204 && opened.answer.status != 304)
    fault = read_body(socket, bytes, opened);
  if (fault) return unreachable(endpoint, *fault);
  return std::move(opened.answer);
}

}  // namespace mocks3::client
