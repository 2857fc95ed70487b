#include "tests/unit/handler_fixture.hpp"

using namespace mocks3;
using namespace mocks3::server;
using Names = std::vector<std::string>;

TEST_CASE("delete: conditions on ETag, time and size") {
  HandlerFixture server;
  server.put("/bkt/k", 5);
  const std::string etag = header_of(server.head("/bkt/k"), "ETag");
  const std::string date = header_of(server.head("/bkt/k"), "Last-Modified");
  const auto status = [&](const HandlerFixture::Headers& headers) {
    return server.del("/bkt/k", headers).status;
  };
  CHECK(status({{"If-Match", "\"x\""}}) == 412);
  CHECK(status({{"x-amz-if-match-size", "6"}}) == 412);
  CHECK(status({{"x-amz-if-match-last-modified-time", "Fri, 02 Jan 2026 03:04:06 GMT"}}) == 412);
  CHECK(status({{"x-amz-if-match-size", "x"}}) == 400);
  CHECK(status({{"x-amz-if-match-last-modified-time", "now"}}) == 400);
  CHECK(status({{"If-None-Match", "*"}}) == 501);
  CHECK(server.head("/bkt/k").status == 200);
  CHECK(status({{"If-Match", etag},
                {"x-amz-if-match-size", "5"},
                {"x-amz-if-match-last-modified-time", date}}) == 204);
  CHECK(status({{"x-amz-if-match-size", "5"}}) == 204);
  CHECK(server.del("/bkt/k", {{"If-Match", "*"}}).error_code == "NoSuchKey");
}

TEST_CASE("delete: a missing bucket comes before versions and conditions") {
  HandlerFixture server;
  const std::string version(32, 'v');
  CHECK(server.del("/none/k?versionId=" + version).error_code == "NoSuchBucket");
  CHECK(server.del("/none/k?versionId=x").error_code == "NoSuchBucket");
  CHECK(server.del("/none/k", {{"If-None-Match", "*"}}).error_code == "NoSuchBucket");
  server.put("/bkt", 0);
  CHECK(server.del("/bkt/k?versionId=" + version).status == 204);
}

TEST_CASE("delete objects: conditions and versions of each") {
  HandlerFixture server;
  for (const char* key : {"etag", "wrong", "size", "null", "version"}) {
    server.put(std::string("/bkt/") + key, 5);
  }
  const std::string etag = header_of(server.head("/bkt/etag"), "ETag");
  const Reply reply =
      server.post("/bkt?delete",
                  "<Delete><Object><Key>etag</Key><ETag>" + etag +
                      "</ETag></Object>"
                      "<Object><Key>wrong</Key><ETag>\"x\"</ETag></Object>"
                      "<Object><Key>size</Key><Size>5</Size>"
                      "<LastModifiedTime>Fri, 02 Jan 2026 03:04:05 GMT</LastModifiedTime></Object>"
                      "<Object><Key>null</Key><VersionId>null</VersionId></Object>"
                      "<Object><Key>version</Key><VersionId>x</VersionId></Object>"
                      "<Object><Key>missing</Key><ETag>*</ETag></Object></Delete>");
  CHECK(reply.status == 200);
  CHECK(elements(reply, "Deleted") ==
        Names{"<Key>etag</Key>", "<Key>size</Key>", "<Key>null</Key><VersionId>null</VersionId>"});
  CHECK(elements(reply, "Code") == Names{"PreconditionFailed", "NoSuchVersion", "NoSuchKey"});
  CHECK(elements(reply, "VersionId") == Names{"null", "x"});
  CHECK(elements(server.get("/bkt"), "Key") == Names{"version", "wrong"});
}

TEST_CASE("copies: the version of the source") {
  HandlerFixture server;
  server.put("/bkt/k", 5);
  const auto copy = [&](const std::string& version) {
    return server.put("/bkt/c", 0, {{"x-amz-copy-source", "bkt/k?versionId=" + version}});
  };
  CHECK(copy("null").status == 200);
  CHECK(copy("x").error_code == "InvalidArgument");
  CHECK(copy(std::string(32, 'v')).error_code == "NoSuchVersion");
}
