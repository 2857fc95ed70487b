#pragma once
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdint>
#include <span>

namespace mocks3::server {

/// A plain TCP connection as a session uses it. Every stream type has these members; the session
/// is a template over it. One thread, the one of the socket's executor.
///
/// Asynchronous members complete with (error_code, bytes); bytes 0 without an error does not occur,
/// the end of the stream is boost::asio::error::eof.
class PlainStream {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  static constexpr auto kAwait = boost::asio::as_tuple(boost::asio::use_awaitable);

  explicit PlainStream(Socket socket) : socket_(std::move(socket)) {}

  int fd() { return socket_.native_handle(); }

  /// Reads what is there, at most out.size() bytes.
  auto read_some(std::span<char> out) {
    return socket_.async_read_some(boost::asio::buffer(out.data(), out.size()), kAwait);
  }

  /// Drops what is there, at most `bytes`, in the kernel: nothing is copied (tcp(7), MSG_TRUNC).
  auto discard_some(uint64_t bytes) {
#if defined(__SANITIZE_THREAD__)
    // ThreadSanitizer would see every worker write what it drops at address 0.
    thread_local std::array<char, 64 * 1024> nowhere;
    const size_t most = std::min<uint64_t>(bytes, nowhere.size());
    return socket_.async_receive(boost::asio::mutable_buffer(nowhere.data(), most), 0, kAwait);
#else
    return socket_.async_receive(boost::asio::mutable_buffer(nullptr, bytes), MSG_TRUNC, kAwait);
#endif
  }

  /// Writes at once what the kernel takes without waiting: bytes, 0 where it takes none now, or
  /// -errno.
  int64_t try_write(std::span<const iovec> parts);

  /// Waits until the kernel takes some of `parts`, at most 16 of them, and writes that.
  auto write_some(std::span<const iovec> parts) {
    Views views;
    for (const iovec& part : parts) views.add(part);
    return socket_.async_write_some(views, kAwait);
  }

  /// Tells the peer that nothing more will come.
  void shutdown_send();

 private:
  /// A buffer sequence without allocation.
  struct Views {
    static constexpr size_t kMost = 16;
    void add(const iovec& part) {
      if (used < kMost) parts[used++] = boost::asio::const_buffer(part.iov_base, part.iov_len);
    }
    const boost::asio::const_buffer* begin() const { return parts; }
    const boost::asio::const_buffer* end() const { return parts + used; }
    using value_type = boost::asio::const_buffer;
    using const_iterator = const boost::asio::const_buffer*;
    boost::asio::const_buffer parts[kMost];
    size_t used = 0;
  };

  Socket socket_;
};

}  // namespace mocks3::server
