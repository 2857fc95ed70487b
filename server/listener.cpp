#include "server/listener.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "server/handlers.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::server {
namespace {

constexpr int kBacklog = 4096;
/// Accepted in one go before other work of the thread gets its turn.
constexpr int kAcceptBatch = 256;

struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;
  int family = 0;
  std::string host;  ///< as in a URL
};

Result<Address> parse_address(const std::string& text, uint16_t port) {
  Address address;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&address.storage);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&address.storage);
  if (inet_pton(AF_INET, text.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    address.length = sizeof *v4;
    address.family = AF_INET;
    address.host = text;
    return address;
  }
  if (inet_pton(AF_INET6, text.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    address.length = sizeof *v6;
    address.family = AF_INET6;
    address.host = "[" + text + "]";
    return address;
  }
  return Error{fmt::format(
      "cannot listen on \"{}\": not an IP address; use e.g. --bind 127.0.0.1 or --bind ::1", text)};
}

uint16_t bound_port(int fd) {
  sockaddr_storage storage{};
  socklen_t length = sizeof storage;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&storage), &length) != 0) return 0;
  return ntohs(storage.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&storage)->sin6_port
                                             : reinterpret_cast<sockaddr_in*>(&storage)->sin_port);
}

/// The descriptor, or -errno.
int open_listening(const Address& address) {
  const int fd = socket(address.family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (address.family == AF_INET6) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  if (bind(fd, reinterpret_cast<const sockaddr*>(&address.storage), address.length) == 0 &&
      listen(fd, kBacklog) == 0)
    return fd;
  const int error = errno;
  close(fd);
  return -error;
}

bool family_missing(int error) { return error == EAFNOSUPPORT || error == EADDRNOTAVAIL; }

Error cannot_listen(const Address& address, uint16_t port, int error) {
  const std::string_view advice = error == EADDRINUSE ? "; choose another with --port"
                                  : error == EACCES   ? "; ports below 1024 need root"
                                                      : "";
  return Error{fmt::format("cannot listen on {}:{}: {}{}", address.host, port, std::strerror(error),
                           advice)};
}

void close_all(std::vector<ListenSocket>& sockets) {
  for (const ListenSocket& socket : sockets) close(socket.fd);
  sockets.clear();
}

/// One try; with port 0 the first address chooses and the others follow. `taken` is set where one
/// of those could not follow.
Result<std::vector<ListenSocket>> try_listen(const std::vector<std::string>& addresses,
                                             uint16_t port, bool skip_missing, bool& taken) {
  std::vector<ListenSocket> sockets;
  const bool any_port = port == 0;
  for (const std::string& text : addresses) {
    const auto address = parse_address(text, port);
    const int fd = address ? open_listening(*address) : -1;
    if (address && fd >= 0) {
      port = bound_port(fd);
      sockets.push_back({fd, port, fmt::format("http://{}:{}", address->host, port)});
      continue;
    }
    if (address && skip_missing && family_missing(-fd)) continue;
    taken = any_port && !sockets.empty() && fd == -EADDRINUSE;
    close_all(sockets);
    return address ? cannot_listen(*address, port, -fd) : address.error();
  }
  if (sockets.empty())
    return Error{"cannot listen: this machine has no loopback address; use --bind"};
  return sockets;
}

}  // namespace

Result<std::vector<ListenSocket>> listen_on(const std::vector<std::string>& addresses,
                                            uint16_t port, bool skip_missing_families) {
  constexpr int kTries = 20;
  for (int i = 1;; ++i) {
    bool taken = false;
    auto sockets = try_listen(addresses, port, skip_missing_families, taken);
    if (sockets || !taken || i == kTries) return sockets;
  }
}

Listener::Listener(boost::asio::io_context& context, const std::vector<ListenSocket>& sockets,
                   std::vector<std::unique_ptr<Worker>>& workers, Metrics& metrics,
                   uint64_t max_connections)
    : workers_(workers), metrics_(metrics), max_connections_(max_connections), retry_(context) {
  for (const ListenSocket& socket : sockets) sockets_.emplace_back(context, socket.fd);
}

void Listener::start() {
  for (size_t i = 0; i < sockets_.size(); ++i) wait(i);
}

void Listener::stop() {
  boost::system::error_code ignored;
  retry_.cancel();
  for (Descriptor& socket : sockets_) socket.close(ignored);
}

void Listener::wait(size_t index) {
  sockets_[index].async_wait(Descriptor::wait_read, [this, index](boost::system::error_code ec) {
    if (!ec) accept_ready(index);
  });
}

void Listener::accept_ready(size_t index) {
  for (int i = 0; i < kAcceptBatch; ++i) {
    const int fd =
        accept4(sockets_[index].native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
      take(fd);
      continue;
    }
    if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM) break;
    // Out of descriptors: waiting connections stay in the backlog until some are closed.
    std::fprintf(stderr, "mock-s3: cannot accept connections for now: %s\n", std::strerror(errno));
    retry_.expires_after(std::chrono::milliseconds(200));
    retry_.async_wait([this, index](boost::system::error_code ec) {
      if (!ec) accept_ready(index);
    });
    return;
  }
  wait(index);
}

void Listener::take(int fd) {
  if (metrics_.connections_open.load() >= max_connections_) return refuse(fd);
  metrics_.connections_open.fetch_add(1);
  metrics_.connections_accepted.fetch_add(1);
  least_loaded().place(fd, next_id_++);
}

/// Over the limit: says so and hangs up, as far as that goes without waiting.
void Listener::refuse(int fd) {
  metrics_.connections_refused.fetch_add(1);
  const std::string request_id = hex_u64(mix64(next_id_++ << 24));
  const Reply reply =
      error_reply({S3Code::SlowDown, "Too many connections."}, "/", request_id, false);
  const std::string& body = std::get<std::string>(reply.body);
  const std::string text = fmt::format(
      "HTTP/1.1 503 Slow Down\r\nServer: mock-s3\r\nx-amz-request-id: {}\r\n{}"
      "Content-Length: {}\r\nConnection: close\r\n\r\n{}",
      request_id, reply.headers.wire(), body.size(), body);
  (void)!send(fd, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  shutdown(fd, SHUT_WR);
  close(fd);
}

Worker& Listener::least_loaded() {
  // Ties go round, so that short connections use all workers.
  size_t best = next_worker_++ % workers_.size();
  for (size_t i = 0; i < workers_.size(); ++i)
    if (workers_[i]->live() < workers_[best]->live()) best = i;
  return *workers_[best];
}

}  // namespace mocks3::server
