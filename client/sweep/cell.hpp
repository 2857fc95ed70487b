#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client/endpoint.hpp"
#include "client/sweep/monitor.hpp"
#include "client/sweep/plan.hpp"
#include "client/sweep/workspace.hpp"

namespace mocks3::client {

/// One run of a cell.
struct Repeat {
  enum class Outcome { good, invalid, failed, interrupted };
  Outcome outcome = Outcome::good;
  std::string why;                   ///< one line, where it is not good
  std::vector<std::string> details;  ///< the client's own words, and the server's

  uint64_t bytes = 0;  ///< moved, by the client's count
  double seconds = 0;  ///< tools: start to end of the processes; native: of the transfers
  double client_cpu_s = 0;
  uint64_t peak_rss_bytes = 0;
  std::optional<double> host_busy;      ///< share of this machine's cores
  std::optional<double> server_cpu_s;   ///< nothing where the server does not say; so for:
  std::optional<double> server_worker;  ///< share of the time that the busiest worker was busy
  std::map<std::string, uint64_t> requests;
  Histogram service_ns, ttfb_ns;  ///< native only
  std::vector<std::string> command;
};

/// What the cells of a run have in common; everything lives longer than the run.
struct CellContext {
  const SweepPlan& plan;
  const Endpoint& endpoint;
  bool server_stats = false;       ///< the endpoint has /_mock/stats
  bool clean_up = false;           ///< delete from the server what a cell uploaded
  Workspace* workspace = nullptr;  ///< REQUIRED where the plan has tools
  Monitor& monitor;
};

/// Runs the cell once: prepares files, reads the server's counters before and after, checks that
/// client and server count the same bytes, and removes what it made. Main thread only.
Repeat run_cell(const CellContext& context, const Cell& cell, size_t round);

/// What one repeat says that bytes and counters are; sets `repeat` invalid where client and server
/// differ. A pure function. `expected` bytes are what the cell moves.
void compare_bytes(uint64_t expected, std::optional<uint64_t> server_bytes, Repeat& repeat);

}  // namespace mocks3::client
