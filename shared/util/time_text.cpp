#include "shared/util/time_text.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mocks3 {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;

constexpr std::array<std::string_view, 7> kDays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

struct Calendar {
  int year;
  unsigned month, day, weekday;
  int64_t hour, minute, second, millisecond;
};

Calendar calendar_of(UnixMillis time) {
  const std::chrono::sys_time<milliseconds> point{milliseconds(time.value)};
  const auto day = std::chrono::floor<days>(point);
  const std::chrono::year_month_day date(day);
  const int64_t rest = (point - day).count();
  return {int(date.year()),     unsigned(date.month()),
          unsigned(date.day()), std::chrono::weekday(day).c_encoding(),
          rest / 3'600'000,     rest / 60'000 % 60,
          rest / 1'000 % 60,    rest % 1'000};
}

/// Writes `value` over `width` characters, with leading zeros.
void write_digits(std::string& text, size_t at, size_t width, unsigned value) {
  for (size_t i = width; i-- > 0; value /= 10) text[at + i] = static_cast<char>('0' + value % 10);
}

/// Takes the pieces of a date off the front of a text; once one is not there, `good` stays false.
class DateReader {
 public:
  explicit DateReader(std::string_view text) : rest_(text) {}

  void literal(std::string_view expected) {
    good_ = good_ && rest_.starts_with(expected);
    if (good_) rest_.remove_prefix(expected.size());
  }

  int number(size_t digits) {
    good_ = good_ && rest_.size() >= digits;
    int value = 0;
    for (size_t i = 0; good_ && i < digits; ++i) {
      good_ = rest_[i] >= '0' && rest_[i] <= '9';
      value = value * 10 + (rest_[i] - '0');
    }
    if (good_) rest_.remove_prefix(digits);
    return value;
  }

  /// Day of the month as asctime() has it: a space stands for a leading zero.
  int spaced_day() {
    if (!rest_.starts_with(' ')) return number(2);
    literal(" ");
    return number(1);
  }

  unsigned month() {
    const auto found = std::find(kMonths.begin(), kMonths.end(), rest_.substr(0, 3));
    good_ = good_ && found != kMonths.end();
    if (good_) rest_.remove_prefix(3);
    return static_cast<unsigned>(found - kMonths.begin()) + 1;
  }

  /// Any day's name: it repeats what the date says, so it is not compared with it.
  void day_name(size_t length) {
    for (const auto name : kDays) {
      const auto expected = name.substr(0, length);
      if (!rest_.starts_with(expected)) continue;
      rest_.remove_prefix(expected.size());
      return;
    }
    good_ = false;
  }

