#include "shared/proto/range.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace mocks3;

namespace {

/// "offset+length" with "!" before a whole object that is no partial answer; "416" for an error.
std::string resolved(std::string_view header, uint64_t size) {
  const auto range = resolve_range(header, size);
  if (!range) return std::to_string(info(range.error().code).status);
  return (range->partial ? "" : "!") + std::to_string(range->offset) + "+" +
         std::to_string(range->length);
}

}  // namespace

TEST_CASE("range: one range is honoured and cut to the object") {
  CHECK(resolved("bytes=0-0", 600) == "0+1");
  CHECK(resolved("bytes=0-", 600) == "0+600");
  CHECK(resolved("bytes=0-599", 600) == "0+600");
  CHECK(resolved("bytes=0-6000", 600) == "0+600");
  CHECK(resolved("bytes=500-1000", 600) == "500+100");
  CHECK(resolved("bytes=599-599", 600) == "599+1");
  CHECK(resolved("bytes=599-", 600) == "599+1");
  CHECK(resolved("bytes=0-52428799", 1000) == "0+1000");
}

TEST_CASE("range: suffixes") {
  CHECK(resolved("bytes=-1", 600) == "599+1");
  CHECK(resolved("bytes=-600", 600) == "0+600");
  CHECK(resolved("bytes=-601", 600) == "0+600");
  CHECK(resolved("bytes=-0", 600) == "416");
}

TEST_CASE("range: beyond the object") {
  CHECK(resolved("bytes=600-", 600) == "416");
  CHECK(resolved("bytes=600-700", 600) == "416");
  const auto range = resolve_range("bytes=600-", 600);
  REQUIRE_FALSE(range);
  CHECK(range.error().code == S3Code::InvalidRange);
  REQUIRE(range.error().details.size() == 2);
  CHECK(range.error().details[0] ==
        std::pair<std::string, std::string>("RangeRequested", "bytes=600-"));
  CHECK(range.error().details[1] == std::pair<std::string, std::string>("ActualObjectSize", "600"));
}

TEST_CASE("range: of an empty object") {
  CHECK(resolved("", 0) == "!0+0");
  CHECK(resolved("bytes=0-0", 0) == "416");
  CHECK(resolved("bytes=0-", 0) == "416");
  CHECK(resolved("bytes=-1", 0) == "!0+0");
  CHECK(resolved("bytes=-0", 0) == "416");
}

TEST_CASE("range: numbers too large for 64 bits are large numbers") {
  CHECK(resolved("bytes=0-18446744073709551615", 600) == "0+600");
  CHECK(resolved("bytes=1-18446744073709551616", 600) == "1+599");
  CHECK(resolved("bytes=1-99999999999999999999999999999999", 600) == "1+599");
  CHECK(resolved("bytes=-99999999999999999999999999999999", 600) == "0+600");
  CHECK(resolved("bytes=99999999999999999999999999999999-", 600) == "416");
  CHECK(resolved("bytes=18446744073709551616-18446744073709551617", UINT64_MAX) == "416");
  CHECK(resolved("bytes=0-", UINT64_MAX) == "0+18446744073709551615");
}

TEST_CASE("range: what has no meaning is the whole object") {
  for (const std::string_view header :
       {"bytes=5-2",     "bytes=",         "bytes=-",     "bytes=a-b",   "bytes=1",
        "bytes=1-2-3",   "bytes=--1",      "bytes=+1-2",  "bytes=1 - 2", "bytes=0x1-2",
        "bytes = 0-1",   "items=0-1",      "0-1",         "bytes",       "bytes:0-1",
        "bytes=0-1,5-6", "bytes=0-1, 5-6", "bytes=0-,-1", "bytes=,",     "bytes=0-1;2-3"}) {
    CAPTURE(header);
    CHECK(resolved(header, 600) == "!0+600");
  }
}

TEST_CASE("range: letter case of the unit, white space and empty list elements") {
  CHECK(resolved("Bytes=0-1", 600) == "0+2");
  CHECK(resolved("BYTES=-2", 600) == "598+2");
  CHECK(resolved(" bytes=0-1\t", 600) == "0+2");
  CHECK(resolved("bytes= 0-1", 600) == "0+2");
  CHECK(resolved("bytes=,0-1 ,", 600) == "0+2");
}

TEST_CASE("copy range: exactly first-last inside the source") {
  const auto range = resolve_copy_range("bytes=5-9", 10);
  REQUIRE(range);
  CHECK(range->offset == 5);
  CHECK(range->length == 5);
  for (const std::string_view bad : {"", "bytes=5-", "bytes=-5", "bytes=9-5", "Bytes=0-1", "0-1",
                                     "bytes=0-1,2-3", "bytes=0-0-1", "bytes= 0-1", "bytes=a-b"}) {
    CAPTURE(bad);
    const auto refused = resolve_copy_range(bad, 10);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == S3Code::InvalidArgument);
  }
  for (const std::string_view bad : {"bytes=0-10", "bytes=10-10", "bytes=5-99999999999999999999"}) {
    CAPTURE(bad);
    const auto refused = resolve_copy_range(bad, 10);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == S3Code::InvalidArgument);
    CHECK(refused.error().message == "Range specified is not valid for source object of size: 10");
  }
  CHECK_FALSE(resolve_copy_range("bytes=0-0", 0));
}
