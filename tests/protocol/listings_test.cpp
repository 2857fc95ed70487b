#include <doctest/doctest.h>
#include <fmt/format.h>

#include <pugixml.hpp>
#include <set>

#include "shared/util/encode.hpp"
#include "tests/protocol/raw_client.hpp"

namespace mocks3::test {
namespace {

std::string start_upload(const TestServer& server, const std::string& key) {
  return between(server.post("/bkt/" + key + "?uploads", "").body, "UploadId");
}

/// /bkt/m in two parts of 5 MiB and of 3 bytes.
void put_in_parts(const TestServer& server) {
  const std::string id = start_upload(server, "m");
  std::string xml = "<CompleteMultipartUpload>";
  for (const auto& [number, bytes] : {std::pair{1, size_t{5} << 20}, std::pair{2, size_t{3}}}) {
    const Response part = server.put(fmt::format("/bkt/m?partNumber={}&uploadId={}", number, id),
                                     std::string(bytes, 'x'));
    xml += fmt::format("<Part><PartNumber>{}</PartNumber><ETag>{}</ETag></Part>", number,
                       part.header("etag"));
  }
  REQUIRE(server.post("/bkt/m?uploadId=" + id, xml + "</CompleteMultipartUpload>").status == 200);
}

/// Walks a listing whose next page is named by two markers.
std::vector<std::string> walk(const TestServer& server, const std::string& query,
                              const std::string& item, const std::string& second_marker) {
  std::vector<std::string> seen;
  std::string position;
  for (int page = 0; page < 100; ++page) {
    const Response list = server.get("/bkt?" + query + position);
    REQUIRE(list.status == 200);
    CHECK(pugi::xml_document().load_string(list.body.c_str()));
    for (auto& name : all_between(list.body, item)) seen.push_back(name);
    for (auto& group : all_between(list.body, "CommonPrefixes")) {
      seen.push_back(between(group, "Prefix"));
    }
    if (between(list.body, "IsTruncated") == "false") break;
    position = "&key-marker=" + percent_encode(between(list.body, "NextKeyMarker"));
    const std::string second = between(list.body, "Next" + second_marker);
    if (!second.empty()) {
      position += second_marker == "UploadIdMarker" ? "&upload-id-marker=" : "&version-id-marker=";
      position += second;
    }
  }
  return seen;
}

}  // namespace

TEST_CASE("versions are listed page by page, each object once") {
  const TestServer server;
  for (const char* key : {"a", "b/1", "b/2", "c", "d/1"})
    server.put("/bkt/" + std::string(key), "");
  for (const char* size : {"1", "2", "1000"}) {
    const std::string max_keys = "&max-keys=" + std::string(size);
    CHECK(walk(server, "versions" + max_keys, "Key", "VersionIdMarker") ==
          std::vector<std::string>{"a", "b/1", "b/2", "c", "d/1"});
    const auto groups = walk(server, "versions&delimiter=%2F" + max_keys, "Key", "VersionIdMarker");
    CHECK(std::set<std::string>(groups.begin(), groups.end()) ==
          std::set<std::string>{"a", "b/", "c", "d/"});
    CHECK(groups.size() == 4);
  }
  const Response all = server.get("/bkt?versions");
  CHECK(all.body.find("<VersionId>null</VersionId><IsLatest>true</IsLatest>") != std::string::npos);
  CHECK(server.get("/bkt?versions&version-id-marker=null").code() == "InvalidArgument");
}

TEST_CASE("uploads in progress are listed page by page in order of key and age") {
  const TestServer server;
  std::vector<std::string> ids;
  for (const char* key : {"b", "a", "b", "b"}) ids.push_back(start_upload(server, key));
  for (const char* size : {"1", "2", "3", "1000"}) {
    CHECK(walk(server, "uploads&max-uploads=" + std::string(size), "UploadId", "UploadIdMarker") ==
          std::vector<std::string>{ids[1], ids[0], ids[2], ids[3]});
  }
  CHECK(server.remove("/bkt/b?uploadId=" + ids[2]).status == 204);
  const Response rest = server.get("/bkt?uploads&key-marker=b&upload-id-marker=" + ids[2]);
  CHECK(all_between(rest.body, "UploadId") == std::vector<std::string>{ids[3]});
}

TEST_CASE("a part of a multipart object is read by its number") {
  const TestServer server;
  put_in_parts(server);
  const Response second = server.get("/bkt/m?partNumber=2");
  CHECK(second.status == 206);
  CHECK(second.header("content-range") == "bytes 5242880-5242882/5242883");
  CHECK(second.header("x-amz-mp-parts-count") == "2");
  CHECK(second.body == server.get("/bkt/m", {{"Range", "bytes=5242880-"}}).body);
  const Response head = server.head("/bkt/m?partNumber=1");
  CHECK(head.status == 206);
  CHECK(head.header("content-length") == "5242880");
  const Response third = server.get("/bkt/m?partNumber=3");
  CHECK(third.status == 416);
  CHECK(third.code() == "InvalidPartNumber");
  CHECK_FALSE(server.get("/bkt/m", {{"Range", "bytes=0-0"}}).has("x-amz-mp-parts-count"));
}

TEST_CASE("attributes of an object, with its parts") {
  const TestServer server;
  put_in_parts(server);
  const Response got = server.get(
      "/bkt/m?attributes",
      {{"x-amz-object-attributes", "ETag,ObjectParts,ObjectSize"}, {"x-amz-max-parts", "1"}});
  CHECK(got.status == 200);
  CHECK(got.has("last-modified"));
  CHECK('"' + between(got.body, "ETag") + '"' == server.head("/bkt/m").header("etag"));
  CHECK(between(got.body, "ObjectSize") == "5242883");
  CHECK(between(got.body, "PartsCount") == "2");
  CHECK(all_between(got.body, "PartNumber") == std::vector<std::string>{"1"});
  CHECK(between(got.body, "IsTruncated") == "true");
  CHECK(server.get("/bkt/m?attributes").code() == "InvalidRequest");
}

TEST_CASE("a delete keeps to its conditions") {
  const TestServer server;
  server.put("/bkt/k", "12345");
  CHECK(server.remove("/bkt/k", {{"If-Match", "\"x\""}}).status == 412);
  CHECK(server.remove("/bkt/k", {{"x-amz-if-match-size", "4"}}).status == 412);
  const Response many =
      server.post("/bkt?delete",
                  "<Delete><Object><Key>k</Key><ETag>\"x\"</ETag></Object>"
                  "<Object><Key>gone</Key><VersionId>null</VersionId></Object></Delete>");
  CHECK(between(many.body, "Code") == "PreconditionFailed");
  CHECK(between(many.body, "Deleted") == "<Key>gone</Key><VersionId>null</VersionId>");
  CHECK(server.remove("/bkt/k", {{"If-Match", server.head("/bkt/k").header("etag")}}).status ==
        204);
  CHECK(server.remove("/bkt/k", {{"If-Match", "*"}}).code() == "NoSuchKey");
}

}  // namespace mocks3::test
