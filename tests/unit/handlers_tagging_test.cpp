#include "tests/unit/handler_fixture.hpp"

using namespace mocks3;
using namespace mocks3::server;

namespace {

std::string tagging(const std::string& tags) {
  return "<Tagging><TagSet>" + tags + "</TagSet></Tagging>";
}
std::string tag(const std::string& key, const std::string& value) {
  return "<Tag><Key>" + key + "</Key><Value>" + value + "</Value></Tag>";
}

struct TaggingFixture : HandlerFixture {
  TaggingFixture() { put("/bkt/k", 5, {{"x-amz-meta-a", "1"}, {"x-amz-tagging", "old=1"}}); }

  Reply tag_with(const std::string& body, const std::string& target = "/bkt/k?tagging") {
    return send({.method = "PUT", .target = target, .body = body});
  }
};

}  // namespace

TEST_CASE("tagging handlers: tags are replaced and removed, the rest of the object stays") {
  TaggingFixture server;
  const std::string etag = header_of(server.head("/bkt/k"), "ETag");
  CHECK(server.tag_with(tagging(tag("a b", "1&amp;2") + tag("c", ""))).status == 200);
  const Reply tags = server.get("/bkt/k?tagging");
  CHECK(elements(tags, "Key") == std::vector<std::string>{"a b", "c"});
  CHECK(elements(tags, "Value") == std::vector<std::string>{"1&amp;2", ""});
  const Reply head = server.head("/bkt/k");
  CHECK(header_of(head, "x-amz-tagging-count") == "2");
  CHECK(header_of(head, "x-amz-meta-a") == "1");
  CHECK(header_of(head, "ETag") == etag);
  CHECK(server.del("/bkt/k?tagging").status == 204);
  CHECK(elements(server.get("/bkt/k?tagging"), "Key").empty());
  CHECK(header_of(server.head("/bkt/k"), "x-amz-tagging-count").empty());
  CHECK(header_of(server.head("/bkt/k"), "x-amz-meta-a") == "1");
  CHECK(server.tag_with(tagging(tag("a", "1"))).status == 200);
  CHECK(server.tag_with(tagging("")).status == 200);
  CHECK(header_of(server.head("/bkt/k"), "x-amz-tagging-count").empty());
}

TEST_CASE("tagging handlers: what S3 refuses changes nothing") {
  TaggingFixture server;
  std::string many;
  for (int n = 0; n < 11; ++n) many += tag("k" + std::to_string(n), "v");
  CHECK(server.tag_with(tagging(many)).error_code == "BadRequest");
  CHECK(server.tag_with(tagging(tag("a", "1") + tag("a", "2"))).error_code == "InvalidTag");
  CHECK(server.tag_with("<Tagging/>").error_code == "MalformedXML");
  CHECK(server.tag_with("").error_code == "MalformedXML");
  CHECK(server.tag_with(tagging(""), "/bkt/missing?tagging").error_code == "NoSuchKey");
  CHECK(server.tag_with(tagging(""), "/none/k?tagging").error_code == "NoSuchBucket");
  CHECK(server.tag_with(tagging(""), "/bkt/k?tagging&versionId=x").error_code == "InvalidArgument");
  CHECK(server.del("/bkt/missing?tagging").error_code == "NoSuchKey");
  CHECK(server.get("/bkt/missing?tagging").error_code == "NoSuchKey");
  CHECK(element(server.get("/bkt/k?tagging"), "Key") == "old");
}
