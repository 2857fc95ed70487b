#include "server/metrics.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <thread>

using namespace mocks3;
using namespace mocks3::server;
using Json = nlohmann::json;

namespace {

RequestRecord request(S3Op op, uint64_t start_ns = 0) {
  RequestRecord record;
  record.op = op;
  record.start_ns = start_ns;
  record.duration_ns = 1000;
  record.status = 200;
  record.completed = true;
  return record;
}

RequestRecord failed(S3Op op, unsigned status, const std::string& code) {
  RequestRecord record = request(op);
  record.status = status;
  record.error_code = code;
  return record;
}

Json requests_of(const Metrics& metrics, const RequestFilter& filter = {}) {
  return Json::parse(metrics.requests_json(filter));
}

}  // namespace

TEST_CASE("metrics: a fresh server has all fields") {
  Metrics metrics(2);
  const Json stats = Json::parse(metrics.stats_json());
  CHECK(stats["workers"] == 2);
  CHECK(stats["payload"] == "discard");
  CHECK(stats["uptime_s"].get<double>() >= 0);
  CHECK(stats["process"]["rss_bytes"].get<uint64_t>() > 0);
  CHECK(stats["process"]["peak_rss_bytes"].get<uint64_t>() > 0);
  CHECK(stats["process"]["open_fds"].get<uint64_t>() >= 3);
  CHECK(stats["worker_cpu_s"].empty());
  CHECK(stats["connections"] == Json{{"open", 0}, {"accepted", 0}, {"refused", 0}});
  CHECK(stats["requests"] == 0);
  CHECK(stats["errors"] == Json::object());
  CHECK(stats["operations"] == Json::object());
}

TEST_CASE("metrics: operations, errors and bytes") {
  Metrics metrics(2);
  metrics.worker_cpu_seconds = [] { return std::vector<double>{0.5, 0.25}; };
  metrics.connections_accepted = 7;
  RequestRecord put = request(S3Op::PutObject);
  put.bytes_in = 100;
  metrics.worker(0).record(RequestRecord(put));
  metrics.worker(1).record(RequestRecord(put));
  RequestRecord bad = failed(S3Op::PutObject, 412, "PreconditionFailed");
  bad.bytes_in = 50;
  metrics.worker(1).record(std::move(bad));
  RequestRecord cut = request(S3Op::GetObject);
  cut.completed = false;
  cut.bytes_out = 30;
  metrics.worker(0).record(std::move(cut));
  metrics.worker(0).bytes_in.add(250);
  metrics.worker(1).bytes_out.add(30);

  const Json stats = Json::parse(metrics.stats_json());
  CHECK(stats["bytes_in"] == 250);
  CHECK(stats["bytes_out"] == 30);
  CHECK(stats["requests"] == 4);
  CHECK(stats["errors"] == Json{{"PreconditionFailed", 1}, {"Incomplete", 1}});
  CHECK(stats["worker_cpu_s"] == Json{0.5, 0.25});
  CHECK(stats["connections"]["accepted"] == 7);
  const Json& op = stats["operations"]["PutObject"];
  CHECK(op["count"] == 3);
  CHECK(op["errors"] == 1);
  CHECK(op["bytes_in"] == 200);
  CHECK(op["latency_ns"]["max"] == 1000);
  CHECK(op["latency_ns"]["p50"] == 1000);
  CHECK(stats["operations"]["GetObject"]["bytes_out"] == 0);
  CHECK(stats["operations"].size() == 2);
}

