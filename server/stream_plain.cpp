#include "server/stream_plain.hpp"

#include <sys/socket.h>

#include <cerrno>

namespace mocks3::server {

int64_t PlainStream::try_write(std::span<const iovec> parts) {
  msghdr message{};
  message.msg_iov = const_cast<iovec*>(parts.data());
  message.msg_iovlen = parts.size();
  const ssize_t n = sendmsg(fd(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (n >= 0) return n;
  return errno == EAGAIN || errno == EINTR ? 0 : -errno;
}

void PlainStream::shutdown_send() {
  boost::system::error_code ignored;  // the peer may be gone already
  socket_.shutdown(Socket::shutdown_send, ignored);
}

}  // namespace mocks3::server
