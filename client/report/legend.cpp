#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "client/report/table.hpp"
#include "client/report/text.hpp"
#include "client/stats/verdict.hpp"
#include "shared/util/units.hpp"

namespace mocks3::client {
namespace {

constexpr double kCeilingTolerance = 0.02;

double mib_per_s(double bytes_per_s) { return bytes_per_s / static_cast<double>(kMiB); }

double difference(const CeilingPair& pair) {
  if (pair.after_bytes_per_s <= 0 || pair.mean() <= 0) return 0;
  return std::abs(pair.after_bytes_per_s - pair.before_bytes_per_s) / pair.mean();
}

std::string ceiling_text(const CeilingPair& pair) {
  std::string text = fmt::format("{} {} stream{} {:.0f}", pair.op, pair.streams,
                                 pair.streams == 1 ? "" : "s", mib_per_s(pair.mean()));
  if (pair.after_bytes_per_s > 0) {
    text += fmt::format(" ({:.0f} before, {:.0f} after)", mib_per_s(pair.before_bytes_per_s),
                        mib_per_s(pair.after_bytes_per_s));
  }
  return text;
}

void add_ceilings(const RunReport& report, std::vector<std::string>& lines) {
  if (report.ceilings.empty()) return;
  std::string text = "Ceiling: raw TCP on this machine, MiB/s: ";
  const CeilingPair* worst = &report.ceilings.front();
  for (const CeilingPair& pair : report.ceilings) {
    if (&pair != &report.ceilings.front()) text += "; ";
    text += ceiling_text(pair);
    if (difference(pair) > difference(*worst)) worst = &pair;
  }
  lines.push_back(text + ".");
  if (difference(*worst) <= kCeilingTolerance) return;
  lines.push_back(fmt::format(
      "Warning: a ceiling changed by {:.0f} % during the run ({}, streams {}): the machine was not "
      "quiet, so take % of ceiling with that tolerance.",
      100 * difference(*worst), worst->op, worst->streams));
}

bool good(const ResultRow& row) { return row.valid && !row.failed; }

void add_marks(const RunReport& report, std::vector<std::string>& lines) {
  const auto any = [&](auto test) {
    return std::any_of(report.rows.begin(), report.rows.end(), test);
  };
  if (any([](const ResultRow& row) { return good(row) && row.rate_bytes_per_s.n >= 6; })) {
    lines.emplace_back(
        "± CI: 95 % confidence interval of the median speed, distribution-free, MiB/s.");
  }
  if (any([](const ResultRow& row) { return good(row) && row.rate_bytes_per_s.n < 6; })) {
    lines.emplace_back("± CI with n=: fewer than 6 repeats, so smallest..largest speed, MiB/s.");
  }
  if (any([](const ResultRow& row) {
        return good(row) && row.ceiling_bytes_per_s > 0 &&
               row.rate_bytes_per_s.median > row.ceiling_bytes_per_s;
      })) {
    lines.emplace_back(
        "!: above the raw ceiling. No payload can outrun the path for long: the ceiling was "
        "measured "
        "in a worse moment, or the row is too short.");
  }
}

void add_reasons(const RunReport& report, std::vector<std::string>& lines) {
  for (const ResultRow* row : rows_in_order(report)) {
    if (good(*row)) continue;
    lines.push_back(fmt::format("{} {} {}x{} threads={}: {}: {}", row->client, row->op, row->files,
                                format_size_exact(row->file_size_bytes), row->threads,
                                row->failed ? "failed" : "invalid", one_line(row->why_invalid)));
  }
}

}  // namespace

std::vector<std::string> legend_lines(const RunReport& report) {
  std::vector<std::string> lines;
  if (report.partial)
    lines.emplace_back("Partial: the run was interrupted; this is what there is.");
  add_reasons(report, lines);
  add_ceilings(report, lines);
  add_marks(report, lines);
  for (const std::string& note : report.notes) lines.push_back(one_line(note));
  std::string provenance;
  for (const char* name :
       {"date", "version", "compiler", "build_flags", "kernel", "cpu", "cores", "tcp"}) {
    const std::string value = fact(report.provenance, name, "");
    if (value.empty()) continue;
    provenance += fmt::format("{}{} {}", provenance.empty() ? "" : ", ", name, one_line(value));
  }
  if (!provenance.empty()) lines.emplace_back("Provenance: " + provenance + ".");
  return lines;
}

std::vector<std::string> alarm_lines(const RunReport& report) {
  const auto count =
      std::count_if(report.rows.begin(), report.rows.end(), [](const ResultRow& row) {
        return good(row) && row.verdict == verdict_text(Verdict::server_cpu);
      });
  if (count == 0) return {};
  return {fmt::format(
      "THE MOCK WAS MEASURED: in {} row{} a server worker was the bottleneck, not the client. "
      "Those speeds say nothing about the client; give the server more --workers or cores.",
      count, count == 1 ? "" : "s")};
}

}  // namespace mocks3::client
