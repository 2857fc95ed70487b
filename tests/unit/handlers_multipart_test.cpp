#include "server/upload.hpp"
#include "tests/unit/handler_fixture.hpp"

using namespace mocks3;
using namespace mocks3::server;

namespace {

constexpr uint64_t kPart = 5 * 1024 * 1024;

struct Upload {
  HandlerFixture server;
  std::string id;
  std::vector<std::string> etags;  ///< without quotes

  explicit Upload(const HandlerFixture::Headers& headers = {}) {
    const Reply reply = server.post("/bkt/k?uploads", "", headers);
    REQUIRE(reply.status == 200);
    CHECK(element(reply, "Bucket") == "bkt");
    CHECK(element(reply, "Key") == "k");
    id = element(reply, "UploadId");
  }
  std::string target(const std::string& more = {}) const { return "/bkt/k?uploadId=" + id + more; }
  Reply part(uint32_t number, uint64_t bytes, const HandlerFixture::Headers& headers = {}) {
    Reply reply = server.put(target("&partNumber=" + std::to_string(number)), bytes, headers);
    const std::string quoted = header_of(reply, "ETag");
    etags.push_back(quoted.size() > 2 ? quoted.substr(1, quoted.size() - 2) : quoted);
    return reply;
  }
  static std::string list(const std::vector<std::pair<int, std::string>>& parts) {
    std::string xml = "<CompleteMultipartUpload>";
    for (const auto& [number, etag] : parts) {
      xml += "<Part><ETag>" + etag + "</ETag><PartNumber>" + std::to_string(number) +
             "</PartNumber></Part>";
    }
    return xml + "</CompleteMultipartUpload>";
  }
  Reply complete(const std::string& xml, const HandlerFixture::Headers& headers = {}) {
    return server.post(target(), xml, headers);
  }
};

}  // namespace

TEST_CASE("multipart handlers: from create to get") {
  Upload upload({{"Content-Type", "text/plain"},
                 {"Content-Encoding", "aws-chunked"},
                 {"x-amz-checksum-algorithm", "CRC32"}});
  upload.server.now.value += 5000;
  const Reply part = upload.part(1, kPart, {{"x-amz-checksum-crc32", "y/Q5Jg=="}});
  CHECK(part.status == 200);
  CHECK(header_of(part, "x-amz-checksum-crc32") == "y/Q5Jg==");
  CHECK(header_of(part, "ETag").ends_with("-1\""));
  upload.part(2, 9);
  CHECK(upload.server.get("/bkt/k").status == 404);
  const Reply done = upload.complete(Upload::list(
      {{1, "&quot;" + upload.etags[0] + "&quot;"}, {2, "&#34;" + upload.etags[1] + "&#34;"}}));
  CHECK(done.status == 200);
  CHECK(contains(done, "<CompleteMultipartUploadResult xmlns="));
  CHECK(element(done, "Location") == "http://localhost:8080/bkt/k");
  CHECK(element(done, "Bucket") == "bkt");
  CHECK(element(done, "Key") == "k");
  const std::string etag = element(done, "ETag");
  CHECK(etag.ends_with("-2&quot;"));
  const Reply head = upload.server.head("/bkt/k");
  CHECK(head.content_length == kPart + 9);
  CHECK("&quot;" + header_of(head, "ETag").substr(1, 34) + "&quot;" == etag);
  CHECK(element(upload.server.get("/bkt"), "ETag") == etag);
  CHECK(header_of(head, "Content-Type") == "text/plain");
  CHECK(header_of(head, "Content-Encoding").empty());
}

TEST_CASE("multipart handlers: the part list") {
  Upload upload;
  for (const uint32_t n : {1U, 2U, 3U}) upload.part(n, kPart);
  const auto& etags = upload.etags;
  const auto code = [&](const std::string& xml) {
    return std::string(upload.complete(xml).error_code);
  };
  CHECK(code(Upload::list({{2, etags[1]}, {1, etags[0]}})) == "InvalidPartOrder");
  CHECK(code(Upload::list({{1, etags[0]}, {1, etags[0]}})) == "InvalidPartOrder");
  CHECK(code(Upload::list({{1, etags[1]}})) == "InvalidPart");
  CHECK(code(Upload::list({})) == "MalformedXML");
  CHECK(code("") == "MalformedXML");
  CHECK(code("<Complete") == "MalformedXML");
  const Reply done = upload.complete(Upload::list({{1, etags[0]}, {3, etags[2]}}));
  CHECK(done.status == 200);
  CHECK(upload.server.head("/bkt/k").content_length == 2 * kPart);
  const Reply again = upload.complete(Upload::list({{1, etags[0]}, {3, etags[2]}}));
  CHECK(text_of(again) == text_of(done));
  CHECK(upload.complete(Upload::list({{1, etags[0]}})).error_code == "NoSuchUpload");
}

TEST_CASE("multipart handlers: a small part that is not the last") {
  Upload upload;
  upload.part(1, kPart - 1);
  upload.part(2, 1);
  const Reply reply = upload.complete(Upload::list({{1, upload.etags[0]}, {2, upload.etags[1]}}));
  CHECK(reply.error_code == "EntityTooSmall");
  CHECK(element(reply, "PartNumber") == "1");
  CHECK(element(reply, "MinSizeAllowed") == "5242880");
}

