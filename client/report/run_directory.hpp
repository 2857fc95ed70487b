#pragma once
#include <string>

#include "client/report/result_row.hpp"
#include "shared/util/result.hpp"

namespace mocks3::client {

/// Makes `out`, or where that is empty runs/<UTC time>-<name>/ below the working directory. Called
/// before anything is measured, so that an unwritable place is known early.
Result<std::string> make_run_directory(const std::string& out, const std::string& name);

/// Writes run.json, table.md, bench.txt and samples.csv.
Status write_run(const std::string& directory, const RunReport& report);

/// The table of the terminal (Markdown too): the columns of the manual, numbers right-aligned.
std::string format_table(const RunReport& report);

}  // namespace mocks3::client
