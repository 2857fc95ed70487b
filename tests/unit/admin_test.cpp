#include <nlohmann/json.hpp>

#include "tests/unit/handler_fixture.hpp"

using namespace mocks3;
using namespace mocks3::server;
using Json = nlohmann::json;

namespace {

Json json_of(const Reply& reply) { return Json::parse(text_of(reply)); }
const HandlerFixture::Headers kAllowed = {{"X-Mock-S3", "1"}};

}  // namespace

TEST_CASE("admin: health") {
  HandlerFixture server;
  const Reply reply = server.get("/_mock/health");
  CHECK(reply.status == 200);
  CHECK(header_of(reply, "Content-Type") == "application/json");
  CHECK(header_of(reply, "Cache-Control") == "no-store");
  CHECK(json_of(reply)["status"] == "ok");
  const Reply head = server.head("/_mock/health");
  CHECK(head.status == 200);
  CHECK(head.content_length == text_of(reply).size());
  CHECK(text_of(head).empty());
}

TEST_CASE("admin: statistics and the request log") {
  HandlerFixture server;
  RequestRecord record;
  record.op = S3Op::GetObject;
  record.status = 404;
  record.error_code = "NoSuchKey";
  record.completed = true;
  record.start_ns = 10;
  server.metrics.worker(0).record(std::move(record));
  CHECK(json_of(server.get("/_mock/stats"))["requests"] == 1);
  const auto logged = [&](const std::string& query) {
    return json_of(server.get("/_mock/requests" + query))["requests"].size();
  };
  CHECK(logged("") == 1);
  CHECK(logged("?errors") == 1);
  CHECK(logged("?errors&op=GetObject&since_ns=10&limit=5") == 1);
  CHECK(logged("?op=PutObject") == 0);
  CHECK(logged("?limit=0") == 0);
  CHECK(logged("?since_ns=11") == 0);
  CHECK(server.get("/_mock/requests?limit=x").status == 400);
  CHECK(server.get("/_mock/requests?since_ns=-1").status == 400);
}

TEST_CASE("admin: what is not there, and what is not allowed") {
  HandlerFixture server;
  CHECK(server.get("/_mock/nothing").status == 404);
  CHECK(server.get("/_mock/").status == 404);
  const Reply wrong = server.post("/_mock/health", "");
  CHECK(wrong.status == 405);
  CHECK(header_of(wrong, "Allow") == "GET");
  CHECK(header_of(server.get("/_mock/reset"), "Allow") == "POST");
  CHECK(json_of(wrong)["error"] == "MethodNotAllowed");
}

TEST_CASE("admin: a reset needs the header, and the token where there is one") {
  HandlerFixture open, closed(Options{.admin_token = "secret"});
  const auto status = [](HandlerFixture& server, const HandlerFixture::Headers& headers) {
    return server.post("/_mock/reset", "", headers).status;
  };
  CHECK(status(open, {}) == 403);
  CHECK(status(open, {{"X-Mock-S3", "0"}}) == 403);
  CHECK(status(open, kAllowed) == 200);
  CHECK(status(closed, kAllowed) == 403);
  CHECK(status(closed, {{"X-Mock-S3", "1"}, {"X-Mock-Token", "secre"}}) == 403);
  CHECK(status(closed, {{"X-Mock-Token", "secret"}}) == 403);
  CHECK(status(closed, {{"X-Mock-S3", "1"}, {"X-Mock-Token", "secret"}}) == 200);
  CHECK(json_of(open.post("/_mock/reset", ""))["error"] == "AccessDenied");
}

TEST_CASE("admin: reset, with and without objects") {
  HandlerFixture server(Options{.preload = {"bench/{0..3}:1MiB"}});
  RequestRecord record;
  record.op = S3Op::PutObject;
  server.metrics.worker(0).record(std::move(record));
  server.put("/bkt/k", 5);
  CHECK(server.post("/_mock/reset", "", kAllowed).status == 200);
  CHECK(json_of(server.get("/_mock/stats"))["requests"] == 0);
  CHECK(server.get("/bkt/k").status == 200);
  const Reply full = server.post("/_mock/reset?objects", "", kAllowed);
  CHECK(json_of(full)["objects"] == 4);
  CHECK(server.get("/bkt/k").status == 404);
  CHECK(server.head("/bench/3").content_length == 1024 * 1024);
}
