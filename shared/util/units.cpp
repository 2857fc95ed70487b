#include "shared/util/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "shared/util/encode.hpp"

namespace mocks3 {
namespace {

using Wide = unsigned __int128;

constexpr uint64_t kMaxValue = (uint64_t{1} << 63) - 1;
constexpr uint64_t kKB = 1000;
constexpr uint64_t kNanosPerSecond = 1'000'000'000;
constexpr uint64_t kMaxNanos = uint64_t{3650} * 86'400 * kNanosPerSecond;

struct Unit {
  std::string_view name;
  uint64_t factor;
};

constexpr std::array<Unit, 14> kSizeUnits{{{"", 1},
                                           {"b", 1},
                                           {"k", kKiB},
                                           {"m", kMiB},
                                           {"g", kGiB},
                                           {"t", kTiB},
                                           {"kib", kKiB},
                                           {"mib", kMiB},
                                           {"gib", kGiB},
                                           {"tib", kTiB},
                                           {"kb", kKB},
                                           {"mb", kKB* kKB},
                                           {"gb", kKB* kKB* kKB},
                                           {"tb", kKB* kKB* kKB* kKB}}};

constexpr std::array<Unit, 7> kTimeUnits{{{"", kNanosPerSecond},
                                          {"ns", 1},
                                          {"us", 1'000},
                                          {"ms", 1'000'000},
                                          {"s", kNanosPerSecond},
                                          {"m", 60 * kNanosPerSecond},
                                          {"h", 3600 * kNanosPerSecond}}};

constexpr std::array<Unit, 5> kBitUnits{{{"bit", 1},
                                         {"kbit", kKB},
                                         {"mbit", kKB* kKB},
                                         {"gbit", kKB* kKB* kKB},
                                         {"tbit", kKB* kKB* kKB* kKB}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A decimal number split into all its digits, as one number, and how many are decimals.
struct Decimal {
  Wide digits = 0;
  unsigned decimals = 0;
};

Wide power_of_10(unsigned exponent) {
  Wide result = 1;
  while (exponent-- > 0) result *= 10;
  return result;
}

/// Takes "12" or "12.5" off the front of `text`; up to 20 digits before the point, 18 behind it.
std::optional<Decimal> take_decimal(std::string_view& text) {
  const auto digits_at = [&](size_t start) {
    size_t end = start;
    while (end < text.size() && is_digit(text[end])) ++end;
    return text.substr(start, end - start);
  };
  const std::string_view whole = digits_at(0);
  if (whole.empty() || whole.size() > 20) return std::nullopt;
  Decimal number;
  for (const char c : whole) number.digits = number.digits * 10 + static_cast<unsigned>(c - '0');
  text.remove_prefix(whole.size());
  if (!text.starts_with('.')) return number;
  const std::string_view fraction = digits_at(1);
  if (fraction.empty() || fraction.size() > 18) return std::nullopt;
  for (const char c : fraction) number.digits = number.digits * 10 + static_cast<unsigned>(c - '0');
  number.decimals = static_cast<unsigned>(fraction.size());
  text.remove_prefix(1 + fraction.size());
  return number;
}

std::optional<uint64_t> find_unit(std::span<const Unit> units, std::string_view name) {
  const auto found =
      std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.name == name; });
  return found == units.end() ? std::nullopt : std::optional(found->factor);
}

enum class Rounding { exact, down };

/// number x factor; nothing where it is over `limit`, or not whole and has to be.
std::optional<uint64_t> scale(const Decimal& number, uint64_t factor, uint64_t limit,
                              Rounding rounding) {
  // 38 digits are below 2^127: dividing first keeps the product within 128 bits.
  const Wide divisor = power_of_10(number.decimals);
  const Wide whole = number.digits / divisor;
  if (whole > limit / factor) return std::nullopt;
  const Wide fraction = number.digits % divisor * factor;
  if (rounding == Rounding::exact && fraction % divisor != 0) return std::nullopt;
  const Wide value = whole * factor + fraction / divisor;
  return value > limit ? std::nullopt : std::optional(static_cast<uint64_t>(value));
}

/// Nanoseconds per unit of format_duration, and its name.
constexpr std::array<Unit, 3> kShortTimes{
    {{"us", 1'000}, {"ms", 1'000'000}, {"s", kNanosPerSecond}}};

/// Three significant digits of nanos / factor; nothing where they would be 1000 or more.
std::optional<std::string> three_digits(uint64_t nanos, const Unit& unit) {
  for (unsigned decimals = 2;; --decimals) {
    const auto scaled_by = static_cast<uint64_t>(power_of_10(decimals));
    const uint64_t value = (nanos * scaled_by + unit.factor / 2) / unit.factor;
    if (value < 1000) {
      return decimals == 0 ? fmt::format("{} {}", value, unit.name)
                           : fmt::format("{}.{:0{}} {}", value / scaled_by, value % scaled_by,
                                         decimals, unit.name);
    }
    if (decimals == 0) return std::nullopt;
  }
}

std::string format_nanos(uint64_t nanos) {
  if (nanos == 0) return "0 s";
  if (nanos < 1000) return fmt::format("{} ns", nanos);
  if (nanos < 59'950'000'000) {  // what rounds to 60.0 s is a minute
    for (const Unit& unit : kShortTimes) {
      if (auto text = three_digits(nanos, unit)) return *text;
    }
  }
  const uint64_t seconds = (nanos + kNanosPerSecond / 2) / kNanosPerSecond;
  if (seconds < 3600) return fmt::format("{}m {:02}s", seconds / 60, seconds % 60);
  const uint64_t minutes = (seconds + 30) / 60;
  return fmt::format("{}h {:02}m", minutes / 60, minutes % 60);
}

}  // namespace

Result<uint64_t> parse_size(std::string_view text) {
  std::string_view rest = text;
  const auto number = take_decimal(rest);
  const auto factor = number ? find_unit(kSizeUnits, to_lower(rest)) : std::nullopt;
  if (!factor) {
    return Error{
        fmt::format("cannot read {} as a size; use e.g. 64MiB, 1GiB or 500MB", in_quotes(text))};
  }
  if (const auto bytes = scale(*number, *factor, kMaxValue, Rounding::exact)) return *bytes;
  const bool too_large = !scale(*number, *factor, kMaxValue, Rounding::down);
  return Error{fmt::format("size {} is {}", in_quotes(text),
                           too_large ? "too large; at most 2^63-1 bytes"
                                     : "not a whole number of bytes; use a smaller unit")};
}

Result<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  std::string_view rest = text;
  const auto number = take_decimal(rest);
  const auto factor = number ? find_unit(kTimeUnits, rest) : std::nullopt;
  if (!factor) {
    return Error{
        fmt::format("cannot read {} as a time; use e.g. 30s, 500ms or 2m", in_quotes(text))};
  }
  const auto nanos = scale(*number, *factor, kMaxNanos, Rounding::down);
  if (!nanos) return Error{fmt::format("time {} is too long; at most 10 years", in_quotes(text))};
  return std::chrono::nanoseconds(static_cast<int64_t>(*nanos));
}

Result<uint64_t> parse_bit_rate(std::string_view text) {
  std::string_view rest = text;
  const auto number = take_decimal(rest);
  const bool per_second = rest.ends_with("/s");
  if (per_second) rest.remove_suffix(2);
  auto factor = number ? find_unit(kBitUnits, to_lower(rest)) : std::nullopt;
  // Only a capital B is bytes: "Mb/s" is megabits to many.
  if (!factor && number && per_second && rest.ends_with('B')) {
    factor = find_unit(kSizeUnits, to_lower(rest));
    if (factor) *factor *= 8;
  }
  if (!factor) {
    return Error{fmt::format("cannot read {} as a rate; use e.g. 10Gbit, 100Mbit or 40MiB/s",
                             in_quotes(text))};
  }
  if (const auto bits = scale(*number, *factor, kMaxValue, Rounding::exact)) return *bits;
  const bool too_large = !scale(*number, *factor, kMaxValue, Rounding::down);
  return Error{fmt::format("rate {} is {}", in_quotes(text),
                           too_large ? "too large; at most 2^63-1 bits per second"
                                     : "not a whole number of bits per second")};
}

Result<uint64_t> parse_uint(std::string_view text) {
  uint64_t value = 0;
  for (const char c : text) {
    if (!is_digit(c)) break;
    const Wide next = Wide{value} * 10 + static_cast<unsigned>(c - '0');
    if (next > UINT64_MAX) {
      return Error{fmt::format("number {} is too large; at most 2^64-1", in_quotes(text))};
    }
    value = static_cast<uint64_t>(next);
  }
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) {
    return Error{fmt::format("cannot read {} as a whole number", in_quotes(text))};
  }
  return value;
}

std::string format_size(uint64_t bytes) {
  constexpr std::array<std::string_view, 7> kNames{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  size_t unit = 1;
  Wide tenths = 0;
  // What rounds to 1024 of a unit is 1 of the next.
  for (;; ++unit) {
    const Wide factor = Wide{1} << (10 * unit);
    tenths = (Wide{bytes} * 10 + factor / 2) / factor;
    if (tenths < 10240 || unit + 1 == kNames.size()) break;
  }
  const auto shown = static_cast<uint64_t>(tenths);
  return shown % 10 == 0 ? fmt::format("{} {}", shown / 10, kNames[unit])
                         : fmt::format("{}.{} {}", shown / 10, shown % 10, kNames[unit]);
}

std::string format_size_exact(uint64_t bytes) {
  constexpr std::array<Unit, 4> kUnits{
      {{"TiB", kTiB}, {"GiB", kGiB}, {"MiB", kMiB}, {"KiB", kKiB}}};
  for (const Unit& unit : kUnits) {
    if (bytes != 0 && bytes % unit.factor == 0) {
      return fmt::format("{}{}", bytes / unit.factor, unit.name);
    }
  }
  return std::to_string(bytes);
}

std::string format_duration(std::chrono::nanoseconds time) {
  const auto count = static_cast<uint64_t>(time.count());
  return time.count() < 0 ? "-" + format_nanos(0 - count) : format_nanos(count);
}

}  // namespace mocks3
