#pragma once
#include <string>

#include "client/report/result_row.hpp"

namespace mocks3::client {

/// samples.csv: provenance as lines that begin with '#', a header line, then a line per second.
std::string samples_csv(const RunReport& report);

}  // namespace mocks3::client
