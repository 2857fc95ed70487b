#include <doctest/doctest.h>

#include <random>

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

}  // namespace

TEST_CASE("requests that cannot be read get an S3 error, then the connection ends") {
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

TEST_CASE("lengths on which two readers could disagree are refused") {
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

TEST_CASE("a head over the limit gets an S3 error") {
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

TEST_CASE("requests that are well-formed and wrong keep their connection") {
  const TestServer server;
  server.put("/bkt/k", "x");
  const std::string id = between(server.post("/bkt/k?uploads", "").body, "UploadId");
  RawClient client(server.port());
  struct Case {
    const char* method;
    std::string target;
    unsigned status;
    const char* code;
  };
  for (const Case& c :
       std::vector<Case>{{"PATCH", "/bkt/k", 405, "MethodNotAllowed"},
                         {"PATCH", "/bkt", 405, "MethodNotAllowed"},
                         {"BREW", "/bkt/k", 405, "MethodNotAllowed"},
                         {"POST", "/", 405, "MethodNotAllowed"},
                         {"GET", "/bkt/%zz", 400, "InvalidURI"},
                         {"GET", "/bkt/%4", 400, "InvalidURI"},
                         {"GET", "/bkt/k%", 400, "InvalidURI"},
                         {"GET", "/bkt?prefix=%zz", 400, "InvalidURI"},
                         {"PUT", "/bkt/k?partNumber=x&uploadId=" + id, 400, "InvalidArgument"},
                         {"PUT", "/bkt/k?partNumber=0&uploadId=" + id, 400, "InvalidArgument"},
                         {"PUT", "/bkt/k?partNumber=10001&uploadId=" + id, 400, "InvalidArgument"},
                         {"GET", "/bkt/missing", 404, "NoSuchKey"},
                         {"GET", "/missing/k", 404, "NoSuchBucket"},
                         {"PUT", "/bkt/" + std::string(1025, 'k'), 400, "KeyTooLongError"},
                         {"PUT", "/-b/k", 400, "InvalidBucketName"}}) {
    CAPTURE(c.method);
    CAPTURE(c.target);
    const Response answer = client.request(make_request(c.method, c.target));
    check_s3_error(answer, c.status);
    CHECK(answer.code() == c.code);
  }
  CHECK(client.request(make_request("GET", "/bkt/k")).status == 200);
}

TEST_CASE("the server goes on after random bytes") {
  const TestServer server;
  std::mt19937 random(20240611);
  for (int i = 0; i < 200; ++i) {
    std::string noise(1 + random() % 3000, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    RawClient client(server.port());
    client.send(noise);
    if (i % 3 == 0) client.abort();
  }
  CHECK(server.get("/").status == 200);
}

TEST_CASE("the server goes on after mutated requests") {
  const TestServer server;
  const std::vector<std::string> samples = {
      make_request("PUT", "/bkt/k", streaming_headers(9), kFramedNine),
      make_request("PUT", "/bkt/k", {{"Transfer-Encoding", "chunked"}},
                   http_chunked("123456789", 2)),
      make_request("POST", "/bkt?delete", {}, "<Delete><Object><Key>k</Key></Object></Delete>"),
      make_request("GET", "/bkt?list-type=2&prefix=a&delimiter=%2F&max-keys=7"),
      make_request("GET", "/bkt/k", {{"Range", "bytes=2-5"}, {"If-Match", "\"a\""}}),
      make_request("PUT", "/bkt/c", {{"x-amz-copy-source", "/bkt/k"}})};
  std::mt19937 random(7);
  for (int i = 0; i < 600; ++i) {
    std::string request = samples[static_cast<size_t>(i) % samples.size()];
    for (int changes = 1 + static_cast<int>(random() % 3); changes > 0; --changes) {
      const size_t at = random() % request.size();
      switch (random() % 3) {
        case 0:
          request[at] = static_cast<char>(random());
          break;
        case 1:
          request.erase(at, 1 + random() % 8);
          break;
        default:
          request.insert(at, request.substr(random() % request.size(), random() % 20));
      }
      if (request.empty()) request = "x";
    }
    RawClient client(server.port());
    client.send(request);
    client.shutdown_send();
    const Response answer = client.receive();
    CAPTURE(request);
    REQUIRE((answer.status < 500 || answer.status == 501));
  }
  CHECK(server.get("/").status == 200);
}

}  // namespace mocks3::test
