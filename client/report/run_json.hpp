#pragma once
#include <string>

#include "client/report/result_row.hpp"

namespace mocks3::client {

/// run.json, schema 1: settings, provenance and every result; names are those of the manual.
/// What was not measured is null.
std::string run_json(const RunReport& report);

}  // namespace mocks3::client
