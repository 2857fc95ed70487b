#include <doctest/doctest.h>

#include <chrono>

#include "shared/util/process_usage.hpp"
#include "shared/util/units.hpp"
#include "tests/protocol/framing.hpp"

namespace mocks3::test {
namespace {

server::Options strict_options() {
  server::Options options = test_options();
  options.strict_buckets = true;
  return options;
}

const std::string kBlock(1 << 20, 'x');
constexpr uint64_t kBlocks = 100 / kSlowdown;

std::string head_of_put(std::string_view target, uint64_t length, const Headers& more = {}) {
  return make_request("PUT", target, with({{"Content-Length", std::to_string(length)}}, more));
}

}  // namespace

TEST_CASE("faults B1: a megabyte and a byte, with the length and without") {
  const TestServer server;
  const std::string payload(1'048'577, 'x');
  CHECK(server.put("/bkt/k", payload).status == 200);
  CHECK(server.size_of("/bkt/k") == "1048577");
  const Headers chunked = {{"Transfer-Encoding", "chunked"}};
  CHECK(server.put("/bkt/c", http_chunked(payload, 65536), chunked).status == 200);
  CHECK(server.size_of("/bkt/c") == "1048577");
}

TEST_CASE("faults B1: memory stays flat while the largest single upload streams in") {
  const TestServer server;
  const uint64_t size = 5 * kGiB / kSlowdown;
  server.put("/bkt/warm", kBlock);
  const uint64_t before = own_usage().rss_bytes;
  RawClient client(server.port());
  client.send(head_of_put("/bkt/k", size));
  CHECK(client.send_repeated(kBlock, size / kBlock.size()));
  CHECK(client.receive().status == 200);
  CHECK(own_usage().rss_bytes < before + 16 * kMiB);
  CHECK(server.size_of("/bkt/k") == std::to_string(size));
}

TEST_CASE("faults B1: a body over the limit of a single upload is refused before it comes") {
  const TestServer server;
  constexpr uint64_t kLimit = 5 * kGiB;
  RawClient client(server.port());
  const Response answer = client.request(head_of_put("/bkt/k", kLimit + 1));
  CHECK(answer.status == 400);
  CHECK(answer.code() == "EntityTooLarge");
  CHECK(RawClient(server.port())
            .request(head_of_put("/bkt/k", kLimit, {{"Expect", "100-continue"}}))
            .status == 100);
  CHECK(server.size_of("/bkt/k") == "none");
  const Response decoded = RawClient(server.port())
                               .request(make_request("PUT", "/bkt/k",
                                                     with(streaming_headers(kLimit + 1),
                                                          {{"Transfer-Encoding", "chunked"}})));
  CHECK(decoded.code() == "EntityTooLarge");
}

TEST_CASE("faults B3: an error known from the head is seen by a client that sends anyway") {
  const TestServer server(strict_options());
  RawClient client(server.port());
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    REQUIRE(client.send(head_of_put("/missing/k", kBlocks * kBlock.size())));
    REQUIRE(client.send_repeated(kBlock, kBlocks));
    const Response answer = client.receive();
    CHECK(answer.status == 404);
    REQUIRE(answer.code() == "NoSuchBucket");
  }
  CHECK(client.request(make_request("GET", "/")).status == 200);
}

