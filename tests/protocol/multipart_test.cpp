#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/protocol/framing.hpp"

namespace mocks3::test {
namespace {

constexpr size_t kFiveMiB = 5 << 20;

struct Part {
  int number;
  std::string etag;
};

/// One multipart upload of /bkt/k, on one connection.
class Upload {
 public:
  explicit Upload(const TestServer& server)
      : client_(server.port()),
        id_(between(client_.request(make_request("POST", "/bkt/k?uploads")).body, "UploadId")) {
    REQUIRE_FALSE(id_.empty());
  }

  const std::string& id() const { return id_; }
  Response put(const std::string& number, std::string_view body) {
    return client_.request(
        make_request("PUT", "/bkt/k?partNumber=" + number + "&uploadId=" + id_, {}, body));
  }
  Part put(int number, size_t bytes) {
    const Response answer = put(std::to_string(number), std::string(bytes, 'x'));
    CHECK(answer.status == 200);
    return {number, answer.header("etag")};
  }
  Response copy(int number, const std::string& source) {
    return client_.request(
        make_request("PUT", fmt::format("/bkt/k?partNumber={}&uploadId={}", number, id_),
                     {{"x-amz-copy-source", source}}));
  }
  Response complete_with(std::string_view xml, const Headers& headers = {}) {
    return client_.request(make_request("POST", "/bkt/k?uploadId=" + id_, headers, xml));
  }
  Response complete(const std::vector<Part>& parts, const Headers& headers = {}) {
    std::string xml = "<CompleteMultipartUpload>";
    for (const Part& part : parts)
      xml += fmt::format("<Part><PartNumber>{}</PartNumber><ETag>{}</ETag></Part>", part.number,
                         part.etag);
    return complete_with(xml + "</CompleteMultipartUpload>", headers);
  }

