#include "shared/net/socket_options.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

namespace mocks3 {
namespace {

bool has_loopback_peer(int fd) {
  sockaddr_storage peer{};
  socklen_t length = sizeof peer;
  if (getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &length) != 0) return false;
  if (peer.ss_family == AF_INET)
    return ntohl(reinterpret_cast<const sockaddr_in&>(peer).sin_addr.s_addr) >> 24 == 127;
  if (peer.ss_family != AF_INET6) return false;
  const in6_addr& address = reinterpret_cast<const sockaddr_in6&>(peer).sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&address) ||
         (IN6_IS_ADDR_V4MAPPED(&address) && address.s6_addr[12] == 127);
}

bool is_paced(int fd) {
  std::array<char, 16> name{};  // TCP_CA_NAME_MAX
  socklen_t length = name.size();
  return getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name.data(), &length) == 0 &&
         std::string_view(name.data(), 3) == "bbr";
}

}  // namespace

void tune_connection(int fd) {
  const int on = 1;
  (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  constexpr std::string_view kReno = "reno";
  if (is_paced(fd) && has_loopback_peer(fd))
    (void)setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, kReno.data(), kReno.size());
}

int64_t discard_received(int fd, uint64_t bytes) {
#if defined(__SANITIZE_THREAD__)
  // ThreadSanitizer would see every thread write what it drops at address 0.
  thread_local std::array<char, 64 * 1024> nowhere;
  const ssize_t n = recv(fd, nowhere.data(), std::min<uint64_t>(bytes, nowhere.size()), 0);
#else
  constexpr uint64_t kMost = uint64_t{1} << 30;
  const ssize_t n = recv(fd, nullptr, std::min(bytes, kMost), MSG_TRUNC);
#endif
  return n < 0 ? -errno : n;
}

void set_receive_low_water(int fd, size_t bytes) {
  const int value = static_cast<int>(bytes);
  (void)setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &value, sizeof value);
}

uint64_t queued_bytes(int fd) {
  int bytes = 0;
  return ioctl(fd, FIONREAD, &bytes) == 0 && bytes > 0 ? static_cast<uint64_t>(bytes) : 0;
}

}  // namespace mocks3
