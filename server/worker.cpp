#include "server/worker.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <cstdio>
#include <exception>

#include "server/session.hpp"
#include "server/stream_plain.hpp"
#include "shared/net/socket_options.hpp"

namespace mocks3::server {
namespace {

constexpr auto kClockStep = std::chrono::milliseconds(250);
constexpr uint64_t kRateGraceNs = 30'000'000'000;
constexpr uint64_t kLingerNs = 30'000'000'000;

/// A session that ends by an exception (out of memory) costs its connection, not the server.
void report_end(std::exception_ptr error) {
  if (!error) return;
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "mock-s3: a connection was dropped: %s\n", e.what());
  }
}

boost::asio::awaitable<void> run_session(Worker& worker, PlainStream stream, uint64_t id) {
  Session<PlainStream> session(worker, std::move(stream), id);
  co_await session.run();
}

}  // namespace

Worker::Worker(size_t index, boost::asio::io_context& context, const HandlerContext& handlers,
               AccessLog* access_log)
    : index_(index),
      context_(context),
      handlers_(handlers),
      metrics_(handlers.metrics.worker(index)),
      access_log_(access_log),
      clock_(std::in_place, context) {
  arm_clock();
}

void Worker::place(int fd, uint64_t connection_id) {
  live_.fetch_add(1, std::memory_order_relaxed);
  boost::asio::post(context_, [this, fd, connection_id] { adopt(fd, connection_id); });
}

void Worker::adopt(int fd, uint64_t connection_id) {
  boost::system::error_code ec;
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  const bool named = getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) == 0;
  PlainStream::Socket socket(context_);
  const bool v6 = named && address.ss_family == AF_INET6;
  socket.assign(v6 ? boost::asio::ip::tcp::v6() : boost::asio::ip::tcp::v4(), fd, ec);
  if (ec || draining_) {
    if (ec) ::close(fd);
    return forget();
  }
  tune_connection(fd);
  // Lets Asio try a system call before it waits.
  socket.non_blocking(true, ec);
  boost::asio::co_spawn(context_, run_session(*this, PlainStream(std::move(socket)), connection_id),
                        report_end);
}

void Worker::leave(Connection& connection) {
  connections_.erase(&connection);
  forget();
}

void Worker::forget() {
  live_.fetch_sub(1, std::memory_order_relaxed);
  handlers_.metrics.connections_open.fetch_sub(1, std::memory_order_relaxed);
}

void Worker::drain() {
  boost::asio::post(context_, [this] {
    draining_ = true;
    for (Connection* connection : connections_)
      if (connection->phase == Phase::idle || connection->phase == Phase::linger)
        ::shutdown(connection->fd, SHUT_RD);
  });
}

void Worker::cut() {
  boost::asio::post(context_, [this] {
    for (Connection* connection : connections_) ::shutdown(connection->fd, SHUT_RDWR);
  });
}

void Worker::arm_clock() {
  clock_->expires_after(kClockStep);
  clock_->async_wait([this](boost::system::error_code ec) {
    if (ec) return;
    check_time_limits();
    arm_clock();
  });
}

void Worker::check_time_limits() {
  const uint64_t now = now_ns();
  for (Connection* connection : connections_) {
    if (connection->expired || !over_limit(*connection, now)) continue;
    connection->expired = true;
    // Wakes the session's pending operation: a read sees the end of the stream and can still
    // answer; a peer that takes no reply is cut.
    ::shutdown(connection->fd, connection->phase >= Phase::reply ? SHUT_RDWR : SHUT_RD);
  }
}

bool Worker::over_limit(const Connection& connection, uint64_t now) const {
  const uint64_t spent = now - std::min(now, connection.phase_start_ns);
  const Options& options = handlers_.options;
  switch (connection.phase) {
    case Phase::idle:
      return spent > static_cast<uint64_t>(options.idle_timeout.count());
    case Phase::head:
      return spent > static_cast<uint64_t>(options.header_timeout.count());
    case Phase::linger:
      return spent > kLingerNs;
    case Phase::body:
    case Phase::reply:
      break;
  }
  if (spent < kRateGraceNs) return false;
  const double due = static_cast<double>(options.min_body_rate) * static_cast<double>(spent) * 1e-9;
  if (static_cast<double>(connection.phase_bytes) >= due) return false;
  // What lies in the socket has made it here, though the session may wait for more of it.
  const uint64_t arrived = connection.phase_bytes + queued_bytes(connection.fd);
  return static_cast<double>(arrived) < due;
}

std::string_view Worker::http_date(UnixMillis now) {
  const int64_t second = now.value / 1000;
  if (second != date_second_) {
    date_ = mocks3::http_date(now);
    date_second_ = second;
  }
  return date_;
}

}  // namespace mocks3::server
