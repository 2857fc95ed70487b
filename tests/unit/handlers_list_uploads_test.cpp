#include "tests/unit/handler_fixture.hpp"

using namespace mocks3;
using namespace mocks3::server;
using Names = std::vector<std::string>;

namespace {

struct UploadsFixture : HandlerFixture {
  Names ids;  ///< in order of creation

  explicit UploadsFixture(const Names& keys, const Headers& headers = {}) {
    for (const std::string& key : keys) {
      ids.push_back(element(post("/bkt/" + key + "?uploads", "", headers), "UploadId"));
    }
  }
};

}  // namespace

TEST_CASE("upload lists: the fields") {
  UploadsFixture server({"k"}, {{"x-amz-storage-class", "STANDARD_IA"}});
  const Reply reply = server.get("/bkt?uploads&prefix=k");
  CHECK(contains(reply, "<ListMultipartUploadsResult xmlns="));
  CHECK(element(reply, "Bucket") == "bkt");
  CHECK(element(reply, "Prefix") == "k");
  for (const char* name : {"KeyMarker", "UploadIdMarker", "NextKeyMarker", "NextUploadIdMarker"}) {
    CHECK(element(reply, name).empty());
  }
  CHECK(element(reply, "MaxUploads") == "1000");
  CHECK(element(reply, "IsTruncated") == "false");
  CHECK(element(reply, "Key") == "k");
  CHECK(element(reply, "UploadId") == server.ids[0]);
  CHECK(element(reply, "StorageClass") == "STANDARD_IA");
  CHECK(element(reply, "Initiated") == "2026-01-02T03:04:05.678Z");
  CHECK(elements(reply, "Initiator").size() == 1);
  CHECK(elements(reply, "Owner").size() == 1);
  CHECK(elements(reply, "Delimiter").empty());
  CHECK(elements(server.get("/bkt?uploads"), "Prefix").empty());
  CHECK(server.get("/none?uploads").error_code == "NoSuchBucket");
}

TEST_CASE("upload lists: pages in order of key and age") {
  UploadsFixture server({"b", "a", "b", "d/1", "d/2", "b"});
  const Names expected = {server.ids[1], server.ids[0], server.ids[2], server.ids[5], "d/"};
  for (const char* size : {"1", "2", "3", "5"}) {
    Names seen;
    std::string position;
    for (int page = 0; page < 5; ++page) {
      const Reply reply =
          server.get("/bkt?uploads&delimiter=/&max-uploads=" + std::string(size) + position);
      for (const auto& id : elements(reply, "UploadId")) seen.push_back(id);
      for (const auto& prefix : elements(reply, "Prefix")) seen.push_back(prefix);
      if (element(reply, "IsTruncated") == "false") break;
      position = "&key-marker=" + element(reply, "NextKeyMarker") +
                 "&upload-id-marker=" + element(reply, "NextUploadIdMarker");
    }
    CHECK(seen == expected);
  }
}

TEST_CASE("upload lists: markers") {
  UploadsFixture server({"a%20b", "b", "b"});
  const auto ids = [&](const std::string& query) {
    return elements(server.get("/bkt?uploads&" + query), "UploadId");
  };
  CHECK(ids("key-marker=b").empty());
  CHECK(ids("key-marker=a") == server.ids);
  CHECK(ids("key-marker=b&upload-id-marker=" + server.ids[1]) == Names{server.ids[2]});
  CHECK(ids("upload-id-marker=" + server.ids[2]) == server.ids);
  CHECK(ids("max-uploads=0").empty());
  const Reply encoded = server.get("/bkt?uploads&encoding-type=url&max-uploads=1");
  CHECK(element(encoded, "Key") == "a%20b");
  CHECK(element(encoded, "NextKeyMarker") == "a%20b");
  CHECK(element(encoded, "EncodingType") == "url");
  for (const char* wrong : {"key-marker=b&upload-id-marker=x", "max-uploads=x", "max-uploads=-1",
                            "encoding-type=base64"}) {
    CAPTURE(wrong);
    CHECK(server.get(std::string("/bkt?uploads&") + wrong).error_code == "InvalidArgument");
  }
}

TEST_CASE("upload lists: uploads that have ended are gone") {
  UploadsFixture server({"k", "k"});
  CHECK(server.del("/bkt/k?uploadId=" + server.ids[0]).status == 204);
  CHECK(elements(server.get("/bkt?uploads"), "UploadId") == Names{server.ids[1]});
}

TEST_CASE("part lists: before the first part and at the limits") {
  UploadsFixture server({"a%20b"}, {{"x-amz-storage-class", "STANDARD_IA"}});
  const std::string target = "/bkt/a%20b?uploadId=" + server.ids[0];
  const Reply empty = server.get(target);
  CHECK(element(empty, "NextPartNumberMarker") == "0");
  CHECK(element(empty, "PartNumberMarker") == "0");
  CHECK(element(empty, "IsTruncated") == "false");
  CHECK(element(empty, "StorageClass") == "STANDARD_IA");
  CHECK(elements(empty, "Part").empty());
  server.put(target + "&partNumber=1", 5);
  CHECK(element(server.get(target + "&max-parts=0"), "IsTruncated") == "false");
  CHECK(element(server.get(target + "&max-parts=5000"), "MaxParts") == "1000");
  CHECK(element(server.get(target + "&encoding-type=url"), "Key") == "a%20b");
  for (const char* wrong :
       {"max-parts=-1", "max-parts=x", "part-number-marker=x", "part-number-marker=-1"}) {
    CAPTURE(wrong);
    CHECK(server.get(target + "&" + wrong).error_code == "InvalidArgument");
  }
}