TEST_CASE("faults B3: an early error in every framing leaves the connection in step") {
  const TestServer server(strict_options());
  RawClient client(server.port());
  const std::string framed = aws_chunked(std::string(200'000, 'x'), 65536);
  const Headers chunked = {{"Transfer-Encoding", "chunked"}};
  for (const auto& [headers, body] : std::vector<std::pair<Headers, std::string>>{
           {{}, framed},
           {streaming_headers(200'000), framed},
           {chunked, http_chunked(framed, 1000)},
           {with(chunked, streaming_headers(200'000)), http_chunked(framed, 8192)}}) {
    client.send(make_request("PUT", "/missing/k", headers, body) + make_request("GET", "/"));
    CHECK(client.receive().status == 404);
    CHECK(client.receive().status == 200);
  }
}

TEST_CASE("faults B3: an early error on a connection that is to close is seen too") {
  const TestServer server(strict_options());
  for (const Headers& headers : {Headers{{"Connection", "close"}},
                                 Headers{{"Connection", "close"}, {"Expect", "100-continue"}}})
    for (int i = 0; i < 10; ++i) {
      RawClient client(server.port());
      CHECK(client.send(head_of_put("/missing/k", kBlocks * kBlock.size(), headers)));
      CHECK(client.send_repeated(kBlock, kBlocks));
      CHECK(client.receive().code() == "NoSuchBucket");
      client.shutdown_send();
      CHECK(client.closed_within(2000));
    }
}

TEST_CASE("faults B3: XML that grows too large is refused and the connection stays in step") {
  const TestServer server;
  server.put("/bkt/k", "x");
  RawClient client(server.port());
  const std::string spaces(9 << 20, ' ');
  const Headers chunked = {{"Transfer-Encoding", "chunked"}};
  for (const std::string& request :
       {make_request("POST", "/bkt?delete", {}, spaces),
        make_request("POST", "/bkt?delete", chunked, http_chunked(spaces, 65536)),
        make_request("POST", "/bkt?delete", with(chunked, {{"Content-Encoding", "aws-chunked"}}),
                     http_chunked(aws_chunked(spaces, 8192), 10000))}) {
    client.send(request + make_request("GET", "/bkt/k"));
    CHECK(client.receive().status == 400);
    CHECK(client.receive().status == 200);
  }
}

TEST_CASE("faults B3: a GET or DELETE with a body is answered and the body dropped") {
  const TestServer server;
  server.put("/bkt/k", "123");
  RawClient client(server.port());
  for (const char* method : {"GET", "HEAD", "DELETE"}) {
    const bool head = std::string_view(method) == "HEAD";
    client.send(make_request(method, "/bkt/k", {}, std::string(100'000, 'x')));
    const unsigned status = client.receive(head).status;
    CHECK((status == 200 || status == 204));
  }
  CHECK(client.request(make_request("GET", "/bkt")).status == 200);
}

TEST_CASE("faults B4: Expect is answered by 100 at once, in any spelling") {
  const TestServer server;
  RawClient client(server.port());
  auto least = std::chrono::nanoseconds::max();
  for (const char* value : {"100-continue", "100-Continue", "100-CONTINUE"})
    for (int i = 0; i < 5; ++i) {
      const auto start = std::chrono::steady_clock::now();
      const Response go = client.request(head_of_put("/bkt/k", 3, {{"Expect", value}}));
      least = std::min<std::chrono::nanoseconds>(least, std::chrono::steady_clock::now() - start);
      CHECK(go.head == "HTTP/1.1 100 Continue\r\n\r\n");
      CHECK(client.request("abc").status == 200);
    }
  // The best of them: a busy machine may hold up any one.
  CHECK(least < std::chrono::milliseconds(10));
  CHECK(server.size_of("/bkt/k") == "3");
}

TEST_CASE("faults B4: Expect with the body already there needs no 100") {
  const TestServer server;
  RawClient client(server.port());
  const Headers expect = {{"Expect", "100-continue"}};
  Response answer = client.request(make_request("PUT", "/bkt/k", expect, "abc"));
  if (answer.status == 100) answer = client.receive();
  CHECK(answer.status == 200);
  CHECK(client.request(make_request("GET", "/bkt/k")).body.size() == 3);
}

TEST_CASE(
    "faults B4: Expect before an empty body gets its 100, or an error and the end"
    "connection") {
  // botocore 1.43 takes a final answer at that place for the one to its next request.
  const TestServer server(strict_options());
  server.put("/bkt", "");
  RawClient client(server.port());
  const Headers expect = {{"Expect", "100-continue"}};
  for (int i = 0; i < 2; ++i) {
    CHECK(client.request(make_request("PUT", "/bkt/empty", expect)).status == 100);
    CHECK(client.receive().status == 200);
  }
  const Response refused = client.request(make_request("PUT", "/missing/empty", expect));
  CHECK(refused.status == 404);
  CHECK(refused.header("connection") == "close");
}

TEST_CASE("faults B4: Expect works with chunked bodies and for parts") {
  const TestServer server;
  RawClient client(server.port());
  const Headers chunked = {{"Expect", "100-continue"}, {"Transfer-Encoding", "chunked"}};
  CHECK(client.request(make_request("PUT", "/bkt/k", with(chunked, streaming_headers(9)))).status ==
        100);
  CHECK(client.request(http_chunked(kFramedNine, 7)).status == 200);
  const std::string id = between(server.post("/bkt/m?uploads", "").body, "UploadId");
  const std::string target = "/bkt/m?partNumber=1&uploadId=" + id;
  CHECK(client.request(head_of_put(target, 3, {{"Expect", "100-continue"}})).status == 100);
  CHECK(client.request("abc").status == 200);
}

TEST_CASE(
    "faults B4: Expect with a wrong head gets the error, and no body is taken for a request") {
  const TestServer server(strict_options());
  RawClient client(server.port());
  const Headers expect = {{"Expect", "100-continue"}};
  const Response answer = client.request(head_of_put("/missing/k", 100, expect));
  CHECK(answer.status == 404);
  CHECK(answer.code() == "NoSuchBucket");
  CHECK(answer.header("connection") == "close");
  client.send(make_request("GET", "/"));
  CHECK(client.receive().status == 0);
  CHECK(client.closed_within(2000));
}

TEST_CASE("faults B4: whatever is wrong with the head is told before the body is sent") {
  const TestServer server;
  server.put("/bkt/k", "x");
  struct Case {
    std::string target;
    Headers headers;
    const char* code;
  };
  for (const Case& c :
       std::vector<Case>{{"/bkt/k", {{"If-None-Match", "*"}}, "PreconditionFailed"},
                         {"/bkt/none", {{"If-Match", "\"x\""}}, "NoSuchKey"},
                         {"/bkt/k", {{"Content-MD5", "x"}}, "InvalidDigest"},
                         {"/bkt/k", {{"x-amz-checksum-crc32", "x"}}, "InvalidRequest"},
                         {"/bkt/k", {{"x-amz-meta-a", std::string(3000, 'a')}}, "MetadataTooLarge"},
                         {"/bkt/" + std::string(1025, 'k'), {}, "KeyTooLongError"},
                         {"/bkt/k?partNumber=0&uploadId=u", {}, "InvalidArgument"},
                         {"/bkt/k?partNumber=1&uploadId=u", {}, "NoSuchUpload"},
                         {"/-b/k", {}, "InvalidBucketName"}}) {
    CAPTURE(c.target);
    RawClient client(server.port());
    const Response answer =
        client.request(head_of_put(c.target, 100, with({{"Expect", "100-continue"}}, c.headers)));
    CHECK(answer.code() == c.code);
    CHECK(answer.header("connection") == "close");
    CHECK(client.closed_within(2000));
  }
  CHECK(server.size_of("/bkt/k") == "1");
}

TEST_CASE("faults B6: plain HTTP chunks without a length are an upload") {
  const TestServer server;
  const Headers chunked = {{"Transfer-Encoding", "chunked"}};
  const std::string payload(200'000, 'x');
  for (const size_t chunk : std::vector<size_t>{1000, 65524, 200'000})
    check_put(server, chunked, http_chunked(payload, chunk), "200000");
  check_put(server, chunked, "0\r\n\r\n", "0");
  check_put(server, chunked, "5;name=value\r\nabcde\r\n0\r\nX-Trailer: 1\r\n\r\n", "5");
}

}  // namespace mocks3::test
