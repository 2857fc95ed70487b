#include "shared/net/socket_options.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace mocks3 {

void tune_connection(int fd) {
  const int on = 1;
  (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
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
