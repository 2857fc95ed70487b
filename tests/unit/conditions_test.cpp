#include "server/conditions.hpp"

#include <doctest/doctest.h>

using namespace mocks3;
using namespace mocks3::server;

namespace {

const ETag kTag{0x0123456789abcdef, 0xfedcba9876543210, 3};
const std::string kText = "0123456789abcdeffedcba9876543210-3";
const UnixMillis kModified{1'767'323'045'678};  // 2026-01-02T03:04:05.678Z
constexpr std::string_view kSame = "Fri, 02 Jan 2026 03:04:05 GMT";
constexpr std::string_view kEarlier = "Fri, 02 Jan 2026 03:04:04 GMT";
constexpr std::string_view kLater = "Fri, 02 Jan 2026 03:04:06 GMT";

ReadVerdict verdict(const ReadConditions& conditions) {
  return decide(conditions, kTag, kModified).verdict;
}

RequestHead head_with(std::vector<HeaderView> headers) {
  RequestHead head;
  head.headers = std::move(headers);
  return head;
}

}  // namespace

TEST_CASE("conditions: an ETag list in every spelling") {
  for (const std::string& list :
       {kText, "\"" + kText + "\"", "W/\"" + kText + "\"", "w/\"" + kText + "\"", "W/" + kText,
        "\"other\" , \"" + kText + "\"", "other,," + kText, std::string("*"), " " + kText + "\t"}) {
    CAPTURE(list);
    CHECK(etag_list_matches(list, kText));
  }
  for (const std::string& list :
       {std::string(), std::string("\"\""), std::string(","), std::string("\""), "\"" + kText,
        kText + "0", std::string("0123456789abcdeffedcba9876543210"), std::string("W/"),
        "\"" + kText + "\" \"" + kText + "\""}) {
    CAPTURE(list);
    CHECK_FALSE(etag_list_matches(list, kText));
  }
}

TEST_CASE("conditions: none, and each alone") {
  CHECK(verdict({}) == ReadVerdict::proceed);
  CHECK(verdict({.if_match = kText}) == ReadVerdict::proceed);
  CHECK(verdict({.if_match = "\"x\""}) == ReadVerdict::failed);
  CHECK(verdict({.if_none_match = kText}) == ReadVerdict::not_modified);
  CHECK(verdict({.if_none_match = "*"}) == ReadVerdict::not_modified);
  CHECK(verdict({.if_none_match = "x"}) == ReadVerdict::proceed);
}

TEST_CASE("conditions: dates are compared in whole seconds") {
  CHECK(verdict({.if_modified_since = kEarlier}) == ReadVerdict::proceed);
  CHECK(verdict({.if_modified_since = kSame}) == ReadVerdict::not_modified);
  CHECK(verdict({.if_modified_since = kLater}) == ReadVerdict::not_modified);
  CHECK(verdict({.if_unmodified_since = kEarlier}) == ReadVerdict::failed);
  CHECK(verdict({.if_unmodified_since = kSame}) == ReadVerdict::proceed);
  CHECK(verdict({.if_unmodified_since = kLater}) == ReadVerdict::proceed);
  CHECK(verdict({.if_modified_since = "yesterday"}) == ReadVerdict::proceed);
  CHECK(verdict({.if_unmodified_since = "yesterday"}) == ReadVerdict::proceed);
}

TEST_CASE("conditions: ETags go before dates") {
  CHECK(verdict({.if_match = kText, .if_unmodified_since = kEarlier}) == ReadVerdict::proceed);
  CHECK(verdict({.if_match = "x", .if_unmodified_since = kLater}) == ReadVerdict::failed);
  CHECK(verdict({.if_none_match = "x", .if_modified_since = kLater}) == ReadVerdict::proceed);
  CHECK(verdict({.if_none_match = kText, .if_modified_since = kEarlier}) ==
        ReadVerdict::not_modified);
  CHECK(verdict({.if_match = "x", .if_none_match = kText}) == ReadVerdict::failed);
}

TEST_CASE("conditions: the deciding header is named") {
  CHECK(decide({.if_match = "x"}, kTag, kModified).condition == "If-Match");
  CHECK(decide({.if_unmodified_since = kEarlier}, kTag, kModified).condition ==
        "If-Unmodified-Since");
}

TEST_CASE("conditions: read from the head, those of a copy's source apart") {
  const RequestHead head = head_with({{"if-match", "a"},
                                      {"x-amz-copy-source-if-match", "b"},
                                      {"X-Amz-Copy-Source-If-None-Match", "c"},
                                      {"If-Modified-Since", kSame}});
  const auto request = ReadConditions::of_request(head);
  CHECK(request.if_match == "a");
  CHECK(request.if_none_match.empty());
  CHECK(request.if_modified_since == kSame);
  const auto source = ReadConditions::of_copy_source(head);
  CHECK(source.if_match == "b");
  CHECK(source.if_none_match == "c");
  CHECK(source.if_modified_since.empty());
}

TEST_CASE("conditions: of a write") {
  const auto none = write_condition_of(head_with({}));
  REQUIRE(none);
  CHECK_FALSE(none->if_none_match_any);
  CHECK_FALSE(none->if_match);
  const auto both = write_condition_of(head_with({{"If-None-Match", "*"}, {"If-Match", "\"x\""}}));
  REQUIRE(both);
  CHECK(both->if_none_match_any);
  CHECK(both->if_match == "\"x\"");
  const auto tag = write_condition_of(head_with({{"If-None-Match", "\"x\""}}));
  REQUIRE_FALSE(tag);
  CHECK(tag.error().code == S3Code::NotImplemented);
}

TEST_CASE("conditions: If-Range by ETag or by date") {
  CHECK(range_still_valid("", kTag, kModified));
  CHECK(range_still_valid("\"" + kText + "\"", kTag, kModified));
  CHECK_FALSE(range_still_valid("\"x\"", kTag, kModified));
  CHECK(range_still_valid(kSame, kTag, kModified));
  CHECK_FALSE(range_still_valid(kLater, kTag, kModified));
}