TEST_CASE("metrics: percentiles are at most 3 percent above the value") {
  Metrics metrics(1);
  for (uint64_t n = 1; n <= 1000; ++n) {
    RequestRecord record = request(S3Op::GetObject);
    record.duration_ns = n * 1000;
    metrics.worker(0).record(std::move(record));
  }
  const Json latency = Json::parse(metrics.stats_json())["operations"]["GetObject"]["latency_ns"];
  const auto near = [&](const char* name, uint64_t exact) {
    const auto value = latency[name].get<uint64_t>();
    CHECK(value >= exact);
    CHECK(static_cast<double>(value) <= static_cast<double>(exact) * 1.032);
  };
  near("p50", 500'000);
  near("p90", 900'000);
  near("p99", 990'000);
  near("p999", 999'000);
  CHECK(latency["max"] == 1'000'000);
}

TEST_CASE("metrics: calls to the admin pages leave no trace") {
  Metrics metrics(1);
  metrics.worker(0).record(request(S3Op::Admin));
  CHECK(Json::parse(metrics.stats_json())["requests"] == 0);
  CHECK(requests_of(metrics)["requests"].empty());
  CHECK(metrics.totals().requests == 0);
}

TEST_CASE("metrics: a logged request keeps all its fields") {
  Metrics metrics(2);
  RequestRecord record = request(S3Op::UploadPart, 5);
  record.ttfb_ns = 200;
  record.connection_id = 9;
  record.bytes_in = 77;
  record.part_number = 3;
  record.expect_continue = true;
  record.method = "PUT";
  record.bucket = "b";
  record.key = "R&D \"1\"\xff";
  record.upload_id = "u";
  record.content_sha256 = "UNSIGNED-PAYLOAD";
  record.framing = "identity";
  record.checksums = "x-amz-checksum-crc32";
  record.user_agent = "agent";
  record.request_id = "00A1";
  record.range = "bytes=0-";
  metrics.worker(1).record(std::move(record));
  const Json logged = requests_of(metrics)["requests"][0];
  CHECK(logged == Json{{"start_ns", 5},
                       {"ttfb_ns", 200},
                       {"duration_ns", 1000},
                       {"worker", 1},
                       {"connection", 9},
                       {"request_id", "00A1"},
                       {"op", "UploadPart"},
                       {"method", "PUT"},
                       {"bucket", "b"},
                       {"key", "R&D \"1\"\xEF\xBF\xBD"},
                       {"status", 200},
                       {"error", ""},
                       {"completed", true},
                       {"bytes_in", 77},
                       {"bytes_out", 0},
                       {"range", "bytes=0-"},
                       {"part_number", 3},
                       {"upload_id", "u"},
                       {"content_sha256", "UNSIGNED-PAYLOAD"},
                       {"framing", "identity"},
                       {"checksums", "x-amz-checksum-crc32"},
                       {"content_md5", false},
                       {"expect_continue", true},
                       {"user_agent", "agent"}});
}

TEST_CASE("metrics: long texts are cut") {
  Metrics metrics(1);
  RequestRecord record = request(S3Op::GetObject);
  record.key = std::string(5000, 'k');
  record.user_agent = std::string(5000, 'u');
  record.request_id = "ID";
  metrics.worker(0).record(std::move(record));
  const Json logged = requests_of(metrics)["requests"][0];
  CHECK(logged["key"].get<std::string>() == std::string(1024, 'k'));
  CHECK(logged["user_agent"].get<std::string>() == std::string(256, 'u'));
  CHECK(logged["request_id"] == "ID");
}

TEST_CASE("metrics: the log is in order of start, filtered, and cut at its start") {
  Metrics metrics(2);
  for (const uint64_t start : {40U, 10U, 30U}) {
    metrics.worker(start % 20 / 10).record(request(S3Op::GetObject, start));
  }
  RequestRecord bad = failed(S3Op::PutObject, 404, "NoSuchBucket");
  bad.start_ns = 20;
  metrics.worker(0).record(std::move(bad));
  const auto starts = [&](const RequestFilter& filter) {
    std::vector<uint64_t> found;
    const Json log = requests_of(metrics, filter);
    for (const Json& entry : log["requests"]) {
      found.push_back(entry["start_ns"].get<uint64_t>());
    }
    return found;
  };
  using Starts = std::vector<uint64_t>;
  CHECK(starts({}) == Starts{10, 20, 30, 40});
  CHECK(starts({.limit = 2}) == Starts{30, 40});
  CHECK(starts({.limit = 0}).empty());
  CHECK(starts({.since_ns = 20}) == Starts{20, 30, 40});
  CHECK(starts({.errors_only = true}) == Starts{20});
  CHECK(starts({.op = "GetObject"}) == Starts{10, 30, 40});
  CHECK(starts({.op = "NoSuchOp"}).empty());
}

TEST_CASE("metrics: the log forgets the oldest, and says how many") {
  Metrics metrics(1);
  const size_t count = WorkerMetrics::kRingRecords + 10;
  for (size_t n = 0; n < count; ++n) metrics.worker(0).record(request(S3Op::GetObject, n));
  const Json log = requests_of(metrics, {.limit = 100'000});
  CHECK(log["forgotten"] == 10);
  REQUIRE(log["requests"].size() == WorkerMetrics::kRingRecords);
  CHECK(log["requests"].front()["start_ns"] == 10);
  CHECK(log["requests"].back()["start_ns"] == count - 1);
}

TEST_CASE("metrics: reset zeroes what is shown but not the running totals") {
  Metrics metrics(1);
  metrics.worker(0).bytes_in.add(100);
  metrics.worker(0).record(request(S3Op::PutObject));
  metrics.worker(0).record(failed(S3Op::GetObject, 404, "NoSuchKey"));
  metrics.connections_open = 3;
  metrics.reset();
  metrics.worker(0).bytes_in.add(5);
  const Json stats = Json::parse(metrics.stats_json());
  CHECK(stats["bytes_in"] == 5);
  CHECK(stats["requests"] == 0);
  CHECK(stats["errors"] == Json::object());
  CHECK(stats["operations"] == Json::object());
  CHECK(stats["connections"]["open"] == 3);
  CHECK(requests_of(metrics)["requests"].empty());
  CHECK(requests_of(metrics)["forgotten"] == 0);
  const Metrics::Totals totals = metrics.totals();
  CHECK(totals.bytes_in == 105);
  CHECK(totals.requests == 2);
  CHECK(totals.errors == 1);
  CHECK(totals.op_requests[static_cast<size_t>(S3Op::PutObject)] == 1);
}

TEST_CASE("metrics: read and reset from other threads while workers count") {
  Metrics metrics(2);
  constexpr uint64_t kEach = 20'000;
  const auto work = [&](size_t index) {
    for (uint64_t n = 0; n < kEach; ++n) {
      metrics.worker(index).bytes_in.add(3);
      if (n % 10 == 0) metrics.worker(index).record(request(S3Op::PutObject, n));
    }
  };
  std::thread first(work, 0), second(work, 1);
  for (int n = 0; n < 20; ++n) {
    CHECK_FALSE(Json::parse(metrics.stats_json()).empty());
    CHECK(requests_of(metrics, {.limit = 5})["requests"].size() <= 5);
    if (n == 10) metrics.reset();
  }
  first.join();
  second.join();
  CHECK(metrics.totals().bytes_in == 2 * 3 * kEach);
  CHECK(metrics.totals().requests == 2 * kEach / 10);
}
