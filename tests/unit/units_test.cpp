#include "shared/util/units.hpp"

#include <doctest/doctest.h>

using namespace mocks3;
using namespace std::chrono_literals;

namespace {

void check_one_line(const Error& error) {
  CAPTURE(error.message);
  CHECK_FALSE(error.message.empty());
  CHECK(error.message.find_first_of("\n\r") == std::string::npos);
  CHECK(error.message.size() < 200);
}

}  // namespace

TEST_CASE("parse_size: every unit") {
  CHECK(parse_size("0").value() == 0);
  CHECK(parse_size("123").value() == 123);
  CHECK(parse_size("123B").value() == 123);
  CHECK(parse_size("64k").value() == 64 * kKiB);
  CHECK(parse_size("64K").value() == 64 * kKiB);
  CHECK(parse_size("5m").value() == 5 * kMiB);
  CHECK(parse_size("5MiB").value() == 5 * kMiB);
  CHECK(parse_size("5mib").value() == 5 * kMiB);
  CHECK(parse_size("1.5GiB").value() == 1536 * kMiB);
  CHECK(parse_size("2t").value() == 2 * kTiB);
  CHECK(parse_size("3TiB").value() == 3 * kTiB);
  CHECK(parse_size("1KB").value() == 1000);
  CHECK(parse_size("100MB").value() == 100'000'000);
  CHECK(parse_size("2GB").value() == 2'000'000'000);
  CHECK(parse_size("1TB").value() == 1'000'000'000'000);
  CHECK(parse_size("0.5KiB").value() == 512);
  CHECK(parse_size("1.000").value() == 1);
  CHECK(parse_size("007").value() == 7);
}

TEST_CASE("parse_size: the largest, and one more") {
  CHECK(parse_size("9223372036854775807").value() == INT64_MAX);
  CHECK(parse_size("8388607TiB").value() == 8388607 * kTiB);
  for (const auto* text : {"9223372036854775808", "18446744073709551616", "8388608TiB",
                           "99999999999999999999", "8388607.9999999999999999TiB"}) {
    CAPTURE(text);
    REQUIRE_FALSE(parse_size(text));
    check_one_line(parse_size(text).error());
  }
  CHECK(parse_size("8388608TiB").error().message ==
        "size \"8388608TiB\" is too large; at most 2^63-1 bytes");
}

TEST_CASE("parse_size: what is no size") {
  for (const auto* text :
       {"",
        " ",
        "5 MiB x",
        "5 MiB",
        " 5MiB",
        "5MiB ",
        "-1",
        "+1",
        "1e9",
        "0x10",
        "5Mi",
        "5Xi",
        "MiB",
        ".5GiB",
        "5.",
        "5.MiB",
        "1.2.3",
        "1,5MiB",
        "5MiBB",
        "5\n",
        "nan",
        "inf",
        "111111111111111111111111111111111111111111111111111111111111111111111111111111111111"}) {
    CAPTURE(text);
    REQUIRE_FALSE(parse_size(text));
    check_one_line(parse_size(text).error());
  }
  CHECK(parse_size("5Xi").error().message ==
        "cannot read \"5Xi\" as a size; use e.g. 64MiB, 1GiB or 500MB");
  CHECK(parse_size("1.5").error().message ==
        "size \"1.5\" is not a whole number of bytes; use a smaller unit");
  CHECK_FALSE(parse_size("0.3KiB"));
  CHECK_FALSE(parse_size("1.0000000000000000000KiB"));
}

TEST_CASE("parse_duration") {
  CHECK(parse_duration("30s").value() == 30s);
  CHECK(parse_duration("30").value() == 30s);
  CHECK(parse_duration("500ms").value() == 500ms);
  CHECK(parse_duration("2m").value() == 2min);
  CHECK(parse_duration("1h").value() == 1h);
  CHECK(parse_duration("250us").value() == 250us);
  CHECK(parse_duration("10ns").value() == 10ns);
  CHECK(parse_duration("1.5s").value() == 1500ms);
  CHECK(parse_duration("0.1").value() == 100ms);
  CHECK(parse_duration("0.25h").value() == 15min);
  CHECK(parse_duration("0").value() == 0s);
  CHECK(parse_duration("87600h").value() == std::chrono::hours(87600));
}

TEST_CASE("parse_duration: what is no time") {
  for (const auto* text : {"", "s", "-1s", "5 s", "5S", "1e3", "0x5s", "5d", "5min", "1m30s", "5s ",
                           "87601h", "99999999999999999999s", "999999999999999999999999s"}) {
    CAPTURE(text);
    REQUIRE_FALSE(parse_duration(text));
    check_one_line(parse_duration(text).error());
  }
  CHECK(parse_duration("5d").error().message ==
        "cannot read \"5d\" as a time; use e.g. 30s, 500ms or 2m");
  CHECK(parse_duration("87601h").error().message ==
        "time \"87601h\" is too long; at most 10 years");
}

TEST_CASE("parse_bit_rate") {
  CHECK(parse_bit_rate("10Gbit").value() == 10'000'000'000);
  CHECK(parse_bit_rate("10gbit").value() == 10'000'000'000);
  CHECK(parse_bit_rate("100Mbit/s").value() == 100'000'000);
  CHECK(parse_bit_rate("1Kbit").value() == 1000);
  CHECK(parse_bit_rate("2.5Gbit").value() == 2'500'000'000);
  CHECK(parse_bit_rate("9bit").value() == 9);
  CHECK(parse_bit_rate("40MiB/s").value() == 40 * kMiB * 8);
  CHECK(parse_bit_rate("100MB/s").value() == 800'000'000);
  CHECK(parse_bit_rate("0.5B/s").value() == 4);
}

TEST_CASE("parse_bit_rate: what is no rate") {
  for (const auto* text : {"", "10", "10/s", "10G", "10MB", "40Mb/s", "40m/s", "-1Gbit", "1Gibit",
                           "10 Gbit", "10Gbit/sec", "0.5bit", "9223373Tbit", "99999999999TiB/s"}) {
    CAPTURE(text);
    REQUIRE_FALSE(parse_bit_rate(text));
    check_one_line(parse_bit_rate(text).error());
  }
}

TEST_CASE("parse_uint") {
  CHECK(parse_uint("0").value() == 0);
  CHECK(parse_uint("18446744073709551615").value() == UINT64_MAX);
  for (const auto* text : {"", " 1", "1 ", "+1", "-1", "1.0", "0x1", "1k", "a", "1a",
                           "18446744073709551616", "99999999999999999999999999"}) {
    CAPTURE(text);
    REQUIRE_FALSE(parse_uint(text));
    check_one_line(parse_uint(text).error());
  }
}

TEST_CASE("format_size") {
  CHECK(format_size(0) == "0 B");
  CHECK(format_size(512) == "512 B");
  CHECK(format_size(1023) == "1023 B");
  CHECK(format_size(1024) == "1 KiB");
  CHECK(format_size(1536) == "1.5 KiB");
  CHECK(format_size(128 * kMiB) == "128 MiB");
  CHECK(format_size(1536 * kMiB) == "1.5 GiB");
  CHECK(format_size(kMiB - 1) == "1 MiB");
  CHECK(format_size(1023 * kMiB) == "1023 MiB");
  CHECK(format_size(5 * kTiB) == "5 TiB");
  CHECK(format_size(UINT64_MAX) == "16 EiB");
}

TEST_CASE("format_size_exact: reads back as the same size") {
  CHECK(format_size_exact(0) == "0");
  CHECK(format_size_exact(5 * kMiB) == "5MiB");
  CHECK(format_size_exact(5 * kMiB + 1) == "5242881");
  CHECK(format_size_exact(1536 * kMiB) == "1536MiB");
  CHECK(format_size_exact(kTiB) == "1TiB");
  for (uint64_t size = 1; size < uint64_t{1} << 62; size = size * 3 + 1) {
    CHECK(parse_size(format_size_exact(size)).value() == size);
    CHECK(parse_size(format_size_exact(size & ~uint64_t{1023})).value() ==
          (size & ~uint64_t{1023}));
  }
}

TEST_CASE("format_duration: three significant digits") {
  CHECK(format_duration(0ns) == "0 s");
  CHECK(format_duration(7ns) == "7 ns");
  CHECK(format_duration(999ns) == "999 ns");
  CHECK(format_duration(1000ns) == "1.00 us");
  CHECK(format_duration(850us) == "850 us");
  CHECK(format_duration(12'345ns) == "12.3 us");
  CHECK(format_duration(999'600ns) == "1.00 ms");
  CHECK(format_duration(1250ms) == "1.25 s");
  CHECK(format_duration(59'900ms) == "59.9 s");
  CHECK(format_duration(59'999ms) == "1m 00s");
  CHECK(format_duration(123s) == "2m 03s");
  CHECK(format_duration(3599'600ms) == "1h 00m");
  CHECK(format_duration(2h + 5min) == "2h 05m");
  CHECK(format_duration(-1250ms) == "-1.25 s");
}
