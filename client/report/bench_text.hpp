#pragma once
#include <string>

#include "client/report/result_row.hpp"

namespace mocks3::client {

/// Go benchmark text (golang.org/design/14313-benchmark-format): a line per repeat of each valid
/// row. Facts of the machine are configuration lines, by which benchstat separates tables; the
/// date, the versions and the settings are comments, so that two runs can be compared.
std::string bench_text(const RunReport& report);

}  // namespace mocks3::client
