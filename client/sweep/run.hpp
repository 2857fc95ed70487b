#pragma once
#include <optional>
#include <string>
#include <vector>

#include "client/endpoint.hpp"
#include "client/report/progress.hpp"
#include "client/report/result_row.hpp"
#include "client/sweep/cell.hpp"
#include "client/sweep/monitor.hpp"
#include "client/sweep/plan.hpp"
#include "client/sweep/workspace.hpp"

namespace mocks3::client {

/// Where a sweep runs.
struct SweepTarget {
  Endpoint endpoint;
  bool private_server = false;  ///< preloaded for the plan, and gone afterwards
  bool server_stats = false;    ///< it has /_mock/stats
};

/// Ceilings, rounds of all cells in random order, ceilings again. Fills rows, samples, ceilings and
/// notes of `report`; what was asked for is left to the caller. Stops early, with what there is, on
/// an interrupt and where the plan's budget ends. Main thread only.
class Sweep {
 public:
  /// All arguments outlive the object. `workspace` may be null where no tool runs.
  Sweep(const SweepPlan& plan, const SweepTarget& target, Workspace* workspace, Progress& progress)
      : plan_(plan), target_(target), workspace_(workspace), progress_(progress) {}

  /// Error: the endpoint does not let us prepare it; nothing was measured.
  Status run(RunReport& report);

 private:
  using Seconds = double;

  Status prepare_objects();
  Status upload(const std::vector<std::string>& keys, uint64_t size);
  void remove_objects(RunReport& report);
  void run_rounds(RunReport& report);
  bool run_round(size_t round, Monitor& monitor);
  void measure_ceilings(bool before, RunReport& report);
  bool ceilings_wanted() const;
  double ceiling_of(const Cell& cell, const RunReport& report) const;
  void add_rows(RunReport& report) const;
  std::optional<Seconds> time_left(size_t done) const;
  Seconds elapsed() const;
  /// Whether another round like those before would end in time.
  bool round_fits() const;

  const SweepPlan& plan_;
  const SweepTarget& target_;
  Workspace* workspace_;
  Progress& progress_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Seconds ceilings_took_ = 0, rounds_began_ = 0, slowest_round_ = 0;
  size_t rounds_done_ = 0;
  std::vector<std::vector<Repeat>> repeats_;  ///< of each cell
  std::vector<std::string> uploaded_;         ///< keys to delete at the end
};

}  // namespace mocks3::client
