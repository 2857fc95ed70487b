#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/protocol/framing.hpp"
#include "tests/protocol/multipart_upload.hpp"

namespace mocks3::test {

TEST_CASE("faults F1: a multipart object has the size of its parts and one ETag everywhere") {
  const TestServer server;
  MultipartUpload upload(server);
  const Part first = upload.put(1, kFiveMiB), second = upload.put(2, 3);
  CHECK(server.size_of("/bkt/k") == "none");
  const Response done = upload.complete({first, second});
  CHECK(done.status == 200);
  CHECK(done.body.find("<CompleteMultipartUploadResult") != std::string::npos);
  CHECK(between(done.body, "Bucket") == "bkt");
  CHECK(between(done.body, "Key") == "k");
  CHECK_FALSE(between(done.body, "Location").empty());
  const Response head = server.head("/bkt/k");
  CHECK(head.header("content-length") == std::to_string(kFiveMiB + 3));
  const std::string etag = head.header("etag");
  CHECK(etag.substr(33) == "-2\"");
  CHECK(done.body.find(unquoted(etag)) != std::string::npos);
  CHECK(server.get("/bkt/k").header("etag") == etag);
  for (const char* list : {"/bkt", "/bkt?list-type=2"})
    CHECK(server.get(list).body.find(unquoted(etag)) != std::string::npos);
}

// MD5s are not known where payload is dropped: the ETag is opaque.
TEST_CASE("faults F1: an ETag ends in the number of parts and says nothing else") {
  const TestServer server;
  for (size_t count : {1, 3}) {
    MultipartUpload upload(server);
    std::vector<Part> parts;
    for (size_t i = 1; i < count; ++i) parts.push_back(upload.put(static_cast<int>(i), kFiveMiB));
    parts.push_back(upload.put(7, 9));
    const std::string etag = between(upload.complete(parts).body, "ETag");
    CHECK(etag.find("-" + std::to_string(count)) != std::string::npos);
    CHECK(server.head("/bkt/k").header("etag").size() == 36);
  }
}

TEST_CASE("faults F2: lists of parts that are wrong leave the upload as it was") {
  const TestServer server;
  MultipartUpload upload(server);
  const Part a = upload.put(1, kFiveMiB), b = upload.put(2, kFiveMiB), c = upload.put(3, 1);
  const Part small = upload.put(4, 1);
  CHECK(upload.complete({b, a}).code() == "InvalidPartOrder");
  CHECK(upload.complete({a, a}).code() == "InvalidPartOrder");
  CHECK(upload.complete({a, {2, "\"0123456789abcdef0123456789abcdef-1\""}}).code() ==
        "InvalidPart");
  CHECK(upload.complete({a, {9, b.etag}}).code() == "InvalidPart");
  CHECK(upload.complete({a, c, small}).code() == "EntityTooSmall");
  CHECK(upload.complete({c, b, a}).code() == "InvalidPartOrder");
  CHECK(upload.complete({a, b, b}).code() == "InvalidPartOrder");
  CHECK(upload.complete({{1, b.etag}, b}).code() == "InvalidPart");
  CHECK(upload.complete({{1, ""}}).status == 400);
  CHECK(upload.complete({}).code() == "MalformedXML");
  CHECK(upload.complete_with("").code() == "MalformedXML");
  CHECK(upload.complete_with("<Complete").code() == "MalformedXML");
  CHECK(server.size_of("/bkt/k") == "none");
  CHECK(upload.complete({a, c}).status == 200);
  CHECK(server.size_of("/bkt/k") == std::to_string(kFiveMiB + 1));
}

TEST_CASE("faults F2: ETags of parts may be spelled in many ways") {
  const TestServer server;
  for (const char* form : {"{0}", "\"{0}\"", "&quot;{0}&quot;", "&#34;{0}&#34;", " \"{0}\" "}) {
    CAPTURE(form);
    MultipartUpload upload(server);
    const std::string etag = unquoted(upload.put(1, 10).etag);
    const std::string xml = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\n"
        "<Part><ChecksumCRC32>y/Q5Jg==</ChecksumCRC32><ETag>{}</ETag>\n<PartNumber> 1 </PartNumber>"
        "</Part></CompleteMultipartUpload>",
        fmt::format(fmt::runtime(form), etag));
    CHECK(upload.complete_with(xml).status == 200);
  }
}

TEST_CASE("faults F3: part numbers run from 1 to 10000") {
  const TestServer server;
  MultipartUpload upload(server);
  for (const char* number : {"1", "10000"}) CHECK(upload.put(number, "x").status == 200);
  for (const char* number : {"0", "10001", "x", "-1", "1x", "", "99999999999999999999"}) {
    CAPTURE(number);
    CHECK(upload.put(number, "x").code() == "InvalidArgument");
  }
  server.put("/bkt/k", "123");
  for (const char* number : {"0", "10001", "x", "-1", ""}) {
    CHECK(server.get("/bkt/k?partNumber=" + std::string(number)).code() == "InvalidArgument");
    CHECK(server.head("/bkt/k?partNumber=" + std::string(number)).status == 400);
  }
  CHECK(server.get("/bkt/k?partNumber=1").status == 206);
  CHECK(server.get("/bkt/k?partNumber=10000").status == 416);
}

TEST_CASE("faults F3: an upload of ten thousand parts can be completed") {
  server::Options options = test_options();
  options.preload = {"bkt/source:5MiB"};
  const TestServer server(options);
  MultipartUpload upload(server);
  std::vector<Part> parts;
  for (int number = 1; number <= 10000; ++number) {
    const Response copied = upload.copy(number, "bkt/source");
    REQUIRE(copied.status == 200);
    parts.push_back({number, between(copied.body, "ETag")});
  }
  CHECK(complete_xml(parts).size() > 900'000);
  const Response done = upload.complete(parts);
  CHECK(done.status == 200);
  CHECK(between(done.body, "ETag").find("-10000") != std::string::npos);
  CHECK(server.size_of("/bkt/k") == std::to_string(10000 * kFiveMiB));
}

}  // namespace mocks3::test
