#include <doctest/doctest.h>

#include "tests/protocol/framing.hpp"

namespace mocks3::test {
namespace {

/// The first bytes of a TLS handshake.
const std::string kClientHello("\x16\x03\x01\x00\xf4\x01\x00\x00\xf0\x03\x03\x8a\x00\x5c\x11", 15);

void check_s3_error(const Response& answer, unsigned status) {
  CHECK(answer.status == status);
  CHECK(answer.header("content-type") == "application/xml");
  CHECK(answer.body.substr(0, 5) == "<?xml");
  CHECK_FALSE(answer.code().empty());
  CHECK_FALSE(between(answer.body, "Message").empty());
  CHECK_FALSE(answer.header("x-amz-request-id").empty());
  CHECK(between(answer.body, "RequestId") == answer.header("x-amz-request-id"));
}

void check_refused(const TestServer& server, std::string_view request) {
  CAPTURE(request.substr(0, 60));
  RawClient client(server.port());
  const Response answer = client.request(request);
  check_s3_error(answer, 400);
  CHECK(answer.header("connection") == "close");
  CHECK(client.closed_within(2000));
}

struct WrongRequest {
  const char* method;
  std::string target;
  unsigned status;
  const char* code;
};

const WrongRequest kWrongRequests[] = {
    {"PATCH", "/bkt/k", 405, "MethodNotAllowed"},
    {"PATCH", "/bkt", 405, "MethodNotAllowed"},
    {"BREW", "/bkt/k", 405, "MethodNotAllowed"},
    {"POST", "/", 405, "MethodNotAllowed"},
    {"get", "/bkt/k", 405, "MethodNotAllowed"},
    {"GET", "/bkt/%zz", 400, "InvalidURI"},
    {"GET", "/bkt/%4", 400, "InvalidURI"},
    {"GET", "/bkt/k%", 400, "InvalidURI"},
    {"GET", "/bkt?prefix=%zz", 400, "InvalidURI"},
    {"PUT", "/bkt/k?partNumber=x&uploadId=u", 400, "InvalidArgument"},
    {"PUT", "/bkt/k?partNumber=0&uploadId=u", 400, "InvalidArgument"},
    {"PUT", "/bkt/k?partNumber=10001&uploadId=u", 400, "InvalidArgument"},
    {"GET", "/bkt/k?partNumber=x", 400, "InvalidArgument"},
    {"GET", "/bkt/k?partNumber=0", 400, "InvalidArgument"},
    {"GET", "/bkt/k?partNumber=10001", 400, "InvalidArgument"},
    {"GET", "/bkt/k?partNumber=9", 416, "InvalidPartNumber"},
    {"PUT", "/bkt/k?uploadId=u", 400, "InvalidArgument"},
    {"GET", "/%zz/k", 400, "InvalidURI"},
    {"GET", "/bkt/k?%zz", 400, "InvalidURI"},
    {"GET", "/bkt/%ff", 400, "InvalidURI"},
    {"GET", "/bkt/%00", 400, "InvalidURI"},
    {"GET", "/bkt/missing", 404, "NoSuchKey"},
    {"GET", "/missing/k", 404, "NoSuchBucket"},
    {"PUT", "/bkt/" + std::string(1025, 'k'), 400, "KeyTooLongError"},
    {"PUT", "/-b/k", 400, "InvalidBucketName"}};

}  // namespace

TEST_CASE("faults B2: a head over the limit gets an S3 error") {
  const TestServer server;
  for (const std::string& request :
       {make_request("GET", "/bkt/k", {{"x-amz-meta-a", std::string(70'000, 'a')}}),
        make_request("GET", "/bkt/" + std::string(70'000, 'k')), std::string(200'000, 'G'),
        std::string(200'000, '\n')})
    check_refused(server, request);
  std::string many = "GET /bkt/k HTTP/1.1\r\n";
  for (int i = 0; i < 5000; ++i) many += "a: b\r\n";
  check_refused(server, many + "\r\n");
}

TEST_CASE("faults B7: requests that cannot be read get an S3 error, then the connection ends") {
  const TestServer server;
  for (const std::string& request :
       {std::string("nonsense\r\n\r\n"), kClientHello + std::string(200, '\0'), kClientHello,
        std::string("GET /bkt/k HTTP/2.0\r\n\r\n"), std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        std::string("GET /bkt/k\r\n\r\n"), std::string("GET  /bkt/k HTTP/1.1\r\n\r\n"),
        std::string("GET /bkt k HTTP/1.1\r\n\r\n"), std::string("GET /bkt/k HTTP/1.1\nHost: a\n\n"),
        std::string("GET /bkt/k HTTP/1.1\r\nHost: a\n\n"),
        std::string("GET /bkt/k HTTP/1.1\r\nBad Name: a\r\n\r\n"),
        std::string("GET /bkt/k HTTP/1.1\r\nNo colon\r\n\r\n"),
        std::string("GET /bkt/k HTTP/1.1\r\nA: b\r\n folded\r\n\r\n"),
        std::string("GET /bkt/k HTTP/1.1\r\nA: b\0c\r\n\r\n", 33)})
    check_refused(server, request);
}

TEST_CASE("faults B7: requests that are well-formed and wrong keep their connection") {
  const TestServer server;
  server.put("/bkt/k", "x");
  RawClient client(server.port());
  for (const WrongRequest& c : kWrongRequests) {
    CAPTURE(c.method);
    CAPTURE(c.target);
    const Response answer = client.request(make_request(c.method, c.target));
    check_s3_error(answer, c.status);
    CHECK(answer.code() == c.code);
  }
  for (const char* target : {"/bkt/%zz", "/bkt/k?partNumber=x"}) {
    const Response head = client.request(make_request("HEAD", target), true);
    CHECK(head.status == 400);
    CHECK(head.has("x-amz-request-id"));
  }
  CHECK(client.request(make_request("GET", "/bkt/k")).status == 200);
}

TEST_CASE("faults B10: a chunked request of HTTP/1.0 ends its connection, two Hosts are refused") {
  const TestServer server;
  RawClient client(server.port());
  const Response answer = client.request(
      "PUT /bkt/k HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n" +
      http_chunked("abc", 2));
  CHECK(answer.status == 200);
  CHECK(answer.header("connection") == "close");
  CHECK(client.closed_within(2000));
  CHECK(server.size_of("/bkt/k") == "3");
  check_refused(server, "GET /bkt/k HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
}

TEST_CASE("faults B10: lengths on which two readers could disagree are refused") {
  const TestServer server;
  const std::string put = "PUT /bkt/k HTTP/1.1\r\nHost: a\r\n";
  for (const char* framing :
       {"Content-Length: 3\r\nContent-Length: 3\r\n", "Content-Length: 3\r\nContent-Length: 4\r\n",
        "Content-Length: 3, 3\r\n", "Content-Length: -3\r\n", "Content-Length: +3\r\n",
        "Content-Length: 0x3\r\n", "Content-Length: 3 3\r\n", "Content-Length: \r\n",
        "Content-Length: 99999999999999999999\r\n",
        "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "Transfer-Encoding: gzip\r\n",
        "Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"})
    check_refused(server, put + framing + "\r\nabc");
  CHECK(server.size_of("/bkt/k") == "none");
}

}  // namespace mocks3::test
