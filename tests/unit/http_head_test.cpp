#include "shared/net/http_head.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace mocks3;

namespace {

HeadResult parse(const std::string& text, RequestHead& head) {
  return parse_request_head({text.data(), text.size()}, head);
}
HeadStatus status_of(const std::string& text) {
  RequestHead head;
  return parse(text, head).status;
}

}  // namespace

TEST_CASE("a request head is split into views of the input") {
  const std::string text =
      "PUT /b/k%20x?x-id=PutObject HTTP/1.1\r\nHost: localhost:8080\r\nContent-Length: 5\r\n"
      "x-amz-meta-a:  two words \r\nExpect: 100-Continue\r\n\r\nhello";
  RequestHead head;
  const HeadResult result = parse(text, head);
  REQUIRE(result.status == HeadStatus::complete);
  CHECK(result.head_bytes == text.size() - 5);
  CHECK(head.method == "PUT");
  CHECK(head.target == "/b/k%20x?x-id=PutObject");
  CHECK(head.header("HOST") == "localhost:8080");
  CHECK(head.header("X-Amz-Meta-A") == "two words");
  CHECK(head.content_length == 5);
  CHECK(head.expect_continue);
  CHECK(head.keep_alive);
  CHECK_FALSE(head.http_chunked);
  CHECK(head.method.data() == text.data());
}

TEST_CASE("every prefix of a head is incomplete") {
  const std::string text = "GET /b/k HTTP/1.1\r\nHost: h\r\nRange: bytes=0-9\r\n\r\n";
  for (size_t n = 0; n < text.size(); ++n)
    CHECK_MESSAGE(status_of(text.substr(0, n)) == HeadStatus::incomplete, n);
  CHECK(status_of(text) == HeadStatus::complete);
}

TEST_CASE("leading empty lines are skipped and counted") {
  const std::string text = "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n";
  RequestHead head;
  const HeadResult result = parse(text, head);
  REQUIRE(result.status == HeadStatus::complete);
  CHECK(result.head_bytes == text.size());
  CHECK(head.method == "GET");
}

TEST_CASE("persistence follows version and Connection") {
  RequestHead head;
  parse("GET / HTTP/1.0\r\n\r\n", head);
  CHECK_FALSE(head.keep_alive);
  parse("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", head);
  CHECK(head.keep_alive);
  parse("PUT / HTTP/1.0\r\nConnection: Keep-Alive\r\nTransfer-Encoding: chunked\r\n\r\n", head);
  CHECK_FALSE(head.keep_alive);
  parse("GET / HTTP/1.1\r\nConnection: upgrade, close\r\n\r\n", head);
  CHECK_FALSE(head.keep_alive);
  parse("PUT / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n", head);
  CHECK_FALSE(head.expect_continue);
}

TEST_CASE("framing that two readers could read differently is refused") {
  const std::string start = "PUT /b/k HTTP/1.1\r\nHost: h\r\n";
  for (const char* fields :
       {"Content-Length: 5\r\nContent-Length: 5\r\n", "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding: gzip\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "Content-Length: -1\r\n",
        "Content-Length: 5x\r\n", "Content-Length: \r\n", "Content-Length: +5\r\n",
        "Content-Length: 5, 5\r\n", "Content-Length: 99999999999999999999\r\n", "X: a\r\n b\r\n",
        "host: h\r\n"}) {
    RequestHead head;
    const HeadResult result = parse(start + fields + "\r\n", head);
    CHECK_MESSAGE(result.status == HeadStatus::malformed, fields);
    CHECK_MESSAGE(!result.reason.empty(), fields);
  }
}

TEST_CASE("chunked is understood in any letter case") {
  RequestHead head;
  REQUIRE(parse("PUT /b/k HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n", head).status ==
          HeadStatus::complete);
  CHECK(head.http_chunked);
  CHECK_FALSE(head.content_length);
}

TEST_CASE("what is not HTTP is malformed at once, not waited for") {
  for (const std::string& text :
       {std::string("\x16\x03\x01\x02\x00\x01\x00", 7), std::string("GET /\r\n\r\n"),
        std::string("GET / HTTP/2.0\r\n\r\n"), std::string("GET / HTTP/1.1\nHost: h\n\n"),
        std::string("G@T / HTTP/1.1\r\n\r\n"), std::string("GET / HTTP/1.1\r\nbad name: x\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\n: x\r\n\r\n")})
    CHECK_MESSAGE(status_of(text) == HeadStatus::malformed, text);
}

TEST_CASE("a head up to the limit passes, a larger one is too large") {
  const std::string start = "GET / HTTP/1.1\r\nX: ";
  const std::string fits = start + std::string(kMaxHeadBytes - start.size() - 4, 'a') + "\r\n\r\n";
  CHECK(status_of(fits) == HeadStatus::complete);
  CHECK(status_of(start + std::string(kMaxHeadBytes, 'a')) == HeadStatus::too_large);
  CHECK(status_of(start + std::string(kMaxHeadBytes, 'a') + "\r\n\r\n") == HeadStatus::too_large);
  std::string many = "GET / HTTP/1.1\r\n";
  for (size_t i = 0; i < kMaxHeaders; ++i) many += "a: b\r\n";
  CHECK(status_of(many + "\r\n") == HeadStatus::complete);
  CHECK(status_of(many + "a: b\r\n\r\n") == HeadStatus::too_large);
}

TEST_CASE("non-ASCII bytes pass as they are, in targets and values") {
  const std::string text = "GET /b/\xe6\x97\xa5 HTTP/1.1\r\nx-amz-meta-n: \xe6\x97\xa5\r\n\r\n";
  RequestHead head;
  REQUIRE(parse(text, head).status == HeadStatus::complete);
  CHECK(head.target == "/b/\xe6\x97\xa5");
  CHECK(head.header("x-amz-meta-n") == "\xe6\x97\xa5");
}

TEST_CASE("a response head") {
  const std::string text =
      "HTTP/1.1 206 Partial Content\r\nContent-Length: 100\r\nContent-Range: bytes "
      "0-99/600\r\n\r\n";
  ResponseHead head;
  const HeadResult result = parse_response_head({text.data(), text.size()}, head);
  REQUIRE(result.status == HeadStatus::complete);
  CHECK(result.head_bytes == text.size());
  CHECK(head.status == 206);
  CHECK(head.content_length == 100);
  CHECK(head.header("content-range") == "bytes 0-99/600");
  CHECK(head.keep_alive);
  const std::string part = text.substr(0, 30);
  CHECK(parse_response_head({part.data(), part.size()}, head).status == HeadStatus::incomplete);
  const std::string bad = "HTP/1.1 200 OK\r\n\r\n";
  CHECK(parse_response_head({bad.data(), bad.size()}, head).status == HeadStatus::malformed);
}

TEST_CASE("100 Continue is a head of its own") {
  const std::string text = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n";
  ResponseHead head;
  const HeadResult result = parse_response_head({text.data(), text.size()}, head);
  REQUIRE(result.status == HeadStatus::complete);
  CHECK(head.status == 100);
  CHECK(result.head_bytes == 25);
}