TEST_CASE("multipart handlers: ten thousand parts") {
  Upload upload;
  std::vector<std::pair<int, std::string>> parts;
  for (uint32_t n = 1; n <= 10'000; ++n) {
    upload.part(n, kPart);
    parts.emplace_back(n, "\"" + upload.etags.back() + "\"");
  }
  CHECK(upload.part(10'001, 1).error_code == "InvalidArgument");
  CHECK(upload.part(0, 1).error_code == "InvalidArgument");
  const std::string xml = Upload::list(parts);
  CHECK(xml.size() > 800'000);
  CHECK(upload.complete(xml).status == 200);
  CHECK(upload.server.head("/bkt/k").content_length == 10'000 * kPart);
}

TEST_CASE("multipart handlers: uploads that do not exist are known from the head") {
  Upload upload;
  HandlerFixture& server = upload.server;
  CHECK(server.put("/bkt/k?uploadId=none&partNumber=1", 5).error_code == "NoSuchUpload");
  CHECK(server.answered_from_head);
  CHECK(server.put("/bkt/other?partNumber=1&uploadId=" + upload.id, 5).error_code ==
        "NoSuchUpload");
  CHECK(upload.part(1, kMaxSingleUpload + 1).error_code == "EntityTooLarge");
  CHECK(server.answered_from_head);
  CHECK(server.get("/bkt/k?uploadId=none").error_code == "NoSuchUpload");
  CHECK(server.del("/bkt/k?uploadId=none").error_code == "NoSuchUpload");
  CHECK(server.del(upload.target()).status == 204);
  CHECK(upload.part(1, 5).error_code == "NoSuchUpload");
  CHECK(upload.complete(Upload::list({{1, "x"}})).error_code == "NoSuchUpload");
}

TEST_CASE("multipart handlers: conditional completion") {
  Upload upload;
  upload.part(1, 5);
  upload.server.put("/bkt/k", 1);
  const std::string list = Upload::list({{1, upload.etags[0]}});
  CHECK(upload.complete(list, {{"If-None-Match", "*"}}).status == 412);
  CHECK(upload.complete(list, {{"If-Match", "\"x\""}}).status == 412);
  const std::string etag = header_of(upload.server.head("/bkt/k"), "ETag");
  CHECK(upload.complete(list, {{"If-Match", etag}}).status == 200);
}

TEST_CASE("multipart handlers: listing parts") {
  Upload upload;
  for (const uint32_t n : {5U, 1U, 3U}) upload.part(n, n);
  const Reply all = upload.server.get(upload.target());
  CHECK(elements(all, "PartNumber") == std::vector<std::string>{"1", "3", "5"});
  CHECK(elements(all, "Size") == std::vector<std::string>{"1", "3", "5"});
  CHECK(element(all, "UploadId") == upload.id);
  CHECK(element(all, "IsTruncated") == "false");
  CHECK(element(all, "MaxParts") == "1000");
  const Reply page = upload.server.get(upload.target("&max-parts=2"));
  CHECK(element(page, "IsTruncated") == "true");
  CHECK(element(page, "NextPartNumberMarker") == "3");
  const Reply rest = upload.server.get(upload.target("&max-parts=2&part-number-marker=3"));
  CHECK(elements(rest, "PartNumber") == std::vector<std::string>{"5"});
  CHECK(element(rest, "PartNumberMarker") == "3");
  CHECK(element(rest, "IsTruncated") == "false");
  CHECK(upload.server.get(upload.target("&max-parts=x")).error_code == "InvalidArgument");
}

TEST_CASE("multipart handlers: parts copied from an object") {
  Upload upload;
  upload.server.put("/src/o", 20);
  const auto copy = [&](HandlerFixture::Headers headers) {
    headers.push_back({"x-amz-copy-source", "src/o"});
    return upload.server.put(upload.target("&partNumber=1"), 0, headers);
  };
  const Reply ranged = copy({{"x-amz-copy-source-range", "bytes=5-14"}});
  CHECK(ranged.status == 200);
  CHECK(contains(ranged, "<CopyPartResult xmlns="));
  CHECK(element(ranged, "ETag").ends_with("-1&quot;"));
  CHECK(element(upload.server.get(upload.target()), "Size") == "10");
  CHECK(copy({}).status == 200);
  CHECK(element(upload.server.get(upload.target()), "Size") == "20");
  CHECK(copy({{"x-amz-copy-source-range", "bytes=5-20"}}).status >= 400);
  CHECK(copy({{"x-amz-copy-source-range", "5-20"}}).error_code == "InvalidArgument");
  CHECK(copy({{"x-amz-copy-source-if-match", "\"x\""}}).status == 412);
  CHECK(upload.server.put("/bkt/k?uploadId=none&partNumber=1", 0, {{"x-amz-copy-source", "src/o"}})
            .error_code == "NoSuchUpload");
}
