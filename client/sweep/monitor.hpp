#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "client/endpoint.hpp"
#include "client/engine/load.hpp"
#include "client/report/progress.hpp"
#include "client/report/result_row.hpp"
#include "client/server_stats.hpp"

namespace mocks3::client {

/// Takes a sample of the server's and the native client's counters each second while a cell runs,
/// in a thread of its own, and keeps the progress line up to date. All methods are for one thread,
/// the one that runs the cells.
class Monitor {
 public:
  /// Where `with_stats`, the counters are those of /_mock/stats of `endpoint`.
  Monitor(Progress& progress, Endpoint endpoint, bool with_stats);
  ~Monitor();
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  /// Samples from here on belong to `cell` and count from `before`. `load` is of the native client
  /// and must live until end(); nullptr for tools.
  void begin(const std::string& cell, const std::optional<ServerStats>& before,
             const LoadProgress* load);
  /// The last sample of the cell: what is left up to `after`.
  void end(const std::optional<ServerStats>& after);
  /// Shown with the rate; seconds from now.
  void set_time_left(std::optional<double> seconds);

  std::vector<Sample> take_samples();

 private:
  struct Counters {
    uint64_t client_bytes = 0, server_in = 0, server_out = 0;
    double server_cpu_s = 0;
  };

  void run();
  void take_sample(const std::optional<ServerStats>& stats);
  Counters counters(const std::optional<ServerStats>& stats) const;
  double now_s() const;

  Progress& progress_;
  const Endpoint endpoint_;
  const bool with_stats_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();

  std::mutex mutex_;  ///< of all below, held while a sample is taken
  std::condition_variable changed_;
  bool active_ = false, stop_ = false;
  std::string cell_;
  const LoadProgress* load_ = nullptr;
  Counters last_;
  double last_time_s_ = 0;
  std::optional<double> time_left_at_s_;
  std::vector<Sample> samples_;
  std::thread thread_;
};

}  // namespace mocks3::client
