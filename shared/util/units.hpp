#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "shared/util/result.hpp"

namespace mocks3 {

inline constexpr uint64_t kKiB = 1024;
inline constexpr uint64_t kMiB = 1024 * kKiB;
inline constexpr uint64_t kGiB = 1024 * kMiB;
inline constexpr uint64_t kTiB = 1024 * kGiB;

/// Bytes from "0", "5MiB", "1.5GiB", "100MB" (10^6), "64k". KiB MiB GiB TiB and the one-letter
/// forms k m g t are powers of 1024; KB MB GB TB are powers of 1000; B or nothing is bytes; letter
/// case is free. Fractions are allowed where they give whole bytes. Error: unparsable, negative,
/// or over 2^63-1.
Result<uint64_t> parse_size(std::string_view text);

/// Time from "30s", "500ms", "2m", "1h", "250us", "10ns"; a bare number is seconds; fractions are
/// allowed. Error: unparsable, negative, or over 10 years.
Result<std::chrono::nanoseconds> parse_duration(std::string_view text);

/// Bits per second from "10Gbit", "100Mbit", "1Kbit" (powers of 1000), or from bytes per second
/// "40MiB/s", "100MB/s". Error: unparsable, negative or over 2^63-1.
Result<uint64_t> parse_bit_rate(std::string_view text);

/// A whole decimal number without sign; error if anything else stands in `text`.
Result<uint64_t> parse_uint(std::string_view text);

/// "128 MiB", "1.5 GiB", "512 B": binary units, at most one decimal.
std::string format_size(uint64_t bytes);
/// As the flags accept it, exact: 5242880 -> "5MiB", 5242881 -> "5242881".
std::string format_size_exact(uint64_t bytes);
/// "850 us", "1.25 s", "2m 03s": three significant digits.
std::string format_duration(std::chrono::nanoseconds time);

}  // namespace mocks3
