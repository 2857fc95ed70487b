#pragma once
#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <latch>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "client/engine/connection.hpp"
#include "client/engine/load.hpp"
#include "client/engine/request.hpp"
#include "client/engine/work_queue.hpp"

namespace mocks3::client {

/// Failures in a row, over all connections, after which a load gives up.
inline constexpr unsigned kMostFailuresInARow = 100;

/// What all threads of a load share.
struct LoadShared {
  explicit LoadShared(const LoadSpec& load, LoadProgress& live)
      : spec(load), queue(load), progress(live) {}

  const LoadSpec& spec;
  WorkQueue queue;
  LoadProgress& progress;
  std::atomic<unsigned> failures_in_a_row{0};
  std::atomic<bool> gave_up{false};
  std::atomic<bool> over{false};  ///< everything is done: tickers end
};

/// What one thread did; merged after the run.
struct ThreadTally {
  using TimePoint = Connection::Clock::time_point;

  uint64_t bytes = 0;
  uint64_t objects = 0;
  std::map<std::string, uint64_t> requests, errors;
  std::string first_error;
  TimePoint first_error_time = TimePoint::max();
  TimePoint begin = TimePoint::max(), end = TimePoint::min();  ///< of requests for payload
  Histogram service_ns, ttfb_ns;
};

/// The connections of one thread of a load. Everything but the constructor and tally() runs on the
/// thread of `context`; tally() is asked after that ended.
class LoadThread {
 public:
  LoadThread(boost::asio::io_context& context, const boost::asio::ip::tcp::endpoint& peer,
             LoadShared& shared);

  /// Opens all connections; each counts `opened` down, also where it fails.
  void open(std::latch& opened);
  /// Works until the queue is finished; each connection then counts `done` down.
  void work(std::latch& done);
  /// Looks after the connections, the interrupt flag and the progress until `shared.over`.
  void tick();

  const ThreadTally& tally() const { return tally_; }

 private:
  template <class T>
  using Awaitable = boost::asio::awaitable<T>;

  Awaitable<void> keep_ticking();
  Awaitable<void> open_one(Connection& connection);
  Awaitable<void> work_on(Connection& connection);
  Awaitable<void> whole(Connection& connection, const Job& job);
  Awaitable<void> create(Connection& connection, const Job& job);
  Awaitable<void> part(Connection& connection, const Job& job);
  Awaitable<void> complete(Connection& connection, const Job& job);
  Awaitable<void> abort(Connection& connection, const Job& job);

  struct Call;
  /// One request and its answer; false where it failed, which is then counted.
  Awaitable<bool> run(Connection& connection, Call& call);
  Awaitable<bool> exchange(Connection& connection, Call& call);
  Awaitable<bool> read_answer(Connection& connection, Call& call);
  Call call_for(const char* op, std::string_view method, const Job& job) const;
  void count_payload(const Connection& connection, const Call& call);
  void count_failure(const Connection& connection, const Call& call);
  void note_error(const std::string& error_class, const std::string& text);
  void flush_progress();
  void stop_all();

  boost::asio::io_context& context_;
  LoadShared& shared_;
  RequestBuilder requests_;
  ThreadIo io_;
  std::vector<std::unique_ptr<Connection>> connections_;
  ThreadTally tally_;
  uint64_t flushed_bytes_ = 0;
  bool stopped_ = false;
};

}  // namespace mocks3::client
