#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
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

/// One finished request, as /_mock/requests and the access log show it. Text fields are cut to
/// 1024 bytes (user agent: 256).
struct RequestRecord {
  uint64_t start_ns = 0;     ///< steady clock, since the server started; the head was complete
  uint64_t ttfb_ns = 0;      ///< start to the first response byte handed to the kernel
  uint64_t duration_ns = 0;  ///< start to the last response byte handed to the kernel
  uint64_t connection_id = 0;
  S3Op op = S3Op::Unsupported;
  unsigned status = 0;
  uint64_t bytes_in = 0;   ///< payload, without framing
  uint64_t bytes_out = 0;  ///< body
  uint32_t part_number = 0;
  bool completed = false;  ///< the whole response was handed to the kernel
  bool expect_continue = false;
  bool content_md5 = false;
  std::string method, bucket, key, error_code, range, upload_id, content_sha256, framing,
      checksums, user_agent, request_id;
};

/// Counters of one worker. Bytes may be added only by its thread; record() too.
class WorkerMetrics {
 public:
  static constexpr size_t kRingRecords = 8192;

  /// Live payload counters, also of transfers that are under way.
  Counter bytes_in;
  Counter bytes_out;
  Counter requests;
  std::array<Counter, kS3OpCount> op_requests;

  void record(RequestRecord&& record);

 private:
  friend class Metrics;
  struct OpTotals {
    uint64_t count = 0, errors = 0, bytes_in = 0, bytes_out = 0;
    Histogram latency{5};
  };
  std::mutex mutex_;
  std::array<std::unique_ptr<OpTotals>, kS3OpCount> totals_;
  std::vector<std::pair<std::string, uint64_t>> error_counts_;
  std::vector<RequestRecord> ring_;
  size_t ring_next_ = 0;
  uint64_t recorded_ = 0;
};

/// Filter of /_mock/requests.
struct RequestFilter {
  size_t limit = 1000;    ///< the latest so many
  uint64_t since_ns = 0;  ///< start_ns of at least this
  bool errors_only = false;
  std::string op;         ///< empty: every operation
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

  /// Installed by the server: CPU seconds of each worker thread.
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
  std::vector<std::unique_ptr<WorkerMetrics>> workers_;
  std::vector<uint64_t> reset_bytes_;
  uint64_t started_ns_;
};

}  // namespace mocks3::server
