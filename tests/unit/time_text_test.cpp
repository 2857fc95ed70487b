#include "shared/util/time_text.hpp"

#include <doctest/doctest.h>

#include <clocale>

using namespace mocks3;

namespace {

constexpr UnixMillis kRfcExample{784'111'777'000};  // RFC 9110: Sun, 06 Nov 1994 08:49:37 GMT
constexpr UnixMillis kIn2026{1'767'323'045'678};    // 2026-01-02T03:04:05.678Z

}  // namespace

TEST_CASE("writing dates") {
  CHECK(http_date(kRfcExample) == "Sun, 06 Nov 1994 08:49:37 GMT");
  CHECK(http_date(kIn2026) == "Fri, 02 Jan 2026 03:04:05 GMT");
  CHECK(iso8601_millis(kIn2026) == "2026-01-02T03:04:05.678Z");
  CHECK(basic_iso8601(kIn2026) == "20260102T030405Z");
  CHECK(http_date({0}) == "Thu, 01 Jan 1970 00:00:00 GMT");
  CHECK(iso8601_millis({-1}) == "1969-12-31T23:59:59.999Z");
  CHECK(iso8601_millis({951'782'400'000}) == "2000-02-29T00:00:00.000Z");
}

TEST_CASE("writing dates: no locale") {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  CHECK(http_date({1'772'323'200'000}) == "Sun, 01 Mar 2026 00:00:00 GMT");
  std::setlocale(LC_ALL, before.c_str());
}

TEST_CASE("parse_iso8601") {
  CHECK(parse_iso8601("2026-01-02T03:04:05.678Z") == kIn2026);
  CHECK(parse_iso8601("2026-01-02T03:04:05.6789Z") == kIn2026);
  CHECK(parse_iso8601("2026-01-02T03:04:05Z") == UnixMillis{kIn2026.value - 678});
  CHECK(parse_iso8601("2026-01-02T03:04:05.5Z") == UnixMillis{kIn2026.value - 178});
  for (const char* bad : {"", "Z", "2026-01-02", "2026-01-02T03:04:05", "2026-13-02T03:04:05Z",
                          "2026-02-30T03:04:05Z", "2026-01-02T03:04:05.Z", "2026-01-02T03:04:05.xZ",
                          "2026-01-02 03:04:05Z", "Fri, 02 Jan 2026 03:04:05 GMT"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_iso8601(bad));
  }
}

TEST_CASE("parse_http_date: the three forms") {
  CHECK(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT") == kRfcExample);
  CHECK(parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT") == kRfcExample);
  CHECK(parse_http_date("Sun Nov  6 08:49:37 1994") == kRfcExample);
  CHECK(parse_http_date("Wed Nov 16 08:49:37 1994") ==
        UnixMillis{kRfcExample.value + 10LL * 86'400'000});
}

TEST_CASE("parse_http_date: reads back what http_date writes") {
  for (int64_t day = -20'000; day < 40'000; day += 13) {
    const UnixMillis time{(day * 86'400 + (day * 7919) % 86'400) * 1000};
    CHECK(parse_http_date(http_date(time)) == time);
  }
}

TEST_CASE("parse_http_date: a two-digit year is at most 50 years ahead") {
  const auto year_of = [](std::string_view text) {
    return iso8601_millis(parse_http_date(text, kIn2026).value()).substr(0, 4);
  };
  CHECK(year_of("Monday, 01-Jan-26 00:00:00 GMT") == "2026");
  CHECK(year_of("Monday, 01-Jan-76 00:00:00 GMT") == "2076");
  CHECK(year_of("Monday, 01-Jan-77 00:00:00 GMT") == "1977");
  CHECK(year_of("Monday, 01-Jan-00 00:00:00 GMT") == "2000");
}

TEST_CASE("parse_http_date: a leap second is the next minute's first") {
  CHECK(parse_http_date("Sat, 31 Dec 2016 23:59:60 GMT") ==
        parse_http_date("Sun, 01 Jan 2017 00:00:00 GMT"));
}

TEST_CASE("parse_http_date: what is no date") {
  for (const auto* text : {"",
                           " ",
                           "0",
                           "now",
                           "Sun, 06 Nov 1994 08:49:37",
                           "Sun, 06 Nov 1994 08:49:37 UTC",
                           "Sun, 06 Nov 1994 08:49:37 GMT ",
                           " Sun, 06 Nov 1994 08:49:37 GMT",
                           "Sun, 6 Nov 1994 08:49:37 GMT",
                           "Sun, 06 Nov 94 08:49:37 GMT",
                           "Sun, 06 nov 1994 08:49:37 GMT",
                           "Xxx, 06 Nov 1994 08:49:37 GMT",
                           "Sun, 31 Feb 2024 00:00:00 GMT",
                           "Wed, 29 Feb 2023 00:00:00 GMT",
                           "Sun, 00 Nov 1994 08:49:37 GMT",
                           "Sun, 06 Nov 1994 24:00:00 GMT",
                           "Sun, 06 Nov 1994 08:60:37 GMT",
                           "Sun, 06 Nov 1994 08:49:61 GMT",
                           "Sun, 06 Nov 1994 08:49:-7 GMT",
                           "Sun, 06-Nov-94 08:49:37 GMT",
                           "Sunday, 06-Nov-1994 08:49:37 GMT",
                           "Sun Nov 6 08:49:37 1994",
                           "Sun Nov  6 08:49:37 1994 ",
                           "1994-11-06T08:49:37Z"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_http_date(text));
  }
}

TEST_CASE("parse_http_date: every truncation of a date is refused") {
  for (const std::string text : {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
                                 "Sun Nov  6 08:49:37 1994"}) {
    for (size_t length = 0; length < text.size(); ++length) {
      CHECK_FALSE(parse_http_date(std::string_view(text).substr(0, length)));
    }
  }
}

TEST_CASE("now_millis: after this was written, in this century") {
  CHECK(now_millis() > UnixMillis{1'700'000'000'000});
  CHECK(now_millis() < UnixMillis{4'000'000'000'000});
}
