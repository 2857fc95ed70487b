#include <doctest/doctest.h>

#include "tests/protocol/framing.hpp"
#include "tests/protocol/multipart_upload.hpp"

namespace mocks3::test {
namespace {

const Headers kChunked = {{"Transfer-Encoding", "chunked"}};

std::string put_request(std::string_view target, const Headers& headers, std::string_view body) {
  return make_request("PUT", target, headers, body);
}

}  // namespace

TEST_CASE("faults A1: aws-chunked framing never counts in the size") {
  const TestServer server;
  const Response put = server.put("/bkt/k", kFramedNine, streaming_headers(9));
  CHECK(put.status == 200);
  CHECK(put.header("etag").size() > 34);
  CHECK(server.size_of("/bkt/k") == "9");
  CHECK(server.get("/bkt/k").body.size() == 9);
  const Response list = server.get("/bkt?list-type=2");
  CHECK(between(list.body, "Size") == "9");
}

TEST_CASE("faults A1: framing never counts in the size of a part") {
  const TestServer server;
  MultipartUpload upload(server);
  const Response part = upload.put("1", kFramedNine, streaming_headers(9));
  CHECK(part.status == 200);
  CHECK(between(server.get("/bkt/k?uploadId=" + upload.id()).body, "Size") == "9");
  CHECK(upload.complete({{1, part.header("etag")}}).status == 200);
  CHECK(server.size_of("/bkt/k") == "9");
  CHECK(between(server.get("/bkt").body, "Size") == "9");
}

TEST_CASE("faults A2: any single sign of aws-chunked is enough") {
  const TestServer server;
  for (const Headers& sign :
       std::vector<Headers>{{{"Content-Encoding", "aws-chunked"}},
                            {{"content-encoding", "AWS-Chunked"}},
                            {{"x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"}},
                            {{"X-Amz-Content-SHA256", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"}},
                            {{"x-amz-decoded-content-length", "9"}}}) {
    check_put(server, sign, kFramedNine, "9");
    check_put(server, sign, signed_nine(false), "9");
    check_put(server, sign, signed_nine(true), "9");
    check_put(server, sign, "9;chunk-signature=;other=\"1\"\r\n123456789\r\n0\r\n\r\n", "9");
    check_put(server, sign, "009\r\n123456789\r\n000\r\n\r\n", "9");
  }
}

TEST_CASE("faults A2: an identity body is not taken for framing") {
  const TestServer server;
  for (const char* value :
       {"UNSIGNED-PAYLOAD", "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225"})
    check_put(server, {{"x-amz-content-sha256", value}}, kFramedNine, "58");
  check_put(server, {{"Content-Encoding", "gzip"}}, kFramedNine, "58");
  check_put(server, {}, kFramedNine, "58");
}

TEST_CASE("faults A3: every STREAMING- value is accepted, with and without trailer") {
  const TestServer server;
  for (const char* value :
       {"STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
        "STREAMING-UNSIGNED-PAYLOAD-TRAILER", "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD",
        "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD-TRAILER"}) {
    const Headers headers = {{"x-amz-content-sha256", value}};
    check_put(server, headers, kFramedNine, "9");
    check_put(server, headers, signed_nine(false), "9");
    check_put(server, headers, signed_nine(true), "9");
    check_put(server, headers, "0\r\n\r\n", "0");
  }
}

TEST_CASE("faults A4: Content-Encoding is given back without aws-chunked") {
  const TestServer server;
  struct Case {
    std::string sent, kept;
  };
  for (const Case& c : std::vector<Case>{{"aws-chunked,gzip", "gzip"},
                                         {"aws-chunked, gzip", "gzip"},
                                         {"gzip,aws-chunked", "gzip"},
                                         {"aws-chunked", ""}}) {
    CAPTURE(c.sent);
    CHECK(server.put("/bkt/k", kFramedNine, {{"Content-Encoding", c.sent}}).status == 200);
    const Response head = server.head("/bkt/k");
    CHECK(head.header("content-encoding") == c.kept);
    CHECK(head.has("content-encoding") == !c.kept.empty());
    CHECK(server.get("/bkt/k").header("content-encoding") == c.kept);
  }
}

TEST_CASE("faults A4: CreateMultipartUpload keeps Content-Encoding without aws-chunked") {
  const TestServer server;
  const Response created =
      server.post("/bkt/k?uploads", "", {{"Content-Encoding", "aws-chunked,gzip"}});
  REQUIRE(created.status == 200);
  const std::string id = between(created.body, "UploadId");
  const Response part =
      server.put("/bkt/k?partNumber=1&uploadId=" + id, kFramedNine, streaming_headers(9));
  REQUIRE(part.status == 200);
  REQUIRE(server.post("/bkt/k?uploadId=" + id, complete_xml({{1, part.header("etag")}})).status ==
          200);
  const Response head = server.head("/bkt/k");
  CHECK(head.header("content-encoding") == "gzip");
  CHECK(head.header("content-length") == "9");
}

TEST_CASE("faults A5: an upload in aws-chunked may be cut anywhere on its way") {
  const TestServer server;
  RawClient client(server.port());
  const std::string request = put_request("/bkt/k", streaming_headers(9), kFramedNine);
  for (size_t cut = 1; cut < request.size(); ++cut) {
    client.send(std::string_view(request).substr(0, cut));
    if (cut % 8 == 0) pause(1);
    CAPTURE(cut);
    REQUIRE(client.request(std::string_view(request).substr(cut)).status == 200);
  }
  CHECK(server.size_of("/bkt/k") == "9");
}

TEST_CASE("faults A5: an upload may come byte by byte in every framing") {
  const TestServer server;
  RawClient client(server.port());
  const std::string chunked = http_chunked(kFramedNine, 7);
  for (const std::string& request :
       {put_request("/bkt/identity", {}, "123456789"),
        put_request("/bkt/aws", streaming_headers(9), kFramedNine),
        put_request("/bkt/signed", streaming_headers(9), signed_nine(true)),
        put_request("/bkt/chunked", kChunked, http_chunked("123456789", 2)),
        put_request("/bkt/nested", with(streaming_headers(9), kChunked), chunked)}) {
    client.send_bytewise(request);
    CHECK(client.receive().status == 200);
  }
  for (const char* key : {"identity", "aws", "signed", "chunked", "nested"})
    CHECK(server.size_of(std::string("/bkt/") + key) == "9");
}

TEST_CASE("faults A5: size lines that end where a read of the server ends") {
  // The server reads 16 KiB at a time, and 512 bytes behind a chunk of that size or more.
  const TestServer server;
  RawClient client(server.port());
  for (const auto& [chunk, read] :
       std::vector<std::pair<size_t, size_t>>{{0, 16 * 1024}, {16 * 1024, 512}, {64 * 1024, 512}}) {
    const std::string first = chunk > 0 ? http_chunk(std::string(chunk, 'x')) : "";
    for (size_t length = read - 500 * (chunk == 0) - 50; length <= read; ++length) {
      const std::string body =
          first + http_chunk(std::string(length, 'x')) + std::string(kFramedNine);
      CAPTURE(chunk);
      CAPTURE(length);
      const size_t size = chunk + length + 9;
      REQUIRE(client.request(put_request("/bkt/k", streaming_headers(size), body)).status == 200);
      const Response head = client.request(make_request("HEAD", "/bkt/k"), true);
      REQUIRE(head.header("content-length") == std::to_string(size));
    }
  }
}

TEST_CASE("faults A5: one chunk of 64 MiB") {
  const TestServer server;
  const size_t size = (64 << 20) / kSlowdown;
  for (const Headers& outer : {Headers{}, kChunked}) {
    const std::string framed = aws_chunked(std::string(size, 'x'), size);
    const std::string body = outer.empty() ? framed : http_chunked(framed, framed.size());
    check_put(server, with(streaming_headers(size), outer), body, std::to_string(size));
  }
}

TEST_CASE("faults A5: a request right behind a framed body is answered next") {
  const TestServer server;
  RawClient client(server.port());
  const std::string payload((9 << 20) / kSlowdown, 'x');
  const std::string head = make_request("HEAD", "/bkt/k");
  for (const size_t chunk : {payload.size(), size_t{65536}, size_t{100}}) {
    CAPTURE(chunk);
    const std::string body = aws_chunked(payload, chunk);
    const auto headers = streaming_headers(payload.size());
    client.send(put_request("/bkt/k", headers, body) + head);
    CHECK(client.receive().status == 200);
    CHECK(client.receive(true).header("content-length") == std::to_string(payload.size()));
    client.send(put_request("/bkt/k", with(headers, kChunked), http_chunked(body, 131072)) + head);
    CHECK(client.receive().status == 200);
    CHECK(client.receive(true).header("content-length") == std::to_string(payload.size()));
  }
}

TEST_CASE("faults A5: size lines that end at any place of a read") {
  const TestServer server;
  RawClient client(server.port());
  for (size_t size = 8000; size < 8300; size += 3) {
    const std::string body = aws_chunked(std::string(size, 'x'), size / 2);
    CAPTURE(size);
    REQUIRE(client.request(put_request("/bkt/k", streaming_headers(size), body)).status == 200);
    const Response head = client.request(make_request("HEAD", "/bkt/k"), true);
    REQUIRE(head.header("content-length") == std::to_string(size));
  }
}

TEST_CASE("faults A6: aws-chunked inside HTTP chunks of any size") {
  const TestServer server;
  const std::string payload(5000, 'x');
  for (const size_t outer : std::vector<size_t>{1, 7, 1000, 100000})
    for (const size_t inner : std::vector<size_t>{1, 64, 1000, 5000})
      check_put(server, with(streaming_headers(5000), kChunked),
                http_chunked(aws_chunked(payload, inner), outer), "5000");
}

TEST_CASE("faults A6: aws chunks that are three HTTP chunks each") {
  const TestServer server;
  const std::string payload(300'000, 'x');
  check_put(server, with(streaming_headers(payload.size()), kChunked),
            nested_piecewise(payload, 65536), "300000");
}

}  // namespace mocks3::test
