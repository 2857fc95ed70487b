#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "client/sweep/plan.hpp"

using namespace mocks3;
using namespace mocks3::client;

namespace {

const Tool& some_tool() {
  static const Tool tool{"tool", true, {}, {}};
  return tool;
}

std::vector<SweepClient> two_clients() {
  return {{"native", nullptr, {}}, {"tool", &some_tool(), {"/bin/tool", "1"}}};
}

SweepPlan plan_of(const Options& options) {
  auto plan = make_plan(options, two_clients(), "sweep");
  REQUIRE(plan);
  return std::move(*plan);
}

Options small_options() {
  Options options;
  options.thread_counts = {1, 2};
  options.file_sets = {{4, 16 << 20}, {1, 5}};
  return options;
}

}  // namespace

TEST_CASE("a cell for each client, operation, thread count and file set") {
  const SweepPlan plan = plan_of(small_options());
  CHECK(plan.cells.size() == 2 * 2 * 2 * 2);
  std::set<std::string> labels;
  for (const Cell& cell : plan.cells) labels.insert(plan.label(cell));
  CHECK(labels.size() == plan.cells.size());
  CHECK(labels.count("tool get 4x16MiB threads=2") == 1);
  CHECK(plan.thread_counts() == std::vector<size_t>{1, 2});
  CHECK(plan.directions().size() == 2);
}

TEST_CASE("what is named twice is measured once") {
  Options options = small_options();
  options.thread_counts = {2, 2};
  options.file_sets = {{1, 5}, {1, 5}};
  options.ops = {"get", "get"};
  CHECK(plan_of(options).cells.size() == 2);
}

TEST_CASE("defaults of a full and of a quick run") {
  Options options;
  const SweepPlan full = plan_of(options);
  CHECK(full.thread_counts() == std::vector<size_t>{1, 2, 4, 8});
  CHECK(full.rounds == 6);
  CHECK_FALSE(full.budget);
  CHECK(full.largest_set(Direction::put) == 4098ULL << 20);
  options.quick = true;
  const SweepPlan quick = plan_of(options);
  CHECK(quick.thread_counts() == std::vector<size_t>{1, 2});
  CHECK(quick.rounds == 3);
  CHECK(quick.budget == std::chrono::seconds(100));
  options.repeat = 9;
  CHECK(plan_of(options).rounds == 9);
}

TEST_CASE("only tools need room for files") {
  auto plan = make_plan(small_options(), {{"native", nullptr, {}}}, "sweep");
  REQUIRE(plan);
  CHECK(plan->largest_set(Direction::put) == 0);
  CHECK_FALSE(plan->has_tools());
  Options options = small_options();
  options.ops = {"get"};
  CHECK(plan_of(options).largest_set(Direction::put) == 0);
  CHECK(plan_of(options).largest_set(Direction::get) == 64ULL << 20);
}

TEST_CASE("sets that cannot be made, and nothing to do, are errors") {
  Options options = small_options();
  options.file_sets = {{0, 5}};
  CHECK_FALSE(make_plan(options, two_clients(), "p"));
  options.file_sets = {{5, 0}};
  CHECK_FALSE(make_plan(options, two_clients(), "p"));
  options.file_sets = {{100'000'000, 1}};
  CHECK_FALSE(make_plan(options, two_clients(), "p"));
  CHECK_FALSE(make_plan(small_options(), {}, "p"));
}

TEST_CASE("each round has every cell once, in an order of its own that the seed gives") {
  std::vector<size_t> sorted(40);
  std::iota(sorted.begin(), sorted.end(), 0);
  std::set<std::vector<size_t>> orders;
  for (size_t round = 0; round < 5; ++round) {
    std::vector<size_t> order = round_order(40, 1, round);
    CHECK(order == round_order(40, 1, round));
    CHECK(order != round_order(40, 2, round));
    orders.insert(order);
    std::sort(order.begin(), order.end());
    CHECK(order == sorted);
  }
  CHECK(orders.size() == 5);
  CHECK(round_order(0, 1, 0).empty());
  CHECK(round_order(1, 1, 0) == std::vector<size_t>{0});
}

TEST_CASE("every cell comes first about as often as the others") {
  std::vector<int> first(4);
  for (size_t round = 0; round < 4000; ++round) ++first[round_order(4, 7, round)[0]];
  for (const int count : first) {
    CHECK(count > 850);
    CHECK(count < 1150);
  }
}

TEST_CASE("files are split as evenly as can be, none lost") {
  CHECK(split_files(4, 2) == std::vector<FileRange>{{0, 2}, {2, 2}});
  CHECK(split_files(5, 3) == std::vector<FileRange>{{0, 2}, {2, 2}, {4, 1}});
  CHECK(split_files(3, 3) == std::vector<FileRange>{{0, 1}, {1, 1}, {2, 1}});
  CHECK(split_files(7, 1) == std::vector<FileRange>{{0, 7}});
}

TEST_CASE("there are no more parts than files") {
  Cell cell;
  cell.threads = 8;
  cell.files = {3, 1};
  CHECK(cell.parts() == 3);
  cell.threads = 2;
  CHECK(cell.parts() == 2);
}

TEST_CASE("file names are those of the corpus") {
  CHECK(file_names({3, 5}) == std::vector<std::string>{"00", "01", "02"});
}

TEST_CASE("preloaded objects are those that downloads read") {
  Options options;
  options.ops = {"put", "get"};
  options.thread_counts = {2, 8};
  options.file_sets = {{3, 5 << 20}};
  const SweepPlan plan = plan_of(options);
  CHECK(preload_specs(plan) == std::vector<std::string>{
                                   "bench/sweep/get/3x5MiB/2/0/{00..01}:5MiB",
                                   "bench/sweep/get/3x5MiB/2/1/{02..02}:5MiB",
                                   "bench/sweep/get/3x5MiB/3/0/{00..00}:5MiB",
                                   "bench/sweep/get/3x5MiB/3/1/{01..01}:5MiB",
                                   "bench/sweep/get/3x5MiB/3/2/{02..02}:5MiB",
                               });
  options.ops = {"put"};
  CHECK(preload_specs(plan_of(options)).empty());
}

TEST_CASE("uploads of different cells, rounds and parts have prefixes of their own") {
  const SweepPlan plan = plan_of(small_options());
  std::set<std::string> prefixes;
  size_t count = 0;
  for (const Cell& cell : plan.cells) {
    if (cell.op != Direction::put) continue;
    for (size_t round = 0; round < 2; ++round) {
      for (size_t part = 0; part < cell.parts(); ++part) {
        prefixes.insert(put_prefix(plan, cell, round, part));
        ++count;
      }
    }
  }
  CHECK(prefixes.size() == count);
}
