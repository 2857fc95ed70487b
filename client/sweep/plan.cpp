#include "client/sweep/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "data-gen/corpus.hpp"
#include "shared/util/encode.hpp"
#include "shared/util/units.hpp"

namespace mocks3::client {
namespace {

constexpr size_t kQuickRounds = 3;
constexpr size_t kRounds = 6;  ///< the least that gives a 95 % interval
constexpr std::chrono::seconds kQuickBudget{100};

std::vector<FileSet> default_sets(bool quick) {
  if (quick) return {{8, 4 * kMiB}, {2, 64 * kMiB}};
  return {{32, 128 * kMiB}, {16, 256 * kMiB}, {8, 512 * kMiB},
          {4, 1024 * kMiB}, {2, 2048 * kMiB}, {1, 4098 * kMiB}};
}

std::vector<size_t> default_threads(bool quick) {
  return quick ? std::vector<size_t>{1, 2} : std::vector<size_t>{1, 2, 4, 8};
}

template <class T>
std::vector<T> without_repeats(const std::vector<T>& values) {
  std::vector<T> unique;
  for (const T& value : values) {
    if (std::find(unique.begin(), unique.end(), value) == unique.end()) unique.push_back(value);
  }
  return unique;
}

std::vector<FileSet> chosen_sets(const Options& options) {
  if (options.file_sets.empty()) return default_sets(options.quick);
  std::vector<FileSet> sets;
  std::set<std::string> seen;
  for (const FileSet& set : options.file_sets) {
    if (seen.insert(set.text()).second) sets.push_back(set);
  }
  return sets;
}

Status check_set(const FileSet& set) {
  if (set.count == 0 || set.size_bytes == 0) {
    return Error{
        fmt::format("--files {}: a set needs at least one file of at least one byte", set.text())};
  }
  const auto files = expand_set(set.text(), 0);
  if (!files) return Error{fmt::format("--files {}: {}", set.text(), files.error().message)};
  return ok_status();
}

void add_cells(const Options& options, const std::vector<FileSet>& sets, SweepPlan& plan) {
  const auto threads = options.thread_counts.empty() ? default_threads(options.quick)
                                                     : without_repeats(options.thread_counts);
  for (const std::string& op : without_repeats(options.ops)) {
    for (const FileSet& set : sets) {
      for (const size_t count : threads) {
        for (size_t client = 0; client < plan.clients.size(); ++client) {
          plan.cells.push_back({client, op == "put" ? Direction::put : Direction::get, count, set});
        }
      }
    }
  }
}

/// Uniform below `limit`, the same on every machine (std::shuffle is not).
uint64_t below(uint64_t limit, uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  return mix64(state) % limit;  // limit is tiny beside 2^64: the bias is too
}

}  // namespace

size_t Cell::parts() const { return static_cast<size_t>(std::min<uint64_t>(threads, files.count)); }

std::string Cell::op_name() const { return op == Direction::put ? "put" : "get"; }

bool SweepPlan::has_tools() const {
  return std::any_of(clients.begin(), clients.end(),
                     [](const SweepClient& client) { return client.tool != nullptr; });
}

uint64_t SweepPlan::largest_set(Direction op) const {
  uint64_t largest = 0;
  for (const Cell& cell : cells) {
    if (cell.op == op && clients[cell.client].tool != nullptr) {
      largest = std::max(largest, cell.bytes());
    }
  }
  return largest;
}

std::vector<size_t> SweepPlan::thread_counts() const {
  std::set<size_t> counts;
  for (const Cell& cell : cells) counts.insert(cell.threads);
  return {counts.begin(), counts.end()};
}

std::vector<Direction> SweepPlan::directions() const {
  std::vector<Direction> found;
  for (const Direction op : {Direction::put, Direction::get}) {
    if (std::any_of(cells.begin(), cells.end(), [&](const Cell& cell) { return cell.op == op; })) {
      found.push_back(op);
    }
  }
  return found;
}

std::string SweepPlan::label(const Cell& cell) const {
  return fmt::format("{} {} {} threads={}", clients[cell.client].name, cell.op_name(),
                     cell.files.text(), cell.threads);
}

Result<SweepPlan> make_plan(const Options& options, std::vector<SweepClient> clients,
                            const std::string& prefix) {
  SweepPlan plan;
  plan.clients = std::move(clients);
  plan.rounds = options.repeat > 0 ? options.repeat : (options.quick ? kQuickRounds : kRounds);
  if (options.quick) {
    plan.budget = kQuickBudget;
    plan.ceiling_time = std::chrono::milliseconds(400);
  }
  plan.seed = options.seed;
  plan.bucket = options.bucket;
  plan.prefix = prefix;
  plan.data_dir = options.data_dir;
  const std::vector<FileSet> sets = chosen_sets(options);
  for (const FileSet& set : sets) {
    if (Status checked = check_set(set); !checked) return checked.error();
  }
  add_cells(options, sets, plan);
  if (plan.cells.empty()) return Error{"nothing to measure: no client, operation or file set"};
  return plan;
}

std::vector<size_t> round_order(size_t cells, uint64_t seed, size_t round) {
  std::vector<size_t> order(cells);
  for (size_t i = 0; i < cells; ++i) order[i] = i;
  uint64_t state = mix64(seed ^ mix64(round + 1));
  for (size_t i = cells; i > 1; --i) std::swap(order[i - 1], order[below(i, state)]);
  return order;
}

std::vector<FileRange> split_files(uint64_t count, size_t parts) {
  std::vector<FileRange> ranges;
  uint64_t first = 0;
  for (size_t part = 0; part < parts; ++part) {
    const uint64_t length = count / parts + (part < count % parts ? 1 : 0);
    ranges.push_back({first, length});
    first += length;
  }
  return ranges;
}

std::vector<std::string> file_names(const FileSet& files) {
  std::vector<std::string> names;
  const auto specs = expand_set(files.text(), 0);
  if (!specs) return names;
  for (const FileSpec& file : *specs) names.push_back(file.name);
  return names;
}

std::string get_prefix(const SweepPlan& plan, const Cell& cell, size_t part) {
  return fmt::format("{}/get/{}/{}/{}", plan.prefix, cell.files.text(), cell.parts(), part);
}

std::string put_prefix(const SweepPlan& plan, const Cell& cell, size_t round, size_t part) {
  return fmt::format("{}/put/{}/{}/{}/{}/{}", plan.prefix, plan.clients[cell.client].name,
                     cell.files.text(), cell.threads, round, part);
}

std::vector<std::string> preload_specs(const SweepPlan& plan) {
  std::vector<std::string> specs;
  for (const Cell& cell : plan.cells) {
    if (cell.op != Direction::get) continue;
    const std::vector<std::string> names = file_names(cell.files);
    const std::vector<FileRange> ranges = split_files(cell.files.count, cell.parts());
    for (size_t part = 0; part < ranges.size(); ++part) {
      const uint64_t last = ranges[part].first + ranges[part].count - 1;
      specs.push_back(fmt::format("{}/{}/{{{}..{}}}:{}", plan.bucket, get_prefix(plan, cell, part),
                                  names[ranges[part].first], names[last],
                                  format_size_exact(cell.files.size_bytes)));
    }
  }
  return without_repeats(specs);
}

}  // namespace mocks3::client
