#include "client/server_stats.hpp"

#include <doctest/doctest.h>

using namespace mocks3::client;

TEST_CASE("the stats page is read") {
  const auto stats = parse_server_stats(R"({
    "version": "v1", "uptime_s": 2.5, "process": {"cpu_s": 1.25, "rss_bytes": 7},
    "worker_cpu_s": [0.5, 0.75], "bytes_in": 30, "bytes_out": 5,
    "operations": {
      "PutObject": {"count": 3, "errors": 1, "bytes_in": 20, "bytes_out": 0},
      "GetObject": {"count": 2, "errors": 0, "bytes_in": 0, "bytes_out": 4},
      "HeadObject": {"count": 1}}})");
  REQUIRE(stats);
  CHECK(stats->version == "v1");
  CHECK(stats->uptime_s == 2.5);
  CHECK(stats->cpu_s == 1.25);
  CHECK(stats->worker_cpu_s == std::vector<double>{0.5, 0.75});
  CHECK(stats->bytes_in == 30);
  CHECK(stats->bytes_out == 5);
  CHECK(stats->good_bytes_in == 20);
  CHECK(stats->good_bytes_out == 4);
  CHECK(stats->errors == 1);
  CHECK(stats->requests.at("PutObject") == 3);
  CHECK(stats->requests.at("HeadObject") == 1);
}

TEST_CASE("missing and mistyped fields keep their defaults") {
  const auto stats = parse_server_stats(
      R"({"version": "v1", "operations": {"X": 5, "Y": {"count": -1, "bytes_in": "many"}},
          "bytes_in": 1.5, "worker_cpu_s": ["a", 1], "process": []})");
  REQUIRE(stats);
  CHECK(stats->bytes_in == 0);
  CHECK(stats->cpu_s == 0);
  CHECK(stats->worker_cpu_s == std::vector<double>{1});
  CHECK(stats->requests.at("X") == 0);
  CHECK(stats->good_bytes_in == 0);
}

TEST_CASE("other servers' pages are not stats") {
  for (const char* page : {"", "{}", "[]", "<Error/>", "{\"version\": \"1\"}",
                           "{\"version\":", "{\"version\": 1, \"operations\": {}}", "null", "3"}) {
    CAPTURE(page);
    CHECK_FALSE(parse_server_stats(page));
  }
}

TEST_CASE("failed requests become lines") {
  const char* page = R"({"now_ns": 5, "requests": [
    {"op": "PutObject", "bucket": "b", "key": "k/1", "status": 503, "error": "SlowDown",
     "completed": true},
    {"op": "GetObject", "bucket": "b", "key": "k/2", "status": 200, "error": "",
     "completed": false},
    {"op": "HeadBucket", "bucket": "b", "key": "", "status": 404}]})";
  const std::vector<std::string> lines = parse_server_errors(page, 10);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "PutObject b/k/1: 503 SlowDown");
  CHECK(lines[1] == "GetObject b/k/2: 200 (cut short)");
  CHECK(lines[2] == "HeadBucket b: 404");
  CHECK(parse_server_errors(page, 2).size() == 2);
  CHECK(parse_server_errors("nonsense", 2).empty());
}
