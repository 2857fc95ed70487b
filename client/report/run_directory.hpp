#pragma once
#include <string>

#include "client/report/result_row.hpp"
#include "shared/util/result.hpp"

namespace mocks3::client {

/// Makes `out`, or where that is empty runs/<UTC time>-<name>/ below the working directory. Called
/// before anything is measured, so that an unwritable place is known early.
/// A directory that exists is used as it is. Error: a file is in its place, or it cannot be
/// written.
Result<std::string> make_run_directory(const std::string& out, const std::string& name);

/// Removes a run directory into which nothing was written, and an empty runs/ above it.
void discard_run_directory(const std::string& directory);

/// Writes run.json, table.md, bench.txt and samples.csv, each under a temporary name first, so that
/// none is ever seen half-written.
Status write_run(const std::string& directory, const RunReport& report);

/// The table and its legend as Markdown: the columns of the manual, numbers right-aligned, rows in
/// the order operation, file set, threads, client (clients in the order of `report.rows`).
std::string format_table(const RunReport& report);
/// The same for a terminal of `width` columns: Markdown where it fits, else with stacked headers,
/// else with each row on two lines. `colour`: warnings about the server itself are red.
std::string format_table(const RunReport& report, size_t width, bool colour);
/// For the standard output as it is: a terminal of some width, or a pipe or file (Markdown).
std::string format_table_for_stdout(const RunReport& report);

}  // namespace mocks3::client
