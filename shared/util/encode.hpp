#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mocks3 {

/// Lower-case hexadecimal.
std::string hex_encode(std::span<const uint8_t> bytes);
/// 16 lower-case hexadecimal digits, most significant first.
std::string hex_u64(uint64_t value);
std::optional<std::string> hex_decode(std::string_view text);

/// RFC 4648 section 4, with padding.
std::string base64_encode(std::span<const uint8_t> bytes);
/// Nothing where `text` is not canonical padded base64.
std::optional<std::string> base64_decode(std::string_view text);

/// RFC 3986 percent-encoding of everything but A-Z a-z 0-9 - . _ ~ (upper-case digits), as SigV4
/// and S3's encoding-type=url have it. With `keep_slash`, '/' stays as it is.
std::string percent_encode(std::string_view bytes, bool keep_slash = false);
/// Decodes %XX once; '+' stays '+' unless `plus_is_space`. Nothing on a bad escape.
std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space = false);

/// ASCII-only comparisons and trimming, as HTTP needs them; locale plays no part.
bool iequals(std::string_view a, std::string_view b);
bool istarts_with(std::string_view text, std::string_view prefix);
std::string_view trim(std::string_view text);
std::string to_lower(std::string_view text);

/// "text" in quotes, fit for a one-line message: control characters become '?', and what is longer
/// than `max_bytes` is cut and ends in "...".
std::string in_quotes(std::string_view text, size_t max_bytes = 60);

/// 64-bit hash of bytes, the same on every machine and in every run (not for adversarial input).
uint64_t stable_hash(std::string_view bytes, uint64_t seed = 0);
/// Bijective mix of 64 bits (SplitMix64's finaliser).
constexpr uint64_t mix64(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace mocks3
