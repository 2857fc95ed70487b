#include "client/http_call.hpp"

#include <doctest/doctest.h>

#include "tests/unit/responder.hpp"

using namespace mocks3;
using namespace mocks3::client;
using std::chrono::milliseconds;

namespace {

Result<HttpAnswer> call_with(CannedReply reply, bool no_body = false) {
  Responder server([&](const SeenRequest&) { return reply; });
  return http_call(server.endpoint(), "GET / HTTP/1.1\r\nHost: x\r\n\r\n", milliseconds(400),
                   no_body);
}

std::string failure_of(const CannedReply& reply) {
  const auto answer = call_with(reply);
  return answer ? "(an answer)" : answer.error().message;
}

bool says(const std::string& text, const char* what) { return text.find(what) != text.npos; }

}  // namespace

TEST_CASE("answers of every framing are read, whole and byte by byte") {
  for (const size_t piece : {SIZE_MAX, size_t{1}, size_t{3}}) {
    CAPTURE(piece);
    const auto plain = call_with({http_reply("200 OK", "X-A: b\r\n", "hello"), false, piece});
    REQUIRE(plain);
    CHECK(plain->status == 200);
    CHECK(plain->header("x-a") == "b");
    CHECK(plain->body == "hello");
    const auto chunked =
        call_with({"HTTP/1.1 200 OK\r\nTransfer-Encoding: "
                   "chunked\r\n\r\n3\r\nhel\r\n2;e=1\r\nlo\r\n0\r\n\r\n",
                   false, piece});
    REQUIRE(chunked);
    CHECK(chunked->body == "hello");
    const auto until_close = call_with({"HTTP/1.1 404 No\r\n\r\nhello", true, piece});
    REQUIRE(until_close);
    CHECK(until_close->status == 404);
    CHECK(until_close->body == "hello");
    const auto interim =
        call_with({"HTTP/1.1 100 Continue\r\n\r\n" + http_reply("200 OK", "", "x"), false, piece});
    REQUIRE(interim);
    CHECK(interim->body == "x");
  }
}

TEST_CASE("answers without a body end with their head") {
  const auto head = call_with({"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"}, true);
  REQUIRE(head);
  CHECK(head->body.empty());
  const auto none = call_with({"HTTP/1.1 204 No Content\r\n\r\n"});
  REQUIRE(none);
  CHECK(none->status == 204);
}

TEST_CASE("broken and missing answers are errors that name the server") {
  CHECK(says(failure_of({"", true}), "cannot reach http://127.0.0.1:"));
  CHECK(says(failure_of({"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx", true}), "broke off"));
  CHECK(says(failure_of({"SSH-2.0-x\r\n", true}), "not HTTP"));
  CHECK(says(failure_of({"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", true}),
             "malformed"));
  CHECK(says(failure_of({"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"}), "too long"));
  CHECK(says(failure_of({"HTTP/1.1 200 OK\r\n"}), "no complete answer"));  // and stays open
}

TEST_CASE("an address that answers is found, and one that does not is an error") {
  Endpoint endpoint;
  {
    Responder server([](const SeenRequest&) { return CannedReply{}; });
    endpoint = server.endpoint();
    CHECK(reachable_address(endpoint, milliseconds(500)).ok());
  }
  const auto refused = reachable_address(endpoint, milliseconds(500));
  REQUIRE(!refused);
  CHECK(says(refused.error().message, "Connection refused"));
}
