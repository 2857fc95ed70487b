#include "server/tags.hpp"

#include <doctest/doctest.h>

using namespace mocks3;
using namespace mocks3::server;

namespace {

std::string check(const Tags& tags, size_t most = kMaxObjectTags) {
  const auto error = check_tags(tags, most);
  return error ? std::string(info(error->code).name) : "fine";
}

Tags many(int count) {
  Tags tags;
  for (int n = 0; n < count; ++n) tags.emplace_back("k" + std::to_string(n), "v");
  return tags;
}

/// `count` times a letter of two bytes.
std::string umlauts(int count) {
  std::string text;
  for (int n = 0; n < count; ++n) text += "\xC3\xA4";
  return text;
}

}  // namespace

TEST_CASE("tags: S3's limits") {
  CHECK(check({}) == "fine");
  CHECK(check(many(10)) == "fine");
  CHECK(check(many(11)) == "BadRequest");
  CHECK(check(many(50), kMaxBucketTags) == "fine");
  CHECK(check(many(51), kMaxBucketTags) == "BadRequest");
  CHECK(check_tags(many(11), 10)->message == "Object tags cannot be greater than 10");
  CHECK(check({{umlauts(128), umlauts(256)}}) == "fine");
  CHECK(check({{umlauts(129), ""}}) == "InvalidTag");
  CHECK(check({{"k", umlauts(257)}}) == "InvalidTag");
}

TEST_CASE("tags: keys that cannot be") {
  CHECK(check({{"", "v"}}) == "InvalidTag");
  CHECK(check({{"a", "1"}, {"b", "1"}, {"a", "2"}}) == "InvalidTag");
  CHECK(check({{"aws:x", "1"}}) == "InvalidTag");
  CHECK(check({{"AWS:x", "1"}}) == "InvalidTag");
  CHECK(check({{"laws:x", "1"}, {"A", "1"}, {"a", "1"}}) == "fine");
}

TEST_CASE("tags: as a header and as XML") {
  const Tags tags = {{"a b", "1&2"}, {"c", ""}};
  CHECK(tagging_header_of(tags) == "a%20b=1%262&c=");
  CHECK(tagging_header_of({}).empty());
  CHECK(tagging_xml(tags).find("<TagSet><Tag><Key>a b</Key><Value>1&amp;2</Value></Tag>"
                               "<Tag><Key>c</Key><Value></Value></Tag></TagSet></Tagging>") !=
        std::string::npos);
  CHECK(*parse_tagging(tagging_xml(tags)) == tags);
}
