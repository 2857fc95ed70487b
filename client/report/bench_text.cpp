#include "client/report/bench_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "client/report/table.hpp"
#include "client/report/text.hpp"
#include "shared/util/units.hpp"

namespace mocks3::client {
namespace {

constexpr std::array<std::string_view, 8> kMachineFacts = {
    "os", "kernel", "cpu", "cores", "governor", "tcp", "memory", "hostname"};

std::string header_lines(const RunReport& report) {
  std::string text;
  for (const auto& [name, value] : report.provenance) {
    const bool machine =
        std::find(kMachineFacts.begin(), kMachineFacts.end(), name) != kMachineFacts.end();
    text += fmt::format("{}{}: {}\n", machine ? "" : "# ", name, one_line(value));
  }
  for (const auto& [name, value] : report.settings) {
    text += fmt::format("# {}: {}\n", name, one_line(value));
  }
  if (report.partial) text += "# partial: the run was interrupted\n";
  return text;
}

/// Benchmark names hold no white space, and '/' separates their parts.
std::string name_part(std::string_view text) {
  std::string part(text);
  for (char& c : part) {
    if (std::isspace(static_cast<unsigned char>(c)) || c == '/') c = '_';
  }
  return part;
}

std::string benchmark_name(const RunReport& report, const ResultRow& row, std::string_view cores) {
  std::string run = name_part(report.name.empty() ? "run" : report.name);
  run[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(run[0])));
  return fmt::format("Benchmark{}/client={}/op={}/threads={}/files={}x{}-{}", run,
                     name_part(row.client), name_part(row.op), row.threads, row.files,
                     format_size_exact(row.file_size_bytes), cores);
}

std::string repeat_line(const std::string& name, const ResultRow& row, size_t repeat) {
  const double rate = row.rates[repeat];
  const double seconds = repeat < row.durations_s.size() ? row.durations_s[repeat]
                                                         : static_cast<double>(row.bytes) / rate;
  std::string line = fmt::format("{} 1 {:.0f} ns/op {:.2f} MB/s", name, seconds * 1e9, rate / 1e6);
  const double moved_gib = rate * seconds / static_cast<double>(kGiB);
  if (repeat < row.client_cpu_each_s.size()) {
    line += fmt::format(" {:.4f} client-cpu-s/GiB", row.client_cpu_each_s[repeat] / moved_gib);
  }
  if (repeat < row.server_cpu_each_s.size()) {
    line += fmt::format(" {:.4f} server-cpu-s/GiB", row.server_cpu_each_s[repeat] / moved_gib);
  }
  return line + "\n";
}

}  // namespace

std::string bench_text(const RunReport& report) {
  std::string text = header_lines(report);
  text +=
      "Unit ns/op better=lower\nUnit MB/s better=higher\n"
      "Unit client-cpu-s/GiB better=lower\nUnit server-cpu-s/GiB better=lower\n\n";
  const std::string cores = fact(report.provenance, "cores", "1");
  for (const ResultRow* row : rows_in_order(report)) {
    if (!row->valid) continue;
    const std::string name = benchmark_name(report, *row, cores);
    for (size_t repeat = 0; repeat < row->rates.size(); ++repeat) {
      if (row->rates[repeat] > 0) text += repeat_line(name, *row, repeat);
    }
  }
  return text;
}

}  // namespace mocks3::client
