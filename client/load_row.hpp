#pragma once
#include <optional>
#include <string>
#include <vector>

#include "client/engine/load.hpp"
#include "client/load_plan.hpp"
#include "client/report/result_row.hpp"
#include "client/server_stats.hpp"

namespace mocks3::client {

/// One measured run of a plan, and what was read around it.
struct LoadRepeat {
  LoadResult load;
  std::optional<ServerStats> before, after;  ///< both or none
  std::optional<double> host_busy;           ///< share of this machine's cores
};

/// Payload bytes of successful requests in the plan's direction, by the server's count.
uint64_t server_bytes(Direction op, const ServerStats& before, const ServerStats& after);
/// By operation; operations without a new request are left out.
std::map<std::string, uint64_t> new_requests(const ServerStats& before, const ServerStats& after);

/// Why the repeat cannot stand: failed requests, no successful one, or client and server that
/// count different bytes (which they may where it was interrupted). Empty where it can.
std::string fault_of(Direction op, const LoadRepeat& repeat);

/// "503 SlowDown 12, reset 1"
std::string error_counts(const LoadResult& load);

/// Medians over the repeats; the first fault makes it invalid. `ceiling` in bytes per second, 0
/// where it was not measured. REQUIRES at least one repeat.
ResultRow make_load_row(const LoadPlan& plan, const std::vector<LoadRepeat>& repeats,
                        double ceiling, size_t host_cores);

}  // namespace mocks3::client