 private:
  RawClient client_;
  std::string id_;
};

std::string unquoted(const std::string& etag) { return etag.substr(1, etag.size() - 2); }

}  // namespace

TEST_CASE("a multipart object has the size of its parts and one ETag everywhere") {
  const TestServer server;
  Upload upload(server);
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
  CHECK(server.get("/bkt").body.find(unquoted(etag)) != std::string::npos);
}

TEST_CASE("lists of parts that are wrong leave the upload as it was") {
  const TestServer server;
  Upload upload(server);
  const Part a = upload.put(1, kFiveMiB), b = upload.put(2, kFiveMiB), c = upload.put(3, 1);
  const Part small = upload.put(4, 1);
  CHECK(upload.complete({b, a}).code() == "InvalidPartOrder");
  CHECK(upload.complete({a, a}).code() == "InvalidPartOrder");
  CHECK(upload.complete({a, {2, "\"0123456789abcdef0123456789abcdef-1\""}}).code() ==
        "InvalidPart");
  CHECK(upload.complete({a, {9, b.etag}}).code() == "InvalidPart");
  CHECK(upload.complete({a, c, small}).code() == "EntityTooSmall");
  CHECK(upload.complete({}).code() == "MalformedXML");
  CHECK(upload.complete_with("").code() == "MalformedXML");
  CHECK(upload.complete_with("<Complete").code() == "MalformedXML");
  CHECK(server.size_of("/bkt/k") == "none");
  CHECK(upload.complete({a, c}).status == 200);
  CHECK(server.size_of("/bkt/k") == std::to_string(kFiveMiB + 1));
}

TEST_CASE("ETags of parts may be spelled in many ways") {
  const TestServer server;
  for (const char* form : {"{0}", "\"{0}\"", "&quot;{0}&quot;", "&#34;{0}&#34;", " \"{0}\" "}) {
    CAPTURE(form);
    Upload upload(server);
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

TEST_CASE("part numbers run from 1 to 10000") {
  const TestServer server;
  Upload upload(server);
  for (const char* number : {"1", "10000"}) CHECK(upload.put(number, "x").status == 200);
  for (const char* number : {"0", "10001", "x", "-1", "1x", "", "99999999999999999999"}) {
    CAPTURE(number);
    CHECK(upload.put(number, "x").code() == "InvalidArgument");
  }
}

TEST_CASE("an upload of ten thousand parts can be completed") {
  server::Options options = test_options();
  options.preload = {"bkt/source:5MiB"};
  const TestServer server(options);
  Upload upload(server);
  std::vector<Part> parts;
  for (int number = 1; number <= 10000; ++number) {
    const Response copied = upload.copy(number, "bkt/source");
    REQUIRE(copied.status == 200);
    parts.push_back({number, between(copied.body, "ETag")});
  }
  const Response done = upload.complete(parts);
  CHECK(done.status == 200);
  CHECK(between(done.body, "ETag").find("-10000") != std::string::npos);
  CHECK(server.size_of("/bkt/k") == std::to_string(10000 * kFiveMiB));
}

TEST_CASE("parts are listed in pages") {
  const TestServer server;
  Upload upload(server);
  for (int number = 5; number >= 1; --number) upload.put(number, static_cast<size_t>(number));
  const std::string target = "/bkt/k?uploadId=" + upload.id();
  const Response all = server.get(target);
  CHECK(all_between(all.body, "Size") == std::vector<std::string>{"1", "2", "3", "4", "5"});
  CHECK(between(all.body, "IsTruncated") == "false");
  const Response page = server.get(target + "&max-parts=2&part-number-marker=1");
  CHECK(all_between(page.body, "PartNumber") == std::vector<std::string>{"2", "3"});
  CHECK(between(page.body, "IsTruncated") == "true");
  CHECK(between(page.body, "NextPartNumberMarker") == "3");
}

TEST_CASE("an aborted upload is gone, and so is a completed one's list") {
  const TestServer server;
  Upload upload(server);
  const Part part = upload.put(1, 1);
  const std::string target = "/bkt/k?uploadId=" + upload.id();
  CHECK(server.remove(target).status == 204);
  CHECK(server.get(target).code() == "NoSuchUpload");
  CHECK(upload.put("2", "x").code() == "NoSuchUpload");
  CHECK(upload.complete({part}).code() == "NoSuchUpload");
  CHECK(server.remove(target).code() == "NoSuchUpload");
  CHECK(server.put("/bkt/other?partNumber=1&uploadId=" + upload.id(), "x").code() ==
        "NoSuchUpload");
}

TEST_CASE("completing twice gives the same answer") {
  const TestServer server;
  Upload upload(server);
  const Part part = upload.put(1, 1);
  const Response once = upload.complete({part}), twice = upload.complete({part});
  CHECK(once.status == 200);
  CHECK(twice.status == 200);
  CHECK(between(once.body, "ETag") == between(twice.body, "ETag"));
}

TEST_CASE("completing honours conditions on the object") {
  const TestServer server;
  Upload upload(server);
  const Part part = upload.put(1, 1);
  CHECK(upload.complete({part}, {{"If-Match", "\"x\""}}).status == 404);
  server.put("/bkt/k", "old");
  CHECK(upload.complete({part}, {{"If-None-Match", "*"}}).status == 412);
  CHECK(upload.complete({part}, {{"If-Match", "\"x\""}}).status == 412);
  CHECK(server.size_of("/bkt/k") == "3");
  const std::string etag = server.head("/bkt/k").header("etag");
  CHECK(upload.complete({part}, {{"If-Match", etag}}).status == 200);
  CHECK(server.size_of("/bkt/k") == "1");
}

TEST_CASE("metadata of CreateMultipartUpload is the object's") {
  const TestServer server;
  const Response created = server.post("/bkt/k?uploads=", "",
                                       {{"x-amz-meta-a", "1"},
                                        {"Content-Type", "text/x-test"},
                                        {"x-amz-checksum-algorithm", "CRC64NVME"}});
  const std::string id = between(created.body, "UploadId");
  const std::string etag = server.put("/bkt/k?partNumber=1&uploadId=" + id, "x").header("etag");
  CHECK(server
            .post("/bkt/k?uploadId=" + id,
                  "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>" + etag +
                      "</ETag></Part></CompleteMultipartUpload>")
            .status == 200);
  const Response head = server.head("/bkt/k");
  CHECK(head.header("x-amz-meta-a") == "1");
  CHECK(head.header("content-type") == "text/x-test");
}

TEST_CASE("parts may be copied from objects") {
  const TestServer server;
  server.put("/bkt/source", std::string(1000, 'x'));
  Upload upload(server);
  const std::string target = "/bkt/k?partNumber=1&uploadId=" + upload.id();
  const Response copied = server.put(
      target, "",
      {{"x-amz-copy-source", "/bkt/source"}, {"x-amz-copy-source-range", "bytes=100-299"}});
  CHECK(copied.status == 200);
  CHECK(copied.body.find("<CopyPartResult") != std::string::npos);
  CHECK(between(server.get("/bkt/k?uploadId=" + upload.id()).body, "Size") == "200");
  for (const char* range : {"bytes=900-1000", "bytes=5-", "bytes=-5", "x"}) {
    const unsigned status =
        server
            .put(target, "",
                 {{"x-amz-copy-source", "/bkt/source"}, {"x-amz-copy-source-range", range}})
            .status;
    CHECK((status == 400 || status == 416));
  }
}

}  // namespace mocks3::test
