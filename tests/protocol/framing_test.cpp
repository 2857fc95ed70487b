#include "tests/protocol/framing.hpp"

#include <doctest/doctest.h>

namespace mocks3::test {
namespace {

const Headers kChunked = {{"Transfer-Encoding", "chunked"}};

std::string put_request(std::string_view target, const Headers& headers, std::string_view body) {
  return make_request("PUT", target, headers, body);
}

void check_put(const TestServer& server, const Headers& headers, std::string_view body,
               std::string_view size) {
  CAPTURE(headers.empty() ? "" : headers.front().second);
  server.remove("/bkt/checked");
  CHECK(server.put("/bkt/checked", body, headers).status == 200);
  CHECK(server.size_of("/bkt/checked") == size);
}

}  // namespace

TEST_CASE("aws-chunked framing never counts in the size") {
  const TestServer server;
  const Response put = server.put("/bkt/k", kFramedNine, streaming_headers(9));
  CHECK(put.status == 200);
  CHECK(put.header("etag").size() > 34);
  CHECK(server.size_of("/bkt/k") == "9");
  CHECK(server.get("/bkt/k").body.size() == 9);
  const Response list = server.get("/bkt?list-type=2");
  CHECK(between(list.body, "Size") == "9");
}

TEST_CASE("any single sign of aws-chunked is enough") {
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
  }
}

TEST_CASE("every STREAMING- value is accepted, with and without trailer") {
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

TEST_CASE("an identity body is not taken for framing") {
  const TestServer server;
  for (const char* value :
       {"UNSIGNED-PAYLOAD", "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225"})
    check_put(server, {{"x-amz-content-sha256", value}}, kFramedNine, "58");
  check_put(server, {{"Content-Encoding", "gzip"}}, kFramedNine, "58");
  check_put(server, {}, kFramedNine, "58");
}

TEST_CASE("a checksum algorithm may be named before its value comes in the trailer") {
  const TestServer server;
  check_put(server, with(streaming_headers(9), {{"x-amz-sdk-checksum-algorithm", "CRC64NVME"}}),
            kFramedNine, "9");
}

TEST_CASE("Content-Encoding is given back without aws-chunked") {
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

TEST_CASE("CreateMultipartUpload keeps Content-Encoding without aws-chunked") {
  const TestServer server;
  const Response created =
      server.post("/bkt/k?uploads", "", {{"Content-Encoding", "aws-chunked,gzip"}});
  REQUIRE(created.status == 200);
  const std::string id = between(created.body, "UploadId");
  const Response part =
      server.put("/bkt/k?partNumber=1&uploadId=" + id, kFramedNine, streaming_headers(9));
  REQUIRE(part.status == 200);
  const std::string list = "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>" +
                           part.header("etag") + "</ETag></Part></CompleteMultipartUpload>";
  REQUIRE(server.post("/bkt/k?uploadId=" + id, list).status == 200);
  const Response head = server.head("/bkt/k");
  CHECK(head.header("content-encoding") == "gzip");
  CHECK(head.header("content-length") == "9");
}

TEST_CASE("an upload in aws-chunked may be cut anywhere on its way") {
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

TEST_CASE("an upload may come byte by byte in every framing") {
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

TEST_CASE("aws-chunked inside HTTP chunks of any size") {
  const TestServer server;
  const std::string payload(5000, 'x');
  for (const size_t outer : std::vector<size_t>{1, 7, 1000, 100000})
    for (const size_t inner : std::vector<size_t>{1, 64, 1000, 5000})
      check_put(server, with(streaming_headers(5000), kChunked),
                http_chunked(aws_chunked(payload, inner), outer), "5000");
}

TEST_CASE("aws chunks that are three HTTP chunks each") {
  const TestServer server;
  const std::string payload(300'000, 'x');
  check_put(server, with(streaming_headers(payload.size()), kChunked),
            nested_piecewise(payload, 65536), "300000");
}

TEST_CASE("plain HTTP chunks without a length are an upload") {
  const TestServer server;
  const std::string payload(200'000, 'x');
  for (const size_t chunk : std::vector<size_t>{1000, 65524, 200'000})
    check_put(server, kChunked, http_chunked(payload, chunk), "200000");
  check_put(server, kChunked, "0\r\n\r\n", "0");
  check_put(server, kChunked, "5;name=value\r\nabcde\r\n0\r\nX-Trailer: 1\r\n\r\n", "5");
}

TEST_CASE("a request right behind a framed body is answered next") {
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

TEST_CASE("size lines that end at any place of a read") {
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

TEST_CASE("DeleteObjects takes a body in every framing and with any checksum") {
  const TestServer server;
  const std::string xml = "<Delete><Object><Key>k</Key></Object></Delete>";
  const std::string framed = aws_chunked(xml, 10);
  for (const auto& [headers, body] : std::vector<std::pair<Headers, std::string>>{
           {{}, xml},
           {{{"x-amz-checksum-crc32", "A8uZRQ=="}}, xml},
           {{{"Content-MD5", "5DKh5iefM5MSKvRILIuFwQ=="}}, xml},
           {streaming_headers(xml.size()), framed},
           {kChunked, http_chunked(xml, 7)},
           {with(streaming_headers(xml.size()), kChunked), http_chunked(framed, 7)}}) {
    server.put("/bkt/k", "x");
    const Response deleted = server.post("/bkt?delete", body, headers);
    CHECK(deleted.status == 200);
    CHECK(between(between(deleted.body, "Deleted"), "Key") == "k");
    CHECK(server.size_of("/bkt/k") == "none");
  }
}

TEST_CASE("no checksum is claimed for bytes that are not what was sent") {
  const TestServer server;
  server.put("/bkt/k", "123456789", {{"x-amz-checksum-crc32", "y/Q5Jg=="}});
  const Headers mode = {{"x-amz-checksum-mode", "ENABLED"}};
  const Headers range = {{"Range", "bytes=0-3"}};
  for (const Response& answer : {server.get("/bkt/k", mode), server.head("/bkt/k", mode),
                                 server.get("/bkt/k", with(mode, range))})
    CHECK(answer.head.find("x-amz-checksum-") == std::string::npos);
}

}  // namespace mocks3::test
