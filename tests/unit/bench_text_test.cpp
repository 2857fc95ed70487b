#include "client/report/bench_text.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "tests/unit/report_fixture.hpp"

using namespace mocks3;
using namespace mocks3::client;

namespace {

std::vector<std::string> lines_with(const std::string& text, const std::string& start) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(start, 0) == 0) lines.push_back(line);
  }
  return lines;
}

}  // namespace

TEST_CASE("a line per repeat, in the form of go test") {
  RunReport report = sample_report();
  report.rows = {sample_row("aws-cli", "put", 2, 100)};
  const auto lines = lines_with(bench_text(report), "Benchmark");
  REQUIRE(lines.size() == 3);
  CHECK(lines[1] ==
        "BenchmarkSweep/client=aws-cli/op=put/threads=2/files=4x16MiB-2 1 640000000 ns/op "
        "104.86 MB/s 8.0000 client-cpu-s/GiB 0.8000 server-cpu-s/GiB");
}

TEST_CASE("machine facts are configuration, dates and settings are comments") {
  const std::string text = bench_text(sample_report());
  CHECK(lines_with(text, "cpu: A CPU @ 3 GHz").size() == 1);
  CHECK(lines_with(text, "# date: 2026").size() == 1);
  CHECK(lines_with(text, "# repeat: 3").size() == 1);
  CHECK(lines_with(text, "date:").empty());
}

TEST_CASE("invalid rows are left out, what is not known per repeat too") {
  RunReport report = sample_report();
  report.rows = {sample_row("aws-cli", "put", 2, 100), sample_row("s5cmd", "put", 2, 100)};
  report.rows[0].valid = false;
  report.rows[1].server_cpu_each_s.clear();
  const auto lines = lines_with(bench_text(report), "Benchmark");
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].find("client=s5cmd") != std::string::npos);
  CHECK(lines[0].find("server-cpu") == std::string::npos);
}

TEST_CASE("durations are worked out from the rate where they are not there") {
  RunReport report = sample_report();
  report.rows = {sample_row("native", "get", 1, 64)};
  report.rows[0].durations_s.clear();
  CHECK(lines_with(bench_text(report), "Benchmark")[1].find(" 1000000000 ns/op") !=
        std::string::npos);
}

TEST_CASE("names hold no white space or extra parts") {
  RunReport report = sample_report();
  report.name = "put";
  report.rows = {sample_row("my client/2", "put", 1, 64)};
  CHECK(lines_with(bench_text(report), "BenchmarkPut/client=my_client_2/op=put").size() == 3);
}
