#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "client/report/table.hpp"
#include "client/report/text.hpp"
#include "shared/util/units.hpp"

namespace mocks3::client {
namespace {

constexpr size_t kLongestReason = 100;

std::string number(double value, int decimals) { return fmt::format("{:.{}f}", value, decimals); }

/// Rates and sizes: three digits or more, never more than needed to tell rows apart.
std::string mib(double bytes) {
  const double value = bytes / static_cast<double>(kMiB);
  if (value >= 100 || value == static_cast<double>(static_cast<uint64_t>(value))) {
    return number(value, 0);
  }
  return number(value, value >= 1 ? 1 : 3);
}

std::string seconds(double value) { return number(value, value < 1 ? 3 : 2); }

std::string ceiling_share(const ResultRow& row) {
  if (row.ceiling_bytes_per_s <= 0) return "-";
  const double percent = 100 * row.rate_bytes_per_s.median / row.ceiling_bytes_per_s;
  return number(percent, percent < 10 ? 1 : 0) + (percent > 100 ? "!" : "");
}

std::string interval(const Summary& rate) {
  std::string text = mib(rate.low) + ".." + mib(rate.high);
  return rate.n < 6 ? fmt::format("{} n={}", text, rate.n) : text;
}

std::string cpu_per_gib(const ResultRow& row, std::optional<double> cpu_seconds) {
  if (!cpu_seconds || row.bytes == 0) return "-";
  return number(*cpu_seconds * static_cast<double>(kGiB) / static_cast<double>(row.bytes), 2);
}

std::string request_count(const ResultRow& row) {
  if (row.requests.empty()) return "-";
  uint64_t total = 0;
  for (const auto& [op, count] : row.requests) total += count;
  return fmt::format("{}", total);
}

std::string verdict_cell(const ResultRow& row) {
  if (row.failed) return "failed";
  if (row.valid) return row.verdict.empty() ? "-" : row.verdict;
  return "INVALID: " + shortened(one_line(row.why_invalid), kLongestReason);
}

int op_rank(const std::string& op) {
  if (op == "put") return 0;
  return op == "get" ? 1 : 2;
}

auto order_key(const ResultRow& row) {
  return std::make_tuple(op_rank(row.op), row.file_size_bytes, row.files, row.threads);
}

}  // namespace

const std::vector<TableColumn>& table_columns() {
  static const std::vector<TableColumn> columns = {{"Client", false},
                                                   {"Threads"},
                                                   {"Files"},
                                                   {"FileSize (MiB)"},
                                                   {"TotalTransferred (MiB)"},
                                                   {"Duration (s)"},
                                                   {"Speed (MiB/s)"},
                                                   {"Op", false},
                                                   {"% of ceiling"},
                                                   {"± CI"},
                                                   {"Client CPU s/GiB"},
                                                   {"Server CPU s/GiB"},
                                                   {"Requests"},
                                                   {"Verdict", false}};
  return columns;
}

std::vector<std::string> table_cells(const ResultRow& row) {
  const bool good = row.valid && !row.failed;
  const auto figure = [good](std::string text) { return good ? std::move(text) : "-"; };
  return {row.client,
          fmt::format("{}", row.threads),
          fmt::format("{}", row.files),
          mib(static_cast<double>(row.file_size_bytes)),
          mib(static_cast<double>(row.bytes)),
          figure(seconds(row.duration_s)),
          figure(mib(row.rate_bytes_per_s.median)),
          row.op,
          figure(ceiling_share(row)),
          figure(interval(row.rate_bytes_per_s)),
          figure(cpu_per_gib(row, row.client_cpu_s)),
          figure(cpu_per_gib(row, row.server_cpu_s)),
          figure(request_count(row)),
          verdict_cell(row)};
}

std::vector<const ResultRow*> rows_in_order(const RunReport& report) {
  std::vector<const ResultRow*> rows;
  for (const ResultRow& row : report.rows) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [](const ResultRow* a, const ResultRow* b) {
    return order_key(*a) < order_key(*b);
  });
  return rows;
}

}  // namespace mocks3::client
