#pragma once
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>

#include "server/handlers.hpp"
#include "server/metrics.hpp"

namespace mocks3::server {

class AccessLog;

/// What a connection is doing, as far as time limits go.
enum class Phase : uint8_t {
  idle,    ///< between requests: --idle-timeout
  head,    ///< a request head has begun: --header-timeout
  body,    ///< a request body is being received: --min-body-rate
  reply,   ///< a reply is being sent: --min-body-rate
  linger,  ///< the last reply was sent, the peer is to close: 30 s
};

/// The part of a session that its worker watches. Only the worker's thread touches it.
struct Connection {
  uint64_t id = 0;
  int fd = -1;
  Phase phase = Phase::idle;
  uint64_t phase_start_ns = 0;
  uint64_t phase_bytes = 0;  ///< on the wire, in this phase
  bool expired = false;      ///< a time limit was passed; the socket no longer delivers

  void enter(Phase next, uint64_t now_ns) {
    phase = next;
    phase_start_ns = now_ns;
    phase_bytes = 0;
  }
};

/// One worker thread: its connections, counters and clock. Members are of that thread alone but
/// for place(), live(), drain() and cut().
class Worker {
 public:
  Worker(size_t index, boost::asio::io_context& context, const HandlerContext& handlers,
         AccessLog* access_log);

  /// Hands an accepted, non-blocking socket over; from any thread.
  void place(int fd, uint64_t connection_id);
  /// Connections placed here and not yet ended; from any thread.
  size_t live() const { return live_.load(std::memory_order_relaxed); }
  /// Idle and lingering connections end now, the others after their reply; from any thread.
  void drain();
  /// Every connection ends now; from any thread.
  void cut();
  /// REQUIRES that the context's thread has ended; before the context does.
  void stop_clock() { clock_.reset(); }

  bool draining() const { return draining_; }
  size_t index() const { return index_; }
  const HandlerContext& handlers() const { return handlers_; }
  WorkerMetrics& metrics() { return metrics_; }
  AccessLog* access_log() const { return access_log_; }
  uint64_t now_ns() const { return handlers_.metrics.uptime_ns(); }
  /// The Date header's value, remade once a second.
  std::string_view http_date(UnixMillis now);

  void enter(Connection& connection) { connections_.insert(&connection); }
  void leave(Connection& connection);

 private:
  void adopt(int fd, uint64_t connection_id);
  /// One connection fewer.
  void forget();
  void arm_clock();
  void check_time_limits();
  bool over_limit(const Connection& connection, uint64_t now) const;

  const size_t index_;
  boost::asio::io_context& context_;
  HandlerContext handlers_;
  WorkerMetrics& metrics_;
  AccessLog* const access_log_;
  std::optional<boost::asio::steady_timer> clock_;
  std::unordered_set<Connection*> connections_;
  std::atomic<size_t> live_{0};
  bool draining_ = false;
  int64_t date_second_ = -1;
  std::string date_;
};

}  // namespace mocks3::server
