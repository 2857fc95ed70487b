#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/protocol/framing.hpp"

namespace mocks3::test {
namespace {

using nlohmann::json;

json json_of(const Response& answer) {
  REQUIRE(answer.status == 200);
  CHECK(answer.header("content-type") == "application/json");
  return json::parse(answer.body);
}

json stats(const TestServer& server) { return json_of(server.get("/_mock/stats")); }

/// A request is counted when its last byte was handed on: a moment after the client may have it.
json stats_after(const TestServer& server, uint64_t requests) {
  CHECK(eventually([&] { return stats(server)["requests"] == requests; }));
  return stats(server);
}

json latest(const TestServer& server, const std::string& query = "") {
  const json answer = json_of(server.get("/_mock/requests" + query));
  REQUIRE_FALSE(answer["requests"].empty());
  return answer["requests"].back();
}

const Headers kForm = {{"X-Mock-S3", "1"}};

}  // namespace

TEST_CASE("health says ok and the version") {
  const TestServer server;
  const json health = json_of(server.get("/_mock/health"));
  CHECK(health["status"] == "ok");
  CHECK_FALSE(health["version"].get<std::string>().empty());
  CHECK(server.head("/_mock/health").status == 200);
}

TEST_CASE("stats count known traffic to the byte") {
  const TestServer server;
  server.put("/bkt/a", std::string(1000, 'x'));
  server.put("/bkt/b", kFramedNine, streaming_headers(9));
  server.put("/bkt/c", http_chunked(std::string(5000, 'x'), 100),
             {{"Transfer-Encoding", "chunked"}});
  server.get("/bkt/a");
  server.get("/bkt/a", {{"Range", "bytes=10-19"}});
  server.head("/bkt/a");
  server.get("/bkt/none");
  const json all = stats_after(server, 7);
  CHECK(all["bytes_in"] == 1000 + 9 + 5000);
  CHECK(all["bytes_out"] == 1000 + 10);
  CHECK(all["errors"]["NoSuchKey"] == 1);
  const json put = all["operations"]["PutObject"], get = all["operations"]["GetObject"];
  CHECK(put["count"] == 3);
  CHECK(put["errors"] == 0);
  CHECK(put["bytes_in"] == 6009);
  CHECK(get["count"] == 3);
  CHECK(get["errors"] == 1);
  CHECK(get["bytes_out"] == 1010);
  CHECK(get["latency_ns"]["max"] >= get["latency_ns"]["p50"]);
  CHECK(all["operations"]["HeadObject"]["count"] == 1);
  CHECK(all["operations"]["HeadObject"]["bytes_out"] == 0);
}

TEST_CASE("large transfers are counted exactly in both directions") {
  const TestServer server;
  const std::string body(20'000'001, 'x');
  server.put("/bkt/k", body);
  server.put("/bkt/f", aws_chunked(body, 1 << 20), streaming_headers(body.size()));
  server.get("/bkt/k");
  const json all = stats_after(server, 3);
  CHECK(all["bytes_in"] == 40'000'002);
  CHECK(all["bytes_out"] == 20'000'001);
  CHECK(all["operations"]["PutObject"]["bytes_in"] == 40'000'002);
  CHECK(all["operations"]["GetObject"]["bytes_out"] == 20'000'001);
}

TEST_CASE("stats describe the process and its workers") {
  const TestServer server;
  RawClient held(server.port());
  held.request(make_request("GET", "/"));
  const json all = stats(server);
  CHECK(all["payload"] == "discard");
  CHECK(all["workers"] == 2);
  CHECK(all["worker_cpu_s"].size() == 2);
  CHECK(all["uptime_s"] > 0);
  CHECK(all["process"]["rss_bytes"] > 1'000'000);
  CHECK(all["process"]["open_fds"] > 3);
  CHECK(all["process"]["cpu_s"] > 0);
  CHECK(all["connections"]["open"] >= 2);
  CHECK(all["connections"]["accepted"] >= 2);
  CHECK(all["connections"]["refused"] == 0);
}

TEST_CASE("the request log tells what each client sent") {
  const TestServer server;
  server.put("/bkt/k", kFramedNine,
             with(streaming_headers(9), {{"User-Agent", "tester/1"}, {"Expect", "100-continue"}}));
  stats_after(server, 1);
  const json put = latest(server);
  CHECK(put["op"] == "PutObject");
  CHECK(put["method"] == "PUT");
  CHECK(put["bucket"] == "bkt");
  CHECK(put["key"] == "k");
  CHECK(put["status"] == 200);
  CHECK(put["error"] == "");
  CHECK(put["completed"] == true);
  CHECK(put["bytes_in"] == 9);
  CHECK(put["framing"] == "aws-chunked");
  CHECK(put["content_sha256"] == "STREAMING-UNSIGNED-PAYLOAD-TRAILER");
  CHECK(put["checksums"] == "x-amz-checksum-crc64nvme");
  CHECK(put["user_agent"] == "tester/1");
  CHECK(put["expect_continue"] == true);
  CHECK(put["content_md5"] == false);
  CHECK(put["duration_ns"] >= put["ttfb_ns"]);
}

TEST_CASE("the request log tells ranges, parts, errors and framing") {
  const TestServer server;
  const std::string id = between(server.post("/bkt/k?uploads", "").body, "UploadId");
  server.put("/bkt/k?partNumber=3&uploadId=" + id, http_chunked("abc", 1),
             {{"Transfer-Encoding", "chunked"}, {"Content-MD5", "JfnnlDI7RTiF9RgfG2JNCw=="}});
  stats_after(server, 2);
  const json part = latest(server);
  CHECK(part["op"] == "UploadPart");
  CHECK(part["part_number"] == 3);
  CHECK(part["upload_id"] == id);
  CHECK(part["framing"] == "chunked");
  CHECK(part["content_md5"] == true);
  const Response missing = server.get("/bkt/k", {{"Range", "bytes=0-9"}});
  stats_after(server, 3);
  const json get = latest(server);
  CHECK(get["range"] == "bytes=0-9");
  CHECK(get["status"] == 404);
  CHECK(get["error"] == "NoSuchKey");
  CHECK(get["request_id"] == missing.header("x-amz-request-id"));
  CHECK(get["framing"] == "");
}

TEST_CASE("an upload that was cut short shows as not good") {
  const TestServer server;
  RawClient client(server.port());
  client.send(make_request("PUT", "/bkt/k", {{"Content-Length", "10"}}) + "abc");
  client.shutdown_send();
  CHECK(client.receive().status == 400);
  const json all = stats_after(server, 1);
  CHECK(all["operations"]["PutObject"]["errors"] == 1);
  CHECK(all["operations"]["PutObject"]["bytes_in"] == 0);
  CHECK(all["bytes_in"] == 3);
  CHECK(latest(server)["error"] == "IncompleteBody");
}

TEST_CASE("the request log can be filtered") {
  const TestServer server;
  for (int i = 0; i < 5; ++i) server.put("/bkt/" + std::to_string(i), "x");
  server.get("/bkt/none");
  stats_after(server, 6);
  const auto count = [&](const char* query) {
    return json_of(server.get(std::string("/_mock/requests") + query))["requests"].size();
  };
  CHECK(count("") == 6);
  CHECK(count("?limit=2") == 2);
  CHECK(count("?op=PutObject") == 5);
  CHECK(count("?errors") == 1);
  const json all = json_of(server.get("/_mock/requests"));
  CHECK(all["forgotten"] == 0);
  const std::string since = std::to_string(all["requests"][3]["start_ns"].get<uint64_t>());
  CHECK(count(("?since_ns=" + since).c_str()) == 3);
  CHECK(count(("?since_ns=" + std::to_string(all["now_ns"].get<uint64_t>())).c_str()) == 0);
  CHECK(server.get("/_mock/requests?limit=x").status == 400);
}

TEST_CASE("reset needs its header, and forgets counts but no objects") {
  const TestServer server;
  server.put("/bkt/k", "x");
  stats_after(server, 1);
  CHECK(server.post("/_mock/reset", "").status == 403);
  CHECK(stats(server)["requests"] == 1);
  const unsigned status = server.post("/_mock/reset", "", kForm).status;
  CHECK((status == 200 || status == 204));
  const json all = stats(server);
  CHECK(all["requests"] == 0);
  CHECK(all["bytes_in"] == 0);
  CHECK(all["operations"].empty());
  CHECK(json_of(server.get("/_mock/requests"))["requests"].empty());
  CHECK(server.size_of("/bkt/k") == "1");
  CHECK(server.get("/_mock/reset", kForm).status == 405);
}

TEST_CASE("reset with objects leaves those of the preload") {
  server::Options options = test_options();
  options.preload = {"pre/k{0..1}:1MiB"};
  const TestServer server(options);
  server.put("/bkt/k", "x");
  server.remove("/pre/k0");
  CHECK(server.post("/_mock/reset?objects", "", kForm).status < 300);
  CHECK(server.size_of("/bkt/k") == "none");
  CHECK(server.size_of("/pre/k0") == "1048576");
  CHECK(server.size_of("/pre/k1") == "1048576");
}

TEST_CASE("a token guards what changes the server") {
  server::Options options = test_options();
  options.admin_token = "secret";
  const TestServer server(options);
  CHECK(server.post("/_mock/reset", "", kForm).status == 403);
  CHECK(server.post("/_mock/reset", "", with(kForm, {{"X-Mock-Token", "wrong"}})).status == 403);
  CHECK(server.post("/_mock/reset", "", with(kForm, {{"X-Mock-Token", "secret"}})).status < 300);
}

TEST_CASE("the access log has one line for each request, whatever is in its key") {
  const auto path = std::filesystem::temp_directory_path() /
                    ("mock-s3-access-" + std::to_string(getpid()) + ".log");
  server::Options options = test_options();
  options.workers = 1;  // lines are in the order of the requests only within a worker
  options.access_log = path.string();
  {
    const TestServer server(options);
    server.put("/bkt/line%0Aend%09tab%0D", "123", {{"User-Agent", "a\tb c"}});
    server.get("/bkt/none");
    server.get("/_mock/stats");
  }
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  std::filesystem::remove(path);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].find("\tPutObject\tbkt\tline%0Aend%09tab%0D\t200\t-\t3\t0\t") !=
        std::string::npos);
  CHECK(lines[1].find("\tGetObject\tbkt\tnone\t404\tNoSuchKey\t") != std::string::npos);
}

TEST_CASE("an access log that cannot be written is an error at the start") {
  server::Options options = test_options();
  options.access_log = "/nonexistent/dir/access.log";
  const auto started = server::Server::start(options);
  REQUIRE_FALSE(started);
  CHECK(started.error().message.find(options.access_log) != std::string::npos);
}

TEST_CASE("there is no bucket below the pages of the server itself") {
  const TestServer server;
  CHECK(server.put("/_mock/k", "x").status >= 400);
  CHECK(server.put("/_mock", "").status >= 400);
  CHECK(server.get("/_mock/nothing").status == 404);
  CHECK(all_between(server.get("/").body, "Name").empty());
  server.get("/_mock/stats");
  CHECK(stats(server)["operations"].count("Admin") == 0);
}

}  // namespace mocks3::test
