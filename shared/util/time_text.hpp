#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mocks3 {

/// Wall-clock time in whole milliseconds since 1970-01-01 UTC: what S3 keeps of a date.
struct UnixMillis {
  int64_t value = 0;
  auto operator<=>(const UnixMillis&) const = default;
};

UnixMillis now_millis();

/// "Fri, 02 Jan 2026 03:04:05 GMT" (RFC 9110 IMF-fixdate); no locale.
std::string http_date(UnixMillis time);
/// "2026-01-02T03:04:05.000Z" as in S3's XML.
std::string iso8601_millis(UnixMillis time);
/// "20260102T030405Z" as SigV4's x-amz-date.
std::string basic_iso8601(UnixMillis time);
/// "2026-01-02T03:04:05Z", with or without a fraction of a second of up to 9 digits.
std::optional<UnixMillis> parse_iso8601(std::string_view text);
/// The three forms of RFC 9110 section 5.6.7; nothing where it is none of them. `now` tells the
/// century of the form with a two-digit year.
std::optional<UnixMillis> parse_http_date(std::string_view text, UnixMillis now = now_millis());

}  // namespace mocks3
