#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/proto/s3_op.hpp"
#include "shared/util/histogram.hpp"

namespace mocks3::server {

/// A counter that one thread adds to and any thread reads; costs a plain addition.
class Counter {
 public:
  void add(uint64_t n) {
    value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  uint64_t read() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

/// What is a number or a flag of one finished request.
struct RequestFigures {
  uint64_t start_ns = 0;     ///< steady clock, since the server started; the head was complete
  uint64_t ttfb_ns = 0;      ///< start to the first response byte handed to the kernel
  uint64_t duration_ns = 0;  ///< start to the last response byte handed to the kernel
  uint64_t connection_id = 0;
  S3Op op = S3Op::Unsupported;
  unsigned status = 0;
  uint64_t bytes_in = 0;   ///< object bytes received, without framing
  uint64_t bytes_out = 0;  ///< object bytes sent
  uint32_t part_number = 0;
  bool completed = false;  ///< the whole response was handed to the kernel
  bool expect_continue = false;
  bool content_md5 = false;
};

/// One finished request, as /_mock/requests and the access log show it. The log keeps at most 1024
/// bytes of each text (user agent: 256).
struct RequestRecord : RequestFigures {
  std::string method, bucket, key, error_code, range, upload_id, content_sha256, framing, checksums,
      user_agent, request_id;
};

/// Counters of one worker. The session adds to bytes_in and bytes_out as payload goes by; only
/// the worker's own thread may do that or call record().
class WorkerMetrics {
 public:
  static constexpr size_t kRingRecords = 8192;

  /// Live payload counters, also of transfers that are under way.
  Counter bytes_in;
  Counter bytes_out;
  /// Counted by record(), for interval lines; never go back.
  Counter requests;
  Counter errors;  ///< status 400 and above, or cut short
  std::array<Counter, kS3OpCount> op_requests;

  /// A request has ended. Calls to /_mock/ are dropped.
  void record(RequestRecord&& record);

 private:
  friend class Metrics;
  struct OpTotals {
    uint64_t count = 0, errors = 0, bytes_in = 0, bytes_out = 0;
    Histogram latency{5};
    void add(const OpTotals& other);
  };
  static constexpr size_t kTexts = 11;
  /// A RequestRecord whose texts stand in one string.
  struct Packed {
    RequestFigures figures;
    std::array<uint16_t, kTexts> ends{};
    std::string text;
  };
  static const std::array<std::string RequestRecord::*, kTexts> kTextMembers;
  static void pack(const RequestRecord& record, Packed& out);
  static RequestRecord unpack(const Packed& packed);
  void count_error(std::string_view code);
  void reset();

  mutable std::mutex mutex_;  ///< of all below
  std::array<std::unique_ptr<OpTotals>, kS3OpCount> totals_;
  std::vector<std::pair<std::string, uint64_t>> error_counts_;
  std::vector<Packed> ring_;  ///< grows up to kRingRecords
  size_t ring_next_ = 0;
  uint64_t recorded_ = 0;
};

/// Filter of /_mock/requests.
struct RequestFilter {
  size_t limit = 1000;    ///< the latest so many
  uint64_t since_ns = 0;  ///< start_ns of at least this
  bool errors_only = false;
  std::string op = {};  ///< empty: every operation
};

/// All counters of a server. Thread-safe.
class Metrics {
 public:
  explicit Metrics(size_t workers);

  WorkerMetrics& worker(size_t index) { return *workers_[index]; }
  size_t workers() const { return workers_.size(); }

  std::atomic<uint64_t> connections_open{0};
  std::atomic<uint64_t> connections_accepted{0};
  std::atomic<uint64_t> connections_refused{0};

  /// Installed by the server before the workers start: CPU seconds of each worker thread.
  std::function<std::vector<double>()> worker_cpu_seconds;

  uint64_t uptime_ns() const;  ///< the clock of RequestRecord::start_ns
  std::string stats_json() const;
  std::string requests_json(const RequestFilter& filter) const;
  /// Zeroes all counts and empties the request ring; uptime and connections stay.
  void reset();

  struct Totals {
    uint64_t bytes_in = 0, bytes_out = 0, requests = 0, errors = 0;
    std::array<uint64_t, kS3OpCount> op_requests{};
  };
  /// Live sums over workers since the start, not touched by reset().
  Totals totals() const;

 private:
  /// A request of the log and the worker that served it.
  using Logged = std::pair<size_t, RequestRecord>;
  struct Summary {
    uint64_t requests = 0;
    std::map<std::string, uint64_t> errors;
    std::array<WorkerMetrics::OpTotals, kS3OpCount> operations;
  };
  Summary summary() const;
  std::vector<Logged> select(const RequestFilter& filter, uint64_t& forgotten) const;
  std::pair<uint64_t, uint64_t> live_bytes() const;

  std::vector<std::unique_ptr<WorkerMetrics>> workers_;
  mutable std::mutex reset_mutex_;
  std::pair<uint64_t, uint64_t> bytes_at_reset_{0, 0};  ///< in, out
  uint64_t started_ns_;
};

}  // namespace mocks3::server
