#include "client/load_row.hpp"

#include <doctest/doctest.h>

using namespace mocks3::client;

namespace {

LoadPlan plan_of(Command command) {
  Options options;
  options.command = command;
  options.threads = 2;
  options.size_bytes = 100;
  return make_load_plan(options, "p", true);
}

/// A repeat in which the client counted `bytes` and the server `server_bytes`.
LoadRepeat repeat_of(uint64_t bytes, double seconds, uint64_t server_bytes) {
  LoadRepeat repeat;
  repeat.load.bytes = bytes;
  repeat.load.objects = bytes / 100;
  repeat.load.seconds = seconds;
  repeat.load.cpu_seconds = seconds / 2;
  repeat.load.requests["PutObject"] = bytes / 100;
  if (bytes > 0) repeat.load.service_ns.record(1000);
  repeat.before.emplace();
  repeat.before->good_bytes_in = 50;
  repeat.before->requests = {{"PutObject", 7}, {"HeadBucket", 1}};
  repeat.before->cpu_s = 1;
  repeat.after = repeat.before;
  repeat.after->good_bytes_in += server_bytes;
  repeat.after->requests["PutObject"] += bytes / 100;
  repeat.after->cpu_s = 1.25;
  return repeat;
}

}  // namespace

TEST_CASE("a row has the medians of its repeats and the counts of the typical one") {
  const ResultRow row = make_load_row(
      plan_of(Command::put),
      {repeat_of(1000, 1, 1000), repeat_of(3000, 1, 3000), repeat_of(4000, 2, 4000)}, 4000, 8);
  CHECK(row.valid);
  CHECK(row.client == "native");
  CHECK(row.op == "put");
  CHECK(row.threads == 2);
  CHECK(row.file_size_bytes == 100);
  CHECK(row.rates == std::vector<double>{1000, 3000, 2000});
  CHECK(row.rate_bytes_per_s.median == 2000);
  CHECK(row.rate_bytes_per_s.n == 3);
  CHECK(row.bytes == 4000);
  CHECK(row.files == 40);
  CHECK(row.duration_s == 1);
  CHECK(row.client_cpu_s == 0.5);
  CHECK(row.server_cpu_s == 0.25);
  CHECK(row.requests == std::map<std::string, uint64_t>{{"PutObject", 40}});
  CHECK(row.ceiling_bytes_per_s == 4000);
  CHECK(row.service_ns.count() == 3);
  CHECK_FALSE(row.verdict.empty());
}

TEST_CASE("client and server that count different bytes make the row invalid") {
  const ResultRow row = make_load_row(plan_of(Command::put),
                                      {repeat_of(1000, 1, 1000), repeat_of(1000, 1, 900)}, 0, 8);
  CHECK_FALSE(row.valid);
  CHECK(row.why_invalid == "the client counted 1000 bytes, the server 900");
  CHECK(row.verdict.empty());
}

TEST_CASE("a download is compared with what the server sent") {
  LoadRepeat repeat = repeat_of(1000, 1, 0);
  repeat.after->good_bytes_out = 1000;
  CHECK(fault_of(Direction::get, repeat).empty());
  CHECK_FALSE(fault_of(Direction::put, repeat).empty());
}

TEST_CASE("failed requests make the row invalid, with their classes") {
  LoadRepeat repeat = repeat_of(1000, 1, 1000);
  repeat.load.errors = {{"503 SlowDown", 12}, {"reset", 1}};
  CHECK(fault_of(Direction::put, repeat) == "failed requests: 503 SlowDown 12, reset 1");
  repeat.load.gave_up = "gave up";
  CHECK(fault_of(Direction::put, repeat) == "gave up");
}

TEST_CASE("nothing that succeeded is no row, an interrupted one stands as it is") {
  LoadRepeat repeat = repeat_of(0, 1, 0);
  CHECK(fault_of(Direction::put, repeat) == "no request succeeded");
  repeat.load.interrupted = true;
  CHECK(fault_of(Direction::put, repeat) == "interrupted before a request ended");
  LoadRepeat cut = repeat_of(1000, 1, 1100);
  cut.load.interrupted = true;
  CHECK(fault_of(Direction::put, cut).empty());
}

TEST_CASE("without a mock-s3 the client's own counts are shown") {
  LoadRepeat repeat = repeat_of(1000, 1, 1000);
  repeat.before.reset();
  repeat.after.reset();
  const ResultRow row = make_load_row(plan_of(Command::put), {repeat}, 0, 8);
  CHECK(row.valid);
  CHECK_FALSE(row.server_cpu_s);
  CHECK(row.requests == std::map<std::string, uint64_t>{{"PutObject", 10}});
}
