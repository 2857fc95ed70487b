#include <doctest/doctest.h>

#include "client/sweep/rows.hpp"

using namespace mocks3;
using namespace mocks3::client;

namespace {

const Tool& python_tool() {
  static const Tool tool{"tool", true, {}, {}};
  return tool;
}

SweepPlan plan_with(size_t threads) {
  Options options;
  options.thread_counts = {threads};
  options.file_sets = {{4, 25'000'000}};
  options.ops = {"put"};
  auto plan = make_plan(
      options, {{"native", nullptr, {}}, {"tool", &python_tool(), {"/bin/tool", "3.2"}}}, "p");
  REQUIRE(plan);
  return std::move(*plan);
}

Repeat repeat_of(double seconds) {
  Repeat repeat;
  repeat.bytes = 100'000'000;
  repeat.seconds = seconds;
  repeat.client_cpu_s = 0.5 * seconds;
  repeat.server_cpu_s = 0.1 * seconds;
  repeat.server_worker = 0.1;
  repeat.host_busy = 0.3;
  repeat.peak_rss_bytes = 1000;
  repeat.requests = {{"PutObject", static_cast<uint64_t>(seconds * 10)}};
  return repeat;
}

const Cell& tool_cell(const SweepPlan& plan) { return plan.cells.at(1); }

}  // namespace

TEST_CASE("medians, spread and the typical repeat's requests") {
  const SweepPlan plan = plan_with(1);
  const ResultRow row =
      make_row(plan, tool_cell(plan), {repeat_of(1), repeat_of(2), repeat_of(4)}, 200e6, 2);
  CHECK(row.client == "tool");
  CHECK(row.client_version == "3.2");
  CHECK(row.op == "put");
  CHECK(row.bytes == 100'000'000);
  CHECK(row.rate_bytes_per_s.median == 50e6);
  CHECK(row.rate_bytes_per_s.low == 25e6);
  CHECK(row.rate_bytes_per_s.high == 100e6);
  CHECK(row.rate_bytes_per_s.n == 3);
  CHECK(row.duration_s == 2);
  CHECK(row.client_cpu_s == 1);
  CHECK(row.server_cpu_s == doctest::Approx(0.2));
  CHECK(row.requests.at("PutObject") == 20);
  CHECK(row.ceiling_bytes_per_s == 200e6);
  CHECK(row.verdict == "noisy");
  CHECK(row.valid);
}

TEST_CASE("the verdict knows how many cores a client can use") {
  const SweepPlan plan = plan_with(2);
  std::vector<Repeat> repeats(3, repeat_of(1));
  for (Repeat& repeat : repeats) repeat.client_cpu_s = 1.85;
  // Two Python processes, one core each.
  CHECK(make_row(plan, tool_cell(plan), repeats, 1e9, 8).verdict == "client CPU");
  for (Repeat& repeat : repeats) repeat.client_cpu_s = 1.0;
  CHECK(make_row(plan, tool_cell(plan), repeats, 1e9, 8).verdict == "latency/concurrency");
  for (Repeat& repeat : repeats) repeat.server_worker = 0.99;
  CHECK(make_row(plan, tool_cell(plan), repeats, 1e9, 8).verdict == "server CPU");
  CHECK(make_row(plan, tool_cell(plan), repeats, 105e6, 8).verdict == "path");
  // Without a ceiling nothing is known to fill the path.
  CHECK(make_row(plan, tool_cell(plan), repeats, 0, 8).verdict == "server CPU");
}

TEST_CASE("one bad repeat makes the row bad, whatever the others did") {
  const SweepPlan plan = plan_with(1);
  std::vector<Repeat> repeats(3, repeat_of(1));
  repeats[1].outcome = Repeat::Outcome::invalid;
  repeats[1].why = "client 1 bytes, server 2 bytes";
  ResultRow row = make_row(plan, tool_cell(plan), repeats, 1e9, 2);
  CHECK_FALSE(row.valid);
  CHECK_FALSE(row.failed);
  CHECK(row.why_invalid == "client 1 bytes, server 2 bytes");
  CHECK(row.verdict.empty());
  repeats[2].outcome = Repeat::Outcome::failed;
  row = make_row(plan, tool_cell(plan), repeats, 1e9, 2);
  CHECK(row.failed);
}

TEST_CASE("a row with nothing but failures has no figures") {
  const SweepPlan plan = plan_with(1);
  Repeat repeat;
  repeat.outcome = Repeat::Outcome::failed;
  repeat.why = "exit status 1: boom";
  const ResultRow row = make_row(plan, tool_cell(plan), {repeat}, 1e9, 2);
  CHECK(row.failed);
  CHECK(row.why_invalid == "exit status 1: boom");
  CHECK(row.rate_bytes_per_s.n == 0);
  CHECK(row.rates.empty());
}

TEST_CASE("server columns are absent where one repeat lacks them") {
  const SweepPlan plan = plan_with(1);
  std::vector<Repeat> repeats(2, repeat_of(1));
  repeats[1].server_cpu_s.reset();
  const ResultRow row = make_row(plan, tool_cell(plan), repeats, 1e9, 2);
  CHECK_FALSE(row.server_cpu_s);
  CHECK(row.server_cpu_each_s.empty());
}

TEST_CASE("notes: other programs on this machine, and threads without files") {
  const SweepPlan plan = plan_with(8);
  std::vector<Repeat> repeats(3, repeat_of(1));
  CHECK(row_notes(plan, {repeats}, 2, true).size() == 1);  // 4 files for 8 threads
  for (Repeat& repeat : repeats) repeat.host_busy = 1.0;
  const auto notes = row_notes(plan, {repeats}, 2, true);
  REQUIRE(notes.size() == 2);
  CHECK(notes[0].find("4x25000000") != std::string::npos);
  CHECK(notes[1].find("other programs kept 1.4 of this machine's 2 cores") != std::string::npos);
  CHECK(row_notes(plan_with(2), {{}}, 2, true).empty());
}

TEST_CASE("client and server must count the same bytes") {
  Repeat repeat = repeat_of(1);
  compare_bytes(100'000'000, 100'000'000, repeat);
  CHECK(repeat.outcome == Repeat::Outcome::good);
  compare_bytes(100'000'000, std::nullopt, repeat);
  CHECK(repeat.outcome == Repeat::Outcome::good);
  compare_bytes(100'000'000, 99'999'999, repeat);
  CHECK(repeat.outcome == Repeat::Outcome::invalid);
  CHECK(repeat.why == "client 100000000 bytes, server 99999999 bytes");
  repeat = repeat_of(1);
  compare_bytes(200'000'000, 100'000'000, repeat);
  CHECK(repeat.why == "client moved 100000000 bytes, not 200000000");
}
