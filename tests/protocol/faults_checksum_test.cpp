#include <doctest/doctest.h>

#include "shared/util/encode.hpp"
#include "tests/protocol/framing.hpp"
#include "tests/protocol/multipart_upload.hpp"

namespace mocks3::test {
namespace {

const Headers kChunked = {{"Transfer-Encoding", "chunked"}};

/// A checksum of "123456789" in each algorithm, and of other bytes.
struct Sum {
  const char* algorithm;
  const char* right;
  const char* wrong;
};
const Sum kSums[] = {{"CRC32", "y/Q5Jg==", "AAAAAA=="},
                     {"CRC32C", "4waSgw==", "AAAAAA=="},
                     {"CRC64NVME", "rosUhgp5mIg=", "AAAAAAAAAAA="},
                     {"SHA1", "98O8HYCOBHMq32eZZczDTKeuNEE=", "AAAAAAAAAAAAAAAAAAAAAAAAAAA="},
                     {"SHA256", "FeKw08M4keuw8e9gnsQZQgwg4yDOlMZfvIwzEkSLsiU=",
                      "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}};

std::string header_name(const Sum& sum) { return "x-amz-checksum-" + to_lower(sum.algorithm); }

std::string trailer_body(const Sum& sum, const char* value) {
  return "9\r\n123456789\r\n0\r\n" + header_name(sum) + ":" + value + "\r\n\r\n";
}

}  // namespace

// Payload is dropped, not kept: a value that is well-formed is taken and echoed, right or wrong.
TEST_CASE("faults A7: checksums in headers and trailers are echoed on the upload") {
  const TestServer server;
  MultipartUpload upload(server);
  for (const Sum& sum : kSums)
    for (const char* value : {sum.right, sum.wrong}) {
      CAPTURE(sum.algorithm);
      const Headers header = {{header_name(sum), value}};
      const Headers trailer = {{"x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"},
                               {"x-amz-trailer", header_name(sum)}};
      for (const Response& put : {server.put("/bkt/k", "123456789", header),
                                  server.put("/bkt/k", trailer_body(sum, value), trailer)}) {
        CHECK(put.status == 200);
        CHECK(put.header(header_name(sum)) == value);
        CHECK(put.header("x-amz-checksum-type") == "FULL_OBJECT");
      }
      for (const Response& part : {upload.put("1", "123456789", header),
                                   upload.put("2", trailer_body(sum, value), trailer)}) {
        CHECK(part.status == 200);
        CHECK(part.header(header_name(sum)) == value);
      }
    }
}

TEST_CASE("faults A7: a value that is no checksum is refused and nothing is stored") {
  const TestServer server;
  const std::string etag = server.put("/bkt/k", "old").header("etag");
  const auto code = [&](const Headers& headers, std::string_view body = "123456789") {
    return server.put("/bkt/k", body, headers).code();
  };
  for (const Sum& sum : kSums)
    for (const char* value : {"", "no base64", "AAAA", "y/Q5Jg", "y/Q5Jg==-1"}) {
      CAPTURE(sum.algorithm);
      CAPTURE(value);
      CHECK(code({{header_name(sum), value}}) == "InvalidRequest");
      CHECK(code({{"Content-Encoding", "aws-chunked"}}, trailer_body(sum, value)) ==
            "InvalidRequest");
    }
  CHECK(code({{"x-amz-checksum-crc32", "y/Q5Jg=="}, {"x-amz-checksum-crc32c", "4waSgw=="}}) ==
        "InvalidRequest");
  for (const char* value : {"", "JfnnlDI7RTiF9RgfG2JNCw", "25f9e794323b453885f5181f1b624d0b"})
    CHECK(code({{"Content-MD5", value}}) == "InvalidDigest");
  CHECK(server.head("/bkt/k").header("etag") == etag);
  CHECK(server.size_of("/bkt/k") == "3");
}

TEST_CASE("faults A8: a checksum algorithm may be named before its value comes in the trailer") {
  const TestServer server;
  for (const Sum& sum : kSums)
    for (const std::string& name : {std::string(sum.algorithm), to_lower(sum.algorithm)}) {
      CAPTURE(name);
      const Headers named = {{"x-amz-sdk-checksum-algorithm", name}};
      check_put(server,
                with(named, {{"x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"},
                             {"x-amz-trailer", header_name(sum)}}),
                trailer_body(sum, sum.right), "9");
      check_put(server, with(named, {{header_name(sum), sum.right}}), "123456789", "9");
      check_put(server, {{header_name(sum), sum.right}}, "123456789", "9");
    }
}

TEST_CASE("faults A8: a checksum algorithm that is named and not there, or another one") {
  const TestServer server;
  const auto code = [&](const char* algorithm, const Headers& headers) {
    return server
        .put("/bkt/k", "123456789", with({{"x-amz-sdk-checksum-algorithm", algorithm}}, headers))
        .code();
  };
  CHECK(code("CRC32", {}) == "InvalidRequest");
  CHECK(code("CRC32", {{"x-amz-checksum-crc32c", "4waSgw=="}}) == "InvalidRequest");
  CHECK(code("CRC32", {{"x-amz-trailer", "x-amz-checksum-sha1"}}) == "InvalidRequest");
  CHECK(code("CRC16", {{"x-amz-checksum-crc32", "y/Q5Jg=="}}) == "InvalidRequest");
  CHECK(server.size_of("/bkt/k") == "none");
}

TEST_CASE("faults A9: each checksum algorithm has its types in a multipart upload") {
  const TestServer server;
  struct Case {
    const char* algorithm;
    const char* asked;
    const char* given;  ///< empty: refused
  };
  for (const Case& c : {Case{"CRC32", "", "COMPOSITE"},
                        {"CRC32C", "", "COMPOSITE"},
                        {"CRC64NVME", "", "FULL_OBJECT"},
                        {"SHA1", "", "COMPOSITE"},
                        {"SHA256", "", "COMPOSITE"},
                        {"CRC32", "FULL_OBJECT", "FULL_OBJECT"},
                        {"CRC32C", "FULL_OBJECT", "FULL_OBJECT"},
                        {"CRC64NVME", "FULL_OBJECT", "FULL_OBJECT"},
                        {"CRC32", "COMPOSITE", "COMPOSITE"},
                        {"SHA256", "COMPOSITE", "COMPOSITE"},
                        {"CRC64NVME", "COMPOSITE", ""},
                        {"SHA1", "FULL_OBJECT", ""},
                        {"SHA256", "FULL_OBJECT", ""},
                        {"CRC32", "OTHER", ""},
                        {"CRC16", "", ""},
                        {"", "FULL_OBJECT", ""}}) {
    CAPTURE(c.algorithm);
    CAPTURE(c.asked);
    Headers headers;
    if (*c.algorithm) headers.emplace_back("x-amz-checksum-algorithm", c.algorithm);
    if (*c.asked) headers.emplace_back("x-amz-checksum-type", c.asked);
    const Response created = server.post("/bkt/k?uploads", "", headers);
    CHECK(created.status == (*c.given ? 200 : 400));
    CHECK(created.code() == (*c.given ? "" : "InvalidRequest"));
    CHECK(created.header("x-amz-checksum-type") == c.given);
    CHECK(created.header("x-amz-checksum-algorithm") == (*c.given ? c.algorithm : ""));
  }
}

// No checksum of the whole object is made of the parts': their bytes are not kept.
TEST_CASE("faults A9: a multipart upload with checksums may be completed with and without them") {
  const TestServer server;
  for (const Sum& sum : kSums)
    for (const bool named : {false, true}) {
      CAPTURE(sum.algorithm);
      MultipartUpload upload(server, {{"x-amz-checksum-algorithm", sum.algorithm}});
      const Response part = upload.put("1", "123456789", {{header_name(sum), sum.right}});
      CHECK(part.header(header_name(sum)) == sum.right);
      std::string xml = complete_xml({{1, part.header("etag")}});
      const std::string element = std::string("Checksum") + sum.algorithm;
      if (named)
        xml.insert(xml.find("</Part>"), "<" + element + ">" + sum.right + "</" + element + ">");
      const Headers whole = {{header_name(sum), sum.right}, {"x-amz-mp-object-size", "9"}};
      CHECK(upload.complete_with(xml, named ? whole : Headers{}).status == 200);
      CHECK(server.size_of("/bkt/k") == "9");
    }
}

TEST_CASE("faults A10: DeleteObjects takes a body in every framing and with any checksum") {
  const TestServer server;
  const std::string xml = "<Delete><Object><Key>k</Key></Object></Delete>";
  const std::string framed = aws_chunked(xml, 10);
  for (const auto& [headers, body] : std::vector<std::pair<Headers, std::string>>{
           {{}, xml},
           {{{"x-amz-checksum-crc32", "A8uZRQ=="}}, xml},
           {{{"x-amz-checksum-sha1", "wdAhh98vprXx5hu8LYyK1l6AqJY="}}, xml},
           {{{"x-amz-checksum-sha256", "N3LHxLM6RcANrxrdozvL0QrfTWiSV7BCaLd/CXMfyF0="}}, xml},
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

TEST_CASE("faults A10: DeleteObjects with the hash of another body deletes nothing") {
  const TestServer server;
  server.put("/bkt/k", "x");
  const std::string xml = "<Delete><Object><Key>k</Key></Object></Delete>";
  const auto code = [&](const std::string& name, const char* value) {
    return server.post("/bkt?delete", xml, {{name, value}}).code();
  };
  CHECK(code("Content-MD5", "JfnnlDI7RTiF9RgfG2JNCw==") == "BadDigest");
  CHECK(code("Content-MD5", "JfnnlDI7") == "InvalidDigest");
  for (const Sum& sum : kSums) {
    CAPTURE(sum.algorithm);
    CHECK(code(header_name(sum), sum.right) == "BadDigest");
    CHECK(code(header_name(sum), "AAAA") == "InvalidRequest");
    const std::string framed = http_chunk(xml) + "0\r\n" + header_name(sum) + ":";
    const Headers streaming = streaming_headers(xml.size());
    CHECK(server.post("/bkt?delete", framed + sum.right + "\r\n\r\n", streaming).code() ==
          "BadDigest");
  }
  CHECK(server.size_of("/bkt/k") == "1");
}

TEST_CASE("faults A12: no checksum is claimed for bytes that are not what was sent") {
  const TestServer server;
  for (const Sum& sum : kSums) {
    server.put("/bkt/o", "123456789", {{header_name(sum), sum.right}});
    MultipartUpload upload(server, {{"x-amz-checksum-algorithm", sum.algorithm}});
    const Response part = upload.put("1", "123456789", {{header_name(sum), sum.right}});
    CHECK(upload.complete({{1, part.header("etag")}}).status == 200);
    for (const char* target : {"/bkt/o", "/bkt/k", "/bkt/k?partNumber=1"})
      for (const char* mode : {"ENABLED", "enabled"})
        for (const Headers& range : {Headers{}, Headers{{"Range", "bytes=0-3"}}}) {
          const Headers headers = with({{"x-amz-checksum-mode", mode}}, range);
          for (const Response& answer : {server.get(target, headers), server.head(target, headers)})
            CHECK(answer.head.find("x-amz-checksum-") == std::string::npos);
        }
  }
}

}  // namespace mocks3::test
