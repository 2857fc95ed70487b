#include "shared/util/encode.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <set>

using namespace mocks3;

namespace {

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string all_bytes() {
  std::string text;
  for (int i = 0; i < 256; ++i) text += static_cast<char>(i);
  return text;
}

}  // namespace

TEST_CASE("hex: both ways") {
  CHECK(hex_encode({}) == "");
  CHECK(hex_encode(bytes_of("\x01\xab\xff")) == "01abff");
  CHECK(hex_decode("01ABff") == "\x01\xab\xff");
  CHECK(hex_decode("") == "");
  CHECK_FALSE(hex_decode("0"));
  CHECK_FALSE(hex_decode("0g"));
  CHECK_FALSE(hex_decode(" 1"));
  CHECK_FALSE(hex_decode("-1"));
  CHECK(hex_decode(hex_encode(bytes_of(all_bytes()))) == all_bytes());
}

TEST_CASE("hex_u64: all 16 digits") {
  CHECK(hex_u64(0) == "0000000000000000");
  CHECK(hex_u64(0x123456789abcdef0) == "123456789abcdef0");
  CHECK(hex_u64(UINT64_MAX) == "ffffffffffffffff");
}

TEST_CASE("base64: RFC 4648 vectors both ways") {
  const std::array<std::array<std::string_view, 2>, 7> vectors{{{"", ""},
                                                                {"f", "Zg=="},
                                                                {"fo", "Zm8="},
                                                                {"foo", "Zm9v"},
                                                                {"foob", "Zm9vYg=="},
                                                                {"fooba", "Zm9vYmE="},
                                                                {"foobar", "Zm9vYmFy"}}};
  for (const auto& [plain, encoded] : vectors) {
    CHECK(base64_encode(bytes_of(plain)) == encoded);
    CHECK(base64_decode(encoded) == plain);
  }
  for (size_t length = 250; length <= 256; ++length) {
    const std::string text = all_bytes().substr(0, length);
    CHECK(base64_decode(base64_encode(bytes_of(text))) == text);
  }
}

TEST_CASE("base64_decode: what is not canonical is refused") {
  for (const auto* text : {"Zg", "Zg=", "Zg===", "=", "==", "====", "Z===", "Zm9v=", "Zh==", "Zm9=",
                           "Zg==Zg==", "Zm 9", "Zm9\n", "Zm9-", "Zm9_", "Zm9v\n", "Z=g="}) {
    CAPTURE(text);
    CHECK_FALSE(base64_decode(text));
  }
}

TEST_CASE("percent: both ways") {
  CHECK(percent_encode("AZaz09-._~") == "AZaz09-._~");
  CHECK(percent_encode("a b/c+d%\xc3\xa9") == "a%20b%2Fc%2Bd%25%C3%A9");
  CHECK(percent_encode("a b/c", true) == "a%20b/c");
  CHECK(percent_encode(std::string_view("\0", 1)) == "%00");
  CHECK(percent_decode("a%20b%2fC+d") == "a b/C+d");
  CHECK(percent_decode("a+b%2B", true) == "a b+");
  CHECK(percent_decode("%2525") == "%25");
  CHECK(percent_decode(percent_encode(all_bytes())) == all_bytes());
  CHECK(percent_decode(percent_encode(all_bytes(), true)) == all_bytes());
}

TEST_CASE("percent_decode: bad escapes") {
  for (const auto* text : {"%", "%2", "a%", "a%2", "%2g", "%g2", "%%20", "% 2", "%-1"}) {
    CAPTURE(text);
    CHECK_FALSE(percent_decode(text));
  }
}

TEST_CASE("ASCII comparisons leave other bytes alone") {
  CHECK(iequals("Content-Length", "content-LENGTH"));
  CHECK_FALSE(iequals("abc", "ab"));
  CHECK_FALSE(iequals("[", "{"));  // 32 apart, no letters
  CHECK_FALSE(iequals("\xc3\x89", "\xc3\xa9"));
  CHECK(istarts_with("AWS4-HMAC-SHA256 x", "aws4-"));
  CHECK(istarts_with("a", ""));
  CHECK_FALSE(istarts_with("aws", "aws4"));
  CHECK(to_lower("AbC-\xc3\x89[") == "abc-\xc3\x89[");
}

TEST_CASE("trim") {
  CHECK(trim(" \t a b \r\n") == "a b");
  CHECK(trim("") == "");
  CHECK(trim(" \t ") == "");
  CHECK(trim("\xc2\xa0x") == "\xc2\xa0x");
}

TEST_CASE("in_quotes: one line, whatever the text") {
  CHECK(in_quotes("") == "\"\"");
  CHECK(in_quotes("a b\xc3\xa9") == "\"a b\xc3\xa9\"");
  CHECK(in_quotes("a\nb\x1b[31m\x7f") == "\"a?b?[31m?\"");
  CHECK(in_quotes("12345", 5) == "\"12345\"");
  CHECK(in_quotes("123456", 5) == "\"12345...\"");
}

TEST_CASE("stable_hash: fixed values, so that every machine agrees") {
  CHECK(hex_u64(stable_hash("")) == "48218226ff3cd4bf");
  CHECK(hex_u64(stable_hash("a")) == "3a09233e6bba933b");
  CHECK(hex_u64(stable_hash("bench/data/00")) == "77ae4009019532b7");
  CHECK(hex_u64(stable_hash("bench/data/00", 1)) == "1229ad4c56038901");
}

TEST_CASE("stable_hash: texts that differ little hash to values that differ much") {
  std::set<uint64_t> seen;
  size_t texts = 0;
  const auto add = [&](const std::string& text) {
    seen.insert(stable_hash(text));
    ++texts;
  };
  for (int i = 0; i < 100'000; ++i) add("data/" + std::to_string(i));
  for (size_t length = 0; length < 100; ++length) add(std::string(length, '\0'));
  for (uint64_t seed = 1; seed < 1000; ++seed, ++texts) seen.insert(stable_hash("data/1", seed));
  CHECK(seen.size() == texts);
}

TEST_CASE("stable_hash: one flipped bit flips about half of the result") {
  const std::string text = "a key of some 30 bytes, or so.";
  const uint64_t before = stable_hash(text);
  double flipped = 0;
  for (size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string changed = text;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    const int distance = std::popcount(before ^ stable_hash(changed));
    CHECK(distance > 10);
    CHECK(distance < 54);
    flipped += distance;
  }
  CHECK(flipped / static_cast<double>(text.size() * 8) == doctest::Approx(32).epsilon(0.05));
}

TEST_CASE("stable_hash: low bits spread evenly, as a table's slots need") {
  std::array<int, 256> slots{};
  for (int i = 0; i < 256 * 400; ++i) ++slots[stable_hash("k" + std::to_string(i)) & 255];
  for (const int count : slots) {
    CHECK(count > 280);
    CHECK(count < 520);
  }
}

TEST_CASE("mix64 is a bijection with known values") {
  CHECK(mix64(0) == 0);
  CHECK(mix64(1) == 0x5692161d100b05e5ULL);
  static_assert(mix64(1) != mix64(2));
}
