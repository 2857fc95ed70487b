#include "client/engine/load.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tests/unit/responder.hpp"

using namespace mocks3;
using namespace mocks3::client;
using std::chrono::milliseconds;

namespace {

LoadSpec spec_for(const Responder& server, Direction op, std::vector<ObjectTask> objects) {
  LoadSpec spec;
  spec.op = op;
  spec.endpoint = server.endpoint();
  spec.bucket = "bkt";
  spec.objects = std::move(objects);
  return spec;
}

LoadResult run(const LoadSpec& spec) {
  LoadProgress progress;
  auto result = run_load(spec, progress);
  INFO((result ? std::string() : result.error().message));
  REQUIRE(result);
  CHECK(progress.bytes >= result->bytes);
  return std::move(*result);
}

size_t count(const std::vector<SeenRequest>& requests, const std::string& method,
             const std::string& query = {}) {
  return static_cast<size_t>(
      std::count_if(requests.begin(), requests.end(), [&](const SeenRequest& request) {
        return request.method == method && request.query.starts_with(query);
      }));
}

std::string refusal(const std::string& status, const std::string& code) {
  return http_reply(status, "", "<Error><Code>" + code + "</Code><Message>m</Message></Error>");
}

bool is_object(const SeenRequest& request) {
  return std::count(request.path.begin(), request.path.end(), '/') > 1;
}

}  // namespace