  bool at_end() const { return good_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

struct DateParts {
  int year = 0;
  unsigned month = 0;
  int day = 0, hour = 0, minute = 0, second = 0;
};

void read_time(DateReader& reader, DateParts& parts) {
  parts.hour = reader.number(2);
  reader.literal(":");
  parts.minute = reader.number(2);
  reader.literal(":");
  parts.second = reader.number(2);
}

/// Whole seconds; `fraction` gets what stands between them and the final Z.
std::optional<DateParts> read_iso8601(std::string_view text, std::string_view& fraction) {
  constexpr size_t kWholeSeconds = std::string_view("2026-01-02T03:04:05").size();
  if (text.size() <= kWholeSeconds || text.back() != 'Z') return std::nullopt;
  fraction = text.substr(kWholeSeconds, text.size() - kWholeSeconds - 1);
  DateReader reader(text.substr(0, kWholeSeconds));
  DateParts parts;
  parts.year = reader.number(4);
  reader.literal("-");
  parts.month = static_cast<unsigned>(reader.number(2));
  reader.literal("-");
  parts.day = reader.number(2);
  reader.literal("T");
  read_time(reader, parts);
  return reader.at_end() ? std::optional(parts) : std::nullopt;
}

/// ".5" is 500; nothing where it is no fraction.
std::optional<int64_t> millis_of_fraction(std::string_view fraction) {
  if (fraction.empty()) return 0;
  if (fraction.front() != '.' || fraction.size() < 2 || fraction.size() > 10) return std::nullopt;
  int64_t millis = 0;
  for (size_t i = 1; i < std::max<size_t>(fraction.size(), 4); ++i) {
    const char digit = i < fraction.size() ? fraction[i] : '0';
    if (digit < '0' || digit > '9') return std::nullopt;
    if (i < 4) millis = millis * 10 + (digit - '0');
  }
  return millis;
}

std::optional<DateParts> read_imf_fixdate(std::string_view text) {
  DateReader reader(text);
  DateParts parts;
  reader.day_name(3);
  reader.literal(", ");
  parts.day = reader.number(2);
  reader.literal(" ");
  parts.month = reader.month();
  reader.literal(" ");
  parts.year = reader.number(4);
  reader.literal(" ");
  read_time(reader, parts);
  reader.literal(" GMT");
  return reader.at_end() ? std::optional(parts) : std::nullopt;
}

std::optional<DateParts> read_rfc850(std::string_view text, UnixMillis now) {
  DateReader reader(text);
  DateParts parts;
  reader.day_name(std::string_view::npos);
  reader.literal(", ");
  parts.day = reader.number(2);
  reader.literal("-");
  parts.month = reader.month();
  reader.literal("-");
  const int this_year = calendar_of(now).year;
  parts.year = this_year - this_year % 100 + reader.number(2);
  if (parts.year > this_year + 50) parts.year -= 100;
  reader.literal(" ");
  read_time(reader, parts);
  reader.literal(" GMT");
  return reader.at_end() ? std::optional(parts) : std::nullopt;
}

std::optional<DateParts> read_asctime(std::string_view text) {
  DateReader reader(text);
  DateParts parts;
  reader.day_name(3);
  reader.literal(" ");
  parts.month = reader.month();
  reader.literal(" ");
  parts.day = reader.spaced_day();
  reader.literal(" ");
  read_time(reader, parts);
  reader.literal(" ");
  parts.year = reader.number(4);
  return reader.at_end() ? std::optional(parts) : std::nullopt;
}

std::optional<UnixMillis> millis_of(const DateParts& parts) {
  const std::chrono::year_month_day date(std::chrono::year(parts.year),
                                         std::chrono::month(parts.month),
                                         std::chrono::day(static_cast<unsigned>(parts.day)));
  // 60 is a leap second; it counts as the first of the next minute.
  if (!date.ok() || parts.hour > 23 || parts.minute > 59 || parts.second > 60) return std::nullopt;
  const int64_t day = std::chrono::sys_days(date).time_since_epoch().count();
  return UnixMillis{(((day * 24 + parts.hour) * 60 + parts.minute) * 60 + parts.second) * 1000};
}

}  // namespace

UnixMillis now_millis() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return {std::chrono::floor<milliseconds>(since_epoch).count()};
}

std::string http_date(UnixMillis time) {
  const Calendar c = calendar_of(time);
  // A compiled format: every response has such a date.
  return fmt::format(FMT_COMPILE("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT"),
                     kDays[c.weekday].substr(0, 3), c.day, kMonths[c.month - 1], c.year, c.hour,
                     c.minute, c.second);
}

std::string iso8601_millis(UnixMillis time) {
  const Calendar c = calendar_of(time);
  // By hand: a page of a listing has a thousand of them.
  std::string text = "0000-00-00T00:00:00.000Z";
  write_digits(text, 0, 4, static_cast<unsigned>(c.year));
  write_digits(text, 5, 2, c.month);
  write_digits(text, 8, 2, c.day);
  write_digits(text, 11, 2, static_cast<unsigned>(c.hour));
  write_digits(text, 14, 2, static_cast<unsigned>(c.minute));
  write_digits(text, 17, 2, static_cast<unsigned>(c.second));
  write_digits(text, 20, 3, static_cast<unsigned>(c.millisecond));
  return text;
}

std::string basic_iso8601(UnixMillis time) {
  const Calendar c = calendar_of(time);
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}Z", c.year, c.month, c.day, c.hour, c.minute,
                     c.second);
}

std::optional<UnixMillis> parse_iso8601(std::string_view text) {
  std::string_view fraction;
  const auto parts = read_iso8601(text, fraction);
  const auto seconds = parts ? millis_of(*parts) : std::nullopt;
  const auto millis = millis_of_fraction(fraction);
  if (!seconds || !millis) return std::nullopt;
  return UnixMillis{seconds->value + *millis};
}

std::optional<UnixMillis> parse_http_date(std::string_view text, UnixMillis now) {
  auto parts = read_imf_fixdate(text);
  if (!parts) parts = read_rfc850(text, now);
  if (!parts) parts = read_asctime(text);
  return parts ? millis_of(*parts) : std::nullopt;
}

}  // namespace mocks3
