#include "tests/unit/handler_fixture.hpp"

using namespace mocks3;
using namespace mocks3::server;
using Names = std::vector<std::string>;

namespace {

constexpr uint64_t kPart = 5 * 1024 * 1024;
const HandlerFixture::Headers kAll = {
    {"x-amz-object-attributes", "ETag,Checksum,ObjectParts,StorageClass,ObjectSize"}};

/// /bkt/m in parts of 5 MiB, 5 MiB and 7 bytes that were sent as 1, 3 and 9; /bkt/k of 20 bytes.
struct PartsFixture : HandlerFixture {
  PartsFixture() {
    put("/bkt/k", 20);
    const std::string id = element(post("/bkt/m?uploads", ""), "UploadId");
    std::string xml = "<CompleteMultipartUpload>";
    for (const auto& [number, bytes] :
         std::vector<std::pair<std::string, uint64_t>>{{"1", kPart}, {"3", kPart}, {"9", 7}}) {
      const Reply part = put("/bkt/m?uploadId=" + id + "&partNumber=" + number, bytes);
      xml += "<Part><PartNumber>" + number + "</PartNumber><ETag>" + header_of(part, "ETag") +
             "</ETag></Part>";
    }
    REQUIRE(post("/bkt/m?uploadId=" + id, xml + "</CompleteMultipartUpload>").status == 200);
  }
};

}  // namespace

TEST_CASE("attributes: of a plain object") {
  PartsFixture server;
  const Reply reply = server.get("/bkt/k?attributes", kAll);
  CHECK(reply.status == 200);
  CHECK(contains(reply, "<GetObjectAttributesResponse xmlns="));
  CHECK('"' + element(reply, "ETag") + '"' == header_of(server.head("/bkt/k"), "ETag"));
  CHECK(element(reply, "StorageClass") == "STANDARD");
  CHECK(element(reply, "ObjectSize") == "20");
  CHECK(elements(reply, "ObjectParts").empty());
  CHECK(elements(reply, "Checksum").empty());
  CHECK(header_of(reply, "Last-Modified") == "Fri, 02 Jan 2026 03:04:05 GMT");
}

TEST_CASE("attributes: only those that are asked for, in one header or several") {
  PartsFixture server;
  const Reply one = server.get("/bkt/k?attributes", {{"x-amz-object-attributes", "ObjectSize"}});
  CHECK(elements(one, "ETag").empty());
  CHECK(elements(one, "StorageClass").empty());
  CHECK(element(one, "ObjectSize") == "20");
  const Reply two = server.get("/bkt/k?attributes", {{"x-amz-object-attributes", "ETag , "},
                                                     {"X-Amz-Object-Attributes", "StorageClass"}});
  CHECK(elements(two, "ETag").size() == 1);
  CHECK(elements(two, "StorageClass").size() == 1);
  CHECK(elements(two, "ObjectSize").empty());
}

TEST_CASE("attributes: parts, in pages") {
  PartsFixture server;
  const Reply all = server.get("/bkt/m?attributes", kAll);
  CHECK(element(all, "PartsCount") == "3");
  CHECK(elements(all, "PartNumber") == Names{"1", "2", "3"});
  CHECK(elements(all, "Size") == Names{"5242880", "5242880", "7"});
  CHECK(element(all, "IsTruncated") == "false");
  CHECK(element(all, "MaxParts") == "1000");
  CHECK(element(all, "PartNumberMarker") == "0");
  HandlerFixture::Headers paged = kAll;
  paged.push_back({"x-amz-max-parts", "1"});
  paged.push_back({"x-amz-part-number-marker", "1"});
  const Reply page = server.get("/bkt/m?attributes", paged);
  CHECK(elements(page, "PartNumber") == Names{"2"});
  CHECK(element(page, "IsTruncated") == "true");
  CHECK(element(page, "NextPartNumberMarker") == "2");
  CHECK(element(page, "PartsCount") == "3");
}

TEST_CASE("attributes: what is refused") {
  PartsFixture server;
  const auto code = [&](const HandlerFixture::Headers& headers) {
    return server.get("/bkt/m?attributes", headers).error_code;
  };
  CHECK(code({}) == "InvalidRequest");
  CHECK(code({{"x-amz-object-attributes", " , "}}) == "InvalidRequest");
  CHECK(code({{"x-amz-object-attributes", "ETag,Nothing"}}) == "InvalidArgument");
  CHECK(code({{"x-amz-object-attributes", "etag"}}) == "InvalidArgument");
  CHECK(code({kAll[0], {"x-amz-max-parts", "x"}}) == "InvalidArgument");
  CHECK(code({kAll[0], {"x-amz-part-number-marker", "-1"}}) == "InvalidArgument");
  CHECK(server.get("/bkt/none?attributes", kAll).error_code == "NoSuchKey");
  CHECK(server.get("/bkt/k?attributes&versionId=x", kAll).error_code == "InvalidArgument");
  CHECK(server.get("/bkt/k?attributes&versionId=null", kAll).status == 200);
}

TEST_CASE("parts: each is read by its place in the object") {
  PartsFixture server;
  const std::string size = std::to_string(2 * kPart + 7);
  const Reply second = server.get("/bkt/m?partNumber=2");
  CHECK(second.status == 206);
  CHECK(header_of(second, "Content-Range") == "bytes 5242880-10485759/" + size);
  CHECK(header_of(second, "x-amz-mp-parts-count") == "3");
  CHECK(generated_bytes(second) == kPart);
  CHECK(std::get<GeneratedBody>(second.body).offset == kPart);
  const Reply last = server.head("/bkt/m?partNumber=3");
  CHECK(last.status == 206);
  CHECK(last.content_length == 7);
  CHECK(header_of(last, "Content-Range") == "bytes 10485760-10485766/" + size);
  const Reply none = server.get("/bkt/m?partNumber=4");
  CHECK(none.status == 416);
  CHECK(none.error_code == "InvalidPartNumber");
  CHECK(element(none, "ActualPartCount") == "3");
  CHECK(server.get("/bkt/m?partNumber=1", {{"Range", "bytes=0-1"}}).error_code == "InvalidRequest");
  CHECK(header_of(server.get("/bkt/m"), "x-amz-mp-parts-count").empty());
}

TEST_CASE("parts: an object that was uploaded at once is its own first part") {
  PartsFixture server;
  const Reply whole = server.get("/bkt/k?partNumber=1");
  CHECK(whole.status == 206);
  CHECK(header_of(whole, "Content-Range") == "bytes 0-19/20");
  CHECK(header_of(whole, "x-amz-mp-parts-count").empty());
  CHECK(server.get("/bkt/k?partNumber=2").error_code == "InvalidPartNumber");
  server.put("/bkt/copy", 0, {{"x-amz-copy-source", "bkt/m"}});
  CHECK(server.get("/bkt/copy?partNumber=2").error_code == "InvalidPartNumber");
}
