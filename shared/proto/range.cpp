#include "shared/proto/range.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "shared/util/encode.hpp"

namespace mocks3 {
namespace {

/// Digits of any length as a number, the largest one where they say more; nothing where anything
/// but digits stands there, or nothing at all.
std::optional<uint64_t> saturating_number(std::string_view digits) {
  if (digits.empty()) return std::nullopt;
  uint64_t value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto digit = static_cast<uint64_t>(c - '0');
    value = value > (UINT64_MAX - digit) / 10 ? UINT64_MAX : value * 10 + digit;
  }
  return value;
}

/// RFC 9110 section 14.1.1, one range-spec: "first-", "first-last" or "-suffix".
struct RangeSpec {
  std::optional<uint64_t> first;
  std::optional<uint64_t> last;  ///< without `first`, the suffix length
};

std::optional<RangeSpec> parse_spec(std::string_view text) {
  const size_t dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const std::string_view before = text.substr(0, dash);
  const std::string_view after = text.substr(dash + 1);
  RangeSpec spec{saturating_number(before), saturating_number(after)};
  if (!before.empty() && !spec.first) return std::nullopt;
  if (!after.empty() && !spec.last) return std::nullopt;
  if (!spec.first && !spec.last) return std::nullopt;
  if (spec.first && spec.last && *spec.last < *spec.first) return std::nullopt;
  return spec;
}

/// The one range of a Range header; nothing where it has several, another unit or no meaning. Empty
/// list elements count for nothing (RFC 9110 section 5.6.1).
std::optional<RangeSpec> parse_header(std::string_view header) {
  header = trim(header);
  if (!istarts_with(header, "bytes=")) return std::nullopt;
  header.remove_prefix(std::string_view("bytes=").size());
  std::string_view only;
  while (!header.empty()) {
    const size_t comma = std::min(header.find(','), header.size());
    const std::string_view element = trim(header.substr(0, comma));
    header.remove_prefix(std::min(comma + 1, header.size()));
    if (element.empty()) continue;
    if (!only.empty()) return std::nullopt;
    only = element;
  }
  return parse_spec(only);
}

S3Error invalid_range(std::string_view header, uint64_t size) {
  S3Error error(S3Code::InvalidRange);
  error.details = {{"RangeRequested", std::string(header)},
                   {"ActualObjectSize", std::to_string(size)}};
  return error;
}

S3Error invalid_copy_range(std::string_view header, std::string message = {}) {
  if (message.empty()) {
    message =
        "The x-amz-copy-source-range value must be of the form bytes=first-last where first and "
        "last are the zero-based offsets of the first and last bytes to copy";
  }
  S3Error error(S3Code::InvalidArgument, std::move(message));
  error.details = {{"ArgumentName", "x-amz-copy-source-range"},
                   {"ArgumentValue", std::string(header)}};
  return error;
}

}  // namespace

S3Result<ByteRange> resolve_range(std::string_view header, uint64_t size) {
  const ByteRange whole{0, size, false};
  const std::optional<RangeSpec> spec = parse_header(header);
  if (!spec) return whole;
  if (!spec->first) {
    const uint64_t suffix = *spec->last;
    if (suffix == 0) return invalid_range(header, size);
    if (size == 0) return whole;
    const uint64_t length = std::min(suffix, size);
    return ByteRange{size - length, length, true};
  }
  if (*spec->first >= size) return invalid_range(header, size);
  const uint64_t last = std::min(spec->last.value_or(UINT64_MAX), size - 1);
  return ByteRange{*spec->first, last - *spec->first + 1, true};
}

S3Result<ByteRange> resolve_copy_range(std::string_view header, uint64_t size) {
  constexpr std::string_view kUnit = "bytes=";
  if (!header.starts_with(kUnit)) return invalid_copy_range(header);
  const std::optional<RangeSpec> spec = parse_spec(header.substr(kUnit.size()));
  if (!spec || !spec->first || !spec->last) return invalid_copy_range(header);
  if (*spec->last >= size) {
    return invalid_copy_range(
        header, "Range specified is not valid for source object of size: " + std::to_string(size));
  }
  return ByteRange{*spec->first, *spec->last - *spec->first + 1, true};
}

}  // namespace mocks3
