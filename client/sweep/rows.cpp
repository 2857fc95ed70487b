#include "client/sweep/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "client/stats/summary.hpp"
#include "client/stats/verdict.hpp"

namespace mocks3::client {
namespace {

using Outcome = Repeat::Outcome;

/// Other programs are mentioned from this share of the machine on.
constexpr double kForeignShare = 0.15;

std::vector<double> values_of(const std::vector<Repeat>& repeats,
                              const std::function<double(const Repeat&)>& value) {
  std::vector<double> values;
  for (const Repeat& repeat : repeats) values.push_back(value(repeat));
  return values;
}

/// Nothing where one of the repeats has none.
std::vector<double> known_values(const std::vector<Repeat>& repeats,
                                 std::optional<double> Repeat::*member) {
  std::vector<double> values;
  for (const Repeat& repeat : repeats) {
    if (!(repeat.*member)) return {};
    values.push_back(*(repeat.*member));
  }
  return values;
}

std::optional<double> known_median(const std::vector<Repeat>& repeats,
                                   std::optional<double> Repeat::*member) {
  std::vector<double> values = known_values(repeats, member);
  return values.empty() ? std::nullopt : std::optional(median(std::move(values)));
}

double rate(const Repeat& repeat) {
  return repeat.seconds > 0 ? static_cast<double>(repeat.bytes) / repeat.seconds : 0;
}

/// The repeat whose speed is nearest to the median: its requests stand for the row's.
const Repeat& typical(const std::vector<Repeat>& repeats, double median_rate) {
  return *std::min_element(repeats.begin(), repeats.end(), [&](const Repeat& a, const Repeat& b) {
    return std::abs(rate(a) - median_rate) < std::abs(rate(b) - median_rate);
  });
}

void name_row(const SweepPlan& plan, const Cell& cell, ResultRow& row) {
  const SweepClient& client = plan.clients[cell.client];
  row.client = client.name;
  row.client_version = client.found.version;
  row.op = cell.op_name();
  row.threads = cell.threads;
  row.files = cell.files.count;
  row.file_size_bytes = cell.files.size_bytes;
  row.bytes = cell.bytes();
}

void add_medians(const std::vector<Repeat>& good, ResultRow& row) {
  row.rates = values_of(good, rate);
  row.rate_bytes_per_s = summarize(row.rates);
  row.durations_s = values_of(good, [](const Repeat& repeat) { return repeat.seconds; });
  row.duration_s = median(row.durations_s);
  row.client_cpu_each_s = values_of(good, [](const Repeat& repeat) { return repeat.client_cpu_s; });
  row.client_cpu_s = median(row.client_cpu_each_s);
  row.server_cpu_each_s = known_values(good, &Repeat::server_cpu_s);
  row.server_cpu_s = known_median(good, &Repeat::server_cpu_s);
  row.requests = typical(good, row.rate_bytes_per_s.median).requests;
  for (const Repeat& repeat : good) {
    row.peak_rss_bytes = std::max(row.peak_rss_bytes, repeat.peak_rss_bytes);
    row.service_ns.merge(repeat.service_ns);
    row.ttfb_ns.merge(repeat.ttfb_ns);
  }
}

double core_limit(const SweepPlan& plan, const Cell& cell, size_t host_cores) {
  const Tool* tool = plan.clients[cell.client].tool;
  if (tool == nullptr) return static_cast<double>(cell.threads);
  return static_cast<double>(tool->one_core_each ? cell.parts() : host_cores);
}

std::string verdict_of(const SweepPlan& plan, const Cell& cell, const std::vector<Repeat>& good,
                       const ResultRow& row, size_t host_cores) {
  VerdictFacts facts;
  if (row.ceiling_bytes_per_s > 0) {
    facts.ceiling_ratio = row.rate_bytes_per_s.median / row.ceiling_bytes_per_s;
  }
  facts.spread = spread(row.rate_bytes_per_s);
  facts.client_cores = median(values_of(good, [](const Repeat& repeat) {
    return repeat.seconds > 0 ? repeat.client_cpu_s / repeat.seconds : 0;
  }));
  facts.client_core_limit = core_limit(plan, cell, host_cores);
  facts.host_cores = host_cores;
  facts.host_busy = known_median(good, &Repeat::host_busy);
  facts.server_worker = known_median(good, &Repeat::server_worker);
  return std::string(verdict_text(judge(facts)));
}

/// Cores' worth of work on this machine that neither client nor server did.
double foreign_cores(const Repeat& repeat, size_t host_cores, bool server_on_host) {
  if (!repeat.host_busy || repeat.seconds < 0.5) return 0;  // too short for the kernel's ticks
  if (server_on_host && !repeat.server_cpu_s) return 0;
  const double own = repeat.client_cpu_s + (server_on_host ? repeat.server_cpu_s.value_or(0) : 0);
  return *repeat.host_busy * static_cast<double>(host_cores) - own / repeat.seconds;
}

void note_foreign_load(const std::vector<std::vector<Repeat>>& repeats_of_cells, size_t host_cores,
                       bool server_on_host, std::vector<std::string>& notes) {
  std::vector<double> cores;
  for (const auto& repeats : repeats_of_cells) {
    for (const Repeat& repeat : repeats) {
      if (repeat.outcome == Outcome::good && repeat.host_busy && repeat.seconds >= 0.5) {
        cores.push_back(foreign_cores(repeat, host_cores, server_on_host));
      }
    }
  }
  const double typical_cores = median(cores);
  if (typical_cores < kForeignShare * static_cast<double>(host_cores)) return;
  notes.push_back(fmt::format(
      "Warning: other programs kept {:.1f} of this machine's {} cores busy meanwhile; the speeds "
      "are those of a busy machine.",
      typical_cores, host_cores));
}

void note_few_files(const SweepPlan& plan, std::vector<std::string>& notes) {
  std::set<std::string> sets;
  for (const Cell& cell : plan.cells) {
    if (plan.clients[cell.client].tool != nullptr && cell.parts() < cell.threads) {
      sets.insert(cell.files.text());
    }
  }
  if (sets.empty()) return;
  notes.push_back(fmt::format("With more threads than files a tool ran one process per file: {}.",
                              fmt::join(sets, ", ")));
}

}  // namespace

ResultRow make_row(const SweepPlan& plan, const Cell& cell, const std::vector<Repeat>& repeats,
                   double ceiling, size_t host_cores) {
  ResultRow row;
  name_row(plan, cell, row);
  row.ceiling_bytes_per_s = ceiling;
  std::vector<Repeat> good;
  for (const Repeat& repeat : repeats) {
    if (row.command.empty()) row.command = repeat.command;
    if (repeat.outcome == Outcome::good) good.push_back(repeat);
    if (repeat.outcome != Outcome::failed && repeat.outcome != Outcome::invalid) continue;
    if (row.valid) row.why_invalid = repeat.why;
    row.valid = false;
    row.failed = row.failed || repeat.outcome == Outcome::failed;
  }
  if (good.empty()) return row;
  add_medians(good, row);
  if (row.valid) row.verdict = verdict_of(plan, cell, good, row, host_cores);
  return row;
}

std::vector<std::string> row_notes(const SweepPlan& plan,
                                   const std::vector<std::vector<Repeat>>& repeats_of_cells,
                                   size_t host_cores, bool server_on_host) {
  std::vector<std::string> notes;
  note_few_files(plan, notes);
  note_foreign_load(repeats_of_cells, host_cores, server_on_host, notes);
  return notes;
}

}  // namespace mocks3::client
