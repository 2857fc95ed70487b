#include "client/report/run_json.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/report_fixture.hpp"

using namespace mocks3;
using namespace mocks3::client;
using Json = nlohmann::json;

TEST_CASE("run.json has the names of schema 1") {
  RunReport report = sample_report();
  report.rows[0].service_ns.record(1000);
  const Json json = Json::parse(run_json(report));
  CHECK(json["schema"] == 1);
  CHECK(json["provenance"]["version"] == "v0.1.0");
  CHECK(json["settings"]["repeat"] == "3");
  REQUIRE(json["results"].size() == 4);
  const Json& row = json["results"][0];
  for (const char* name :
       {"client", "op", "threads", "files", "file_size_bytes", "bytes", "duration_s",
        "rate_bytes_per_s", "ceiling_bytes_per_s", "ceiling_ratio", "client_cpu_s", "server_cpu_s",
        "peak_rss_bytes", "requests", "valid", "why_invalid", "verdict", "latency_ns"}) {
    CAPTURE(name);
    CHECK(row.contains(name));
  }
  CHECK(row["rate_bytes_per_s"]["n"] == 3);
  CHECK(row["rate_bytes_per_s"]["median"].get<double>() == doctest::Approx(800.0 * kMiB));
  CHECK(row["ceiling_ratio"].get<double>() == doctest::Approx(0.8));
  CHECK(row["requests"]["PutObject"] == 3);
  CHECK(row["latency_ns"]["service"]["n"] == 1);
  CHECK(row["latency_ns"]["service"]["max"] == 1000);
  CHECK_FALSE(row["latency_ns"].contains("ttfb"));
}

TEST_CASE("what was not measured is null, and latency is left out") {
  RunReport report = sample_report();
  report.rows[0].ceiling_bytes_per_s = 0;
  report.rows[0].server_cpu_s.reset();
  const Json row = Json::parse(run_json(report))["results"][0];
  CHECK(row["ceiling_bytes_per_s"].is_null());
  CHECK(row["ceiling_ratio"].is_null());
  CHECK(row["server_cpu_s"].is_null());
  CHECK_FALSE(row.contains("latency_ns"));
}

TEST_CASE("an invalid row says why, whatever bytes the tool printed") {
  RunReport report = sample_report();
  report.rows[0].valid = false;
  report.rows[0].why_invalid = "bad \xff byte \"quoted\"";
  const Json row = Json::parse(run_json(report))["results"][0];
  CHECK(row["valid"] == false);
  CHECK(row["why_invalid"].get<std::string>().find("\"quoted\"") != std::string::npos);
}

TEST_CASE("an empty run is a document too") {
  const Json json = Json::parse(run_json(RunReport{}));
  CHECK(json["results"].empty());
  CHECK(json["provenance"].is_object());
  CHECK(json["partial"] == false);
}
