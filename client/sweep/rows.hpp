#pragma once
#include <string>
#include <vector>

#include "client/sweep/cell.hpp"
#include "client/sweep/plan.hpp"

namespace mocks3::client {

/// A cell's row: medians and spread of its good repeats and the verdict; failed or invalid where
/// one of them was. `ceiling` in bytes per second, 0 where it was not measured. REQUIRES a repeat
/// that is not interrupted.
ResultRow make_row(const SweepPlan& plan, const Cell& cell, const std::vector<Repeat>& repeats,
                   double ceiling, size_t host_cores);

/// What a reader of all rows should know: cells where other programs used this machine, threads
/// that are more than the files.
std::vector<std::string> row_notes(const SweepPlan& plan,
                                   const std::vector<std::vector<Repeat>>& repeats_of_cells,
                                   size_t host_cores, bool server_on_host);

}  // namespace mocks3::client