TEST_CASE("objects are put once each, signed, with exact bodies") {
  Responder server([](const SeenRequest& request) { return act_as_s3(request, 0); });
  LoadSpec spec = spec_for(server, Direction::put, {{"a b/c", 0}, {"d", 1}, {"e", 300'000}});
  spec.threads = 2;
  const LoadResult result = run(spec);
  CHECK(result.bytes == 300'001);
  CHECK(result.objects == 3);
  CHECK(result.errors.empty());
  CHECK(result.first_error.empty());
  CHECK(result.requests == std::map<std::string, uint64_t>{{"PutObject", 3}});
  CHECK(result.service_ns.count() == 3);
  CHECK(result.ttfb_ns.count() == 3);
  CHECK(result.seconds > 0);
  CHECK_FALSE(result.interrupted);
  std::map<std::string, uint64_t> seen;
  for (const SeenRequest& request : server.requests()) {
    if (!is_object(request)) continue;
    seen[request.path] = request.body_bytes;
    CHECK(request.headers.at("authorization").starts_with("AWS4-HMAC-SHA256 Credential=AK/"));
    CHECK(request.headers.at("x-amz-content-sha256") == "UNSIGNED-PAYLOAD");
    CHECK(request.headers.at("host") == server.endpoint().authority());
  }
  CHECK(seen ==
        std::map<std::string, uint64_t>{{"/bkt/a%20b/c", 0}, {"/bkt/d", 1}, {"/bkt/e", 300'000}});
}

TEST_CASE("without keys nothing is signed") {
  Responder server([](const SeenRequest& request) { return act_as_s3(request, 0); });
  LoadSpec spec = spec_for(server, Direction::put, {{"a", 1}});
  spec.endpoint.credentials = {};
  CHECK(run(spec).objects == 1);
  for (const SeenRequest& request : server.requests())
    CHECK(request.headers.count("authorization") == 0);
}

TEST_CASE("a large object is put in parts over all connections of all threads") {
  Responder server([](const SeenRequest& request) {
    if (request.query.starts_with("partNumber")) std::this_thread::sleep_for(milliseconds(2));
    return act_as_s3(request, 0);
  });
  LoadSpec spec = spec_for(server, Direction::put, {{"big", 32 * 1000 - 1}});
  spec.part_size = 1000;
  spec.threads = 2;
  spec.concurrency = 4;
  const LoadResult result = run(spec);
  CHECK(result.bytes == 32 * 1000 - 1);
  CHECK(result.objects == 1);
  CHECK(result.requests == std::map<std::string, uint64_t>{{"CreateMultipartUpload", 1},
                                                           {"UploadPart", 32},
                                                           {"CompleteMultipartUpload", 1}});
  CHECK(result.service_ns.count() == 32);
  std::set<size_t> connections;
  uint64_t bytes = 0;
  for (const SeenRequest& request : server.requests()) {
    if (request.query.starts_with("partNumber")) {
      connections.insert(request.connection);
      bytes += request.body_bytes;
      CHECK(request.query.ends_with("uploadId=up%2B1"));
    }
    if (request.query.starts_with("uploadId")) {
      CHECK(request.body.find("<PartNumber>32</PartNumber><ETag>&quot;partNumber=32&quot;") !=
            std::string::npos);
    }
  }
  CHECK(connections.size() == 8);
  CHECK(bytes == 32 * 1000 - 1);
  CHECK(count(server.requests(), "DELETE") == 0);
}

TEST_CASE("objects are read whole and in ranges") {
  constexpr uint64_t kSize = 1'000'003;
  Responder server([](const SeenRequest& request) { return act_as_s3(request, kSize); });
  LoadSpec spec = spec_for(server, Direction::get, {{"a", kSize}, {"b", kSize}});
  spec.threads = 2;
  spec.concurrency = 2;
  SUBCASE("whole") {
    const LoadResult result = run(spec);
    CHECK(result.bytes == 2 * kSize);
    CHECK(result.objects == 2);
    CHECK(result.requests.at("GetObject") == 2);
    CHECK(result.errors.empty());
  }
  SUBCASE("ranges") {
    spec.part_size = 100'000;
    const LoadResult result = run(spec);
    CHECK(result.bytes == 2 * kSize);
    CHECK(result.objects == 2);
    CHECK(result.requests.at("GetObject") == 22);
    CHECK(result.errors.empty());
  }
  // A download makes no bucket.
  CHECK(count(server.requests(), "HEAD") == 0);
  CHECK(count(server.requests(), "PUT") == 0);
}

TEST_CASE("answers in small pieces, behind interim ones, and chunked") {
  Responder server([](const SeenRequest& request) {
    CannedReply reply = act_as_s3(request, 2000);
    reply.bytes =
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\nX: y\r\n\r\n" + reply.bytes;
    if (request.query.starts_with("uploads"))
      reply.bytes =
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
          "8\r\n<R><Uplo\r\n15\r\nadId>x</UploadId></R>\r\n0\r\n\r\n";
    reply.piece = 7;
    return reply;
  });
  LoadSpec put = spec_for(server, Direction::put, {{"a", 100}});
  put.part_size = 50;
  CHECK(run(put).objects == 1);
  const LoadResult got = run(spec_for(server, Direction::get, {{"a", 2000}}));
  CHECK(got.objects == 1);
  CHECK(got.errors.empty());
}

TEST_CASE("a server that closes after each answer costs a connection, not an error") {
  Responder server([](const SeenRequest& request) {
    CannedReply reply = act_as_s3(request, 5);
    reply.bytes.insert(reply.bytes.find("\r\n") + 2, "Connection: close\r\n");
    reply.close = true;
    return reply;
  });
  LoadSpec spec = spec_for(server, Direction::get, {{"a", 5}});
  spec.max_objects = 20;
  const LoadResult result = run(spec);
  CHECK(result.objects == 20);
  CHECK(result.errors.empty());
}

TEST_CASE("limits: the first reached ends the run") {
  Responder server([](const SeenRequest& request) { return act_as_s3(request, 1000); });
  LoadSpec spec = spec_for(server, Direction::get, {{"a", 1000}, {"b", 1000}});
  SUBCASE("objects") {
    spec.max_objects = 7;
    spec.duration = std::chrono::hours(1);
    CHECK(run(spec).objects == 7);
  }
  SUBCASE("bytes") {
    spec.max_bytes = 4001;
    CHECK(run(spec).bytes == 5000);
  }
  SUBCASE("time") {
    spec.duration = milliseconds(200);
    spec.concurrency = 3;
    const LoadResult result = run(spec);
    CHECK(result.objects > 3);
    CHECK(result.seconds >= 0.1);
    CHECK(result.seconds < 5);
  }
}

TEST_CASE("refusals are counted by class and not retried, and the run goes on") {
  std::atomic<int> seen{0};
  Responder server([&](const SeenRequest& request) -> CannedReply {
    if (is_object(request) && request.path.ends_with("bad")) {
      ++seen;
      return {refusal("503 Slow Down", "SlowDown")};
    }
    return act_as_s3(request, 0);
  });
  LoadSpec spec = spec_for(server, Direction::put, {{"a", 10}, {"bad", 10}, {"c", 10}});
  const LoadResult result = run(spec);
  CHECK(result.bytes == 20);
  CHECK(result.objects == 2);
  CHECK(result.errors == std::map<std::string, uint64_t>{{"503 SlowDown", 1}});
  CHECK(result.first_error == "PutObject bkt/bad: 503 SlowDown: m");
  CHECK(result.requests.at("PutObject") == 3);
  CHECK(count(server.requests(), "PUT") == 3);
}

TEST_CASE("an answer before the body was sent is read as what it is") {
  constexpr uint64_t kSize = 64 << 20;  // more than any socket buffer takes
  Responder server([](const SeenRequest& request) -> CannedReply {
    if (!request.path.ends_with("bad")) return act_as_s3(request, 0);
    CannedReply reply{refusal("403 Forbidden", "AccessDenied")};
    reply.before_body = true;
    reply.close = true;
    return reply;
  });
  LoadSpec spec = spec_for(server, Direction::put, {{"bad", kSize}, {"good", 100}});
  spec.part_size = kSize;
  const LoadResult result = run(spec);
  CHECK(result.objects == 1);
  CHECK(result.bytes == 100);
  REQUIRE(result.errors.size() == 1);
  // A reset may overtake the answer.
  const std::string what = result.errors.begin()->first;
  CHECK((what == "403 AccessDenied" || what == "reset" || what == "closed"));
}

TEST_CASE("an early answer is noticed though the server neither reads on nor closes") {
  std::atomic<bool> release{false};
  Responder server([&](const SeenRequest& request) -> CannedReply {
    if (request.path.ends_with("next")) {
      release = true;
      return act_as_s3(request, 0);
    }
    if (!request.path.ends_with("bad")) return act_as_s3(request, 0);
    CannedReply reply{refusal("503 Slow Down", "SlowDown")};
    reply.before_body = true;
    return reply;  // the rest of the body is then read as heads without end
  });
  LoadSpec spec = spec_for(server, Direction::put, {{"bad", 64 << 20}, {"next", 1}});
  const LoadResult result = run(spec);
  CHECK(result.errors == std::map<std::string, uint64_t>{{"503 SlowDown", 1}});
  CHECK(release);
}

TEST_CASE("wrong and broken answers are told apart") {
  const auto errors_of = [](const std::string& bytes, uint64_t part_size = 100) {
    Responder server([&](const SeenRequest&) { return CannedReply{bytes, true}; });
    LoadSpec spec = spec_for(server, Direction::get, {{"a", 100}});
    spec.part_size = part_size;
    spec.patience = milliseconds(300);
    LoadProgress progress;
    const auto result = run_load(spec, progress);
    REQUIRE(result);
    CHECK(result->bytes == 0);
    CHECK(result->objects == 0);
    REQUIRE(result->errors.size() == 1);
    CHECK_FALSE(result->first_error.empty());
    return result->errors.begin()->first;
  };
  const std::string body(100, 'x');
  CHECK(errors_of("") == "closed");
  CHECK(errors_of("HTTP/1.1 20") == "closed");
  CHECK(errors_of("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort") == "closed");
  CHECK(errors_of("nonsense\r\n\r\n") == "malformed response");
  CHECK(errors_of("HTTP/1.1 200 OK\r\nX: " + std::string(70'000, 'x')) == "malformed response");
  CHECK(errors_of(http_reply("200 OK", "", "shorter object")) == "malformed response");
  CHECK(errors_of("HTTP/1.1 200 OK\r\n\r\n" + body) == "malformed response");
  CHECK(errors_of(http_reply("200 OK", "", body), 50) == "malformed response");
  CHECK(errors_of(http_reply("404 Not Found", "", "<Error><Code>NoSuchKey</Code></Error>")) ==
        "404 NoSuchKey");
  CHECK(errors_of(http_reply("502 Bad Gateway", "", "<html>")) == "502");
  CHECK(errors_of("HTTP/1.1 500 x\r\nContent-Length: 99999999999\r\n\r\n") == "malformed response");
}

TEST_CASE("a server that says nothing runs into the time limit") {
  Responder server([](const SeenRequest& request) {
    return request.headers.count("range") > 0 ? CannedReply{"HTTP/1.1 206 x\r\n"}
                                              : act_as_s3(request, 0);
  });
  LoadSpec spec = spec_for(server, Direction::get, {{"a", 2}});
  spec.part_size = 1;
  spec.concurrency = 2;
  spec.patience = milliseconds(200);
  const LoadResult result = run(spec);
  CHECK(result.errors.at("timeout") == 2);
  CHECK(result.seconds < 10);
}

TEST_CASE("a failed part aborts the upload, a failed completion too") {
  std::string bad_query, bad_answer;
  SUBCASE("part") {
    bad_query = "partNumber=2";
    bad_answer = refusal("500 Internal Server Error", "InternalError");
  }
  SUBCASE("part without an ETag") {
    bad_query = "partNumber=2";
    bad_answer = http_reply("200 OK", "", "");
  }
  SUBCASE("completion refused") {
    bad_query = "uploadId";
    bad_answer = refusal("400 Bad Request", "InvalidPart");
  }
  SUBCASE("completion that fails behind a 200") {
    bad_query = "uploadId";
    bad_answer = refusal("200 OK", "InternalError");
  }
  Responder server([&](const SeenRequest& request) -> CannedReply {
    if (request.method != "DELETE" && request.query.starts_with(bad_query)) return {bad_answer};
    return act_as_s3(request, 0);
  });
  LoadSpec spec = spec_for(server, Direction::put, {{"big", 500}});
  spec.part_size = 100;
  const LoadResult result = run(spec);
  CHECK(result.objects == 0);
  CHECK(result.errors.size() == 1);
  CHECK(result.requests.at("AbortMultipartUpload") == 1);
  CHECK(count(server.requests(), "DELETE", "uploadId=up%2B1") == 1);
  CHECK(result.bytes == count(server.requests(), "PUT", "partNumber=") * 100 -
                            (bad_query == "partNumber=2" ? 100 : 0));
}

TEST_CASE("an upload that time ran out for is aborted") {
  Responder server([](const SeenRequest& request) {
    if (request.query.starts_with("partNumber")) std::this_thread::sleep_for(milliseconds(20));
    return act_as_s3(request, 0);
  });
  LoadSpec spec = spec_for(server, Direction::put, {{"big", 1000}});
  spec.part_size = 1;
  spec.duration = milliseconds(100);
  const LoadResult result = run(spec);
  CHECK(result.objects == 0);
  CHECK(result.bytes > 0);
  CHECK(result.errors.empty());
  CHECK(count(server.requests(), "DELETE", "uploadId=") == 1);
}

TEST_CASE("many failures in a row end the run") {
  Responder server([](const SeenRequest& request) -> CannedReply {
    if (is_object(request)) return {refusal("403 Forbidden", "AccessDenied")};
    return act_as_s3(request, 0);
  });
  LoadSpec spec = spec_for(server, Direction::put, {{"a", 1}});
  spec.duration = std::chrono::hours(1);
  spec.threads = 2;
  const LoadResult result = run(spec);
  CHECK(result.errors.at("403 AccessDenied") >= 100);
  CHECK(result.errors.at("403 AccessDenied") <= 102);
  CHECK(result.gave_up.find("AccessDenied") != std::string::npos);
}

TEST_CASE("what cannot be run is an error") {
  LoadProgress progress;
  LoadSpec spec;
  spec.bucket = "bkt";
  spec.endpoint.host = "127.0.0.1";
  spec.endpoint.port = 1;
  CHECK(!run_load(spec, progress).ok());  // no objects
  spec.objects = {{"a", 10'001}};
  spec.part_size = 1;
  const auto parts = run_load(spec, progress);
  REQUIRE(!parts);
  CHECK(parts.error().message.find("parts") != std::string::npos);
  spec.part_size = 2;
  const auto unreachable = run_load(spec, progress);
  REQUIRE(!unreachable);
  CHECK(unreachable.error().message.find("cannot reach http://127.0.0.1:1") != std::string::npos);
  spec.objects = {{"a", 0}};
  spec.max_bytes = 1;
  CHECK(!run_load(spec, progress).ok());  // would never end
  spec.endpoint.host = "no-such-host.invalid";
  spec.max_bytes.reset();
  const auto unknown = run_load(spec, progress);
  REQUIRE(!unknown);
  CHECK(unknown.error().message.find("resolved") != std::string::npos);
}

TEST_CASE("a bucket that is refused is an error, one that is missing is made") {
  LoadProgress progress;
  for (const bool refuse : {true, false}) {
    CAPTURE(refuse);
    Responder server([&](const SeenRequest& request) -> CannedReply {
      if (request.method == "HEAD") return {"HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\n"};
      if (!is_object(request) && refuse) return {refusal("403 Forbidden", "AccessDenied")};
      return act_as_s3(request, 0);
    });
    const auto result = run_load(spec_for(server, Direction::put, {{"a", 1}}), progress);
    CHECK(result.ok() == !refuse);
    if (!result) CHECK(result.error().message == "cannot make bucket bkt: 403 AccessDenied: m");
  }
}

TEST_CASE("objects are deleted 1000 a request") {
  Responder server([](const SeenRequest& request) { return act_as_s3(request, 0); });
  std::vector<std::string> keys;
  for (int i = 0; i < 1001; ++i) keys.push_back("k<" + std::to_string(i));
  CHECK(delete_objects(server.endpoint(), "bkt", keys).ok());
  const auto requests = server.requests();
  REQUIRE(requests.size() == 2);
  CHECK(requests[0].query.starts_with("delete"));
  CHECK(requests[0].body.find("<Key>k&lt;0</Key>") != std::string::npos);
  CHECK(requests[1].body.find("<Key>k&lt;1000</Key>") != std::string::npos);
  CHECK(requests[0].headers.at("content-md5").size() == 24);
  CHECK(delete_objects(server.endpoint(), "bkt", {}).ok());
  CHECK(server.requests().size() == 2);
}

TEST_CASE("an object that cannot be deleted is an error") {
  Responder server([](const SeenRequest&) {
    return CannedReply{http_reply(
        "200 OK", "",
        "<DeleteResult><Error><Key>a</Key><Code>AccessDenied</Code></Error></DeleteResult>")};
  });
  CHECK(!delete_objects(server.endpoint(), "bkt", {"a"}).ok());
}
