#include "client/load_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "client/stats/summary.hpp"
#include "client/stats/verdict.hpp"
#include "shared/util/process_usage.hpp"
#include "shared/util/version.hpp"

namespace mocks3::client {
namespace {

using Repeats = std::vector<LoadRepeat>;

std::vector<double> values_of(const Repeats& repeats,
                              const std::function<double(const LoadRepeat&)>& value) {
  std::vector<double> values;
  for (const LoadRepeat& repeat : repeats) values.push_back(value(repeat));
  return values;
}

double rate(const LoadRepeat& repeat) {
  return repeat.load.seconds > 0 ? static_cast<double>(repeat.load.bytes) / repeat.load.seconds : 0;
}

/// The repeat whose rate is nearest to the median: its counts stand for the row's.
const LoadRepeat& typical(const Repeats& repeats, double median_rate) {
  return *std::min_element(
      repeats.begin(), repeats.end(), [&](const LoadRepeat& a, const LoadRepeat& b) {
        return std::abs(rate(a) - median_rate) < std::abs(rate(b) - median_rate);
      });
}

bool has_stats(const Repeats& repeats) {
  return std::all_of(repeats.begin(), repeats.end(),
                     [](const LoadRepeat& repeat) { return repeat.before && repeat.after; });
}

double server_cpu(const LoadRepeat& repeat) { return repeat.after->cpu_s - repeat.before->cpu_s; }

/// Share of the time that the busiest worker was busy.
double busiest_worker(const LoadRepeat& repeat) {
  const auto& before = repeat.before->worker_cpu_s;
  const auto& after = repeat.after->worker_cpu_s;
  double most = 0;
  for (size_t i = 0; i < std::min(before.size(), after.size()); ++i)
    most = std::max(most, after[i] - before[i]);
  return repeat.load.seconds > 0 ? most / repeat.load.seconds : 0;
}

void add_server(const Repeats& repeats, const LoadRepeat& shown, ResultRow& row) {
  row.requests = shown.load.requests;
  if (!has_stats(repeats)) return;
  row.requests = new_requests(*shown.before, *shown.after);
  row.server_cpu_each_s = values_of(repeats, server_cpu);
  row.server_cpu_s = median(row.server_cpu_each_s);
}

void add_figures(const Repeats& repeats, ResultRow& row) {
  row.rates = values_of(repeats, rate);
  row.rate_bytes_per_s = summarize(row.rates);
  row.durations_s = values_of(repeats, [](const LoadRepeat& r) { return r.load.seconds; });
  row.duration_s = median(row.durations_s);
  row.client_cpu_each_s =
      values_of(repeats, [](const LoadRepeat& r) { return r.load.cpu_seconds; });
  row.client_cpu_s = median(row.client_cpu_each_s);
  row.peak_rss_bytes = own_usage().peak_rss_bytes;
  const LoadRepeat& shown = typical(repeats, row.rate_bytes_per_s.median);
  row.files = shown.load.objects;
  row.bytes = shown.load.bytes;
  add_server(repeats, shown, row);
  for (const LoadRepeat& repeat : repeats) {
    row.service_ns.merge(repeat.load.service_ns);
    row.ttfb_ns.merge(repeat.load.ttfb_ns);
  }
}

std::string verdict_of(const LoadPlan& plan, const Repeats& repeats, const ResultRow& row,
                       size_t host_cores) {
  VerdictFacts facts;
  if (row.ceiling_bytes_per_s > 0)
    facts.ceiling_ratio = row.rate_bytes_per_s.median / row.ceiling_bytes_per_s;
  facts.spread = spread(row.rate_bytes_per_s);
  facts.client_cores = median(values_of(repeats, [](const LoadRepeat& r) {
    return r.load.seconds > 0 ? r.load.cpu_seconds / r.load.seconds : 0;
  }));
  facts.client_core_limit = static_cast<double>(plan.spec.threads);
  facts.host_cores = host_cores;
  const bool host_known = std::all_of(repeats.begin(), repeats.end(),
                                      [](const LoadRepeat& r) { return r.host_busy.has_value(); });
  if (host_known)
    facts.host_busy = median(values_of(repeats, [](const LoadRepeat& r) { return *r.host_busy; }));
  if (has_stats(repeats)) facts.server_worker = median(values_of(repeats, busiest_worker));
  return std::string(verdict_text(judge(facts)));
}

}  // namespace

uint64_t server_bytes(Direction op, const ServerStats& before, const ServerStats& after) {
  return op == Direction::put ? after.good_bytes_in - before.good_bytes_in
                              : after.good_bytes_out - before.good_bytes_out;
}

std::map<std::string, uint64_t> new_requests(const ServerStats& before, const ServerStats& after) {
  std::map<std::string, uint64_t> requests;
  for (const auto& [op, count] : after.requests) {
    const auto old = before.requests.find(op);
    const uint64_t known = old == before.requests.end() ? 0 : old->second;
    if (count > known) requests[op] = count - known;
  }
  return requests;
}

std::string error_counts(const LoadResult& load) {
  std::vector<std::string> parts;
  for (const auto& [what, count] : load.errors) parts.push_back(fmt::format("{} {}", what, count));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string fault_of(Direction op, const LoadRepeat& repeat) {
  const LoadResult& load = repeat.load;
  if (!load.gave_up.empty()) return load.gave_up;
  if (!load.errors.empty()) return "failed requests: " + error_counts(load);
  if (load.service_ns.count() == 0)
    return load.interrupted ? "interrupted before a request ended" : "no request succeeded";
  if (load.interrupted) return {};
  if (!repeat.before || !repeat.after) return {};
  const uint64_t counted = server_bytes(op, *repeat.before, *repeat.after);
  if (counted == load.bytes) return {};
  return fmt::format("the client counted {} bytes, the server {}", load.bytes, counted);
}

ResultRow make_load_row(const LoadPlan& plan, const Repeats& repeats, double ceiling,
                        size_t host_cores) {
  ResultRow row;
  row.client = "native";
  row.client_version = version();
  row.op = plan.op_name();
  row.threads = plan.spec.threads;
  row.file_size_bytes = plan.spec.objects.front().size;
  row.ceiling_bytes_per_s = ceiling;
  add_figures(repeats, row);
  for (const LoadRepeat& repeat : repeats) {
    row.why_invalid = fault_of(plan.spec.op, repeat);
    if (!row.why_invalid.empty()) break;
  }
  row.valid = row.why_invalid.empty();
  if (row.valid) row.verdict = verdict_of(plan, repeats, row, host_cores);
  return row;
}

}  // namespace mocks3::client
