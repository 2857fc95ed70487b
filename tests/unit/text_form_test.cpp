#include "data-gen/text_form.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "shared/util/encode.hpp"

using namespace mocks3;

namespace {

std::vector<uint8_t> text_of(uint32_t seed, uint64_t offset, size_t length) {
  std::vector<uint8_t> bytes(length);
  text_fill(seed, offset, bytes);
  return bytes;
}

/// The definition: the stream's bytes as digits, 64 to a line.
std::string expected_text(uint32_t seed, size_t lines) {
  std::string text;
  for (size_t line = 0; line < lines; ++line) {
    std::vector<uint8_t> bytes(32);
    pattern_fill(seed, line * 32, bytes);
    text += hex_encode(bytes) + '\n';
  }
  return text;
}

}  // namespace

TEST_CASE("text_fill: agrees with the definition at every offset and length") {
  const std::string whole = expected_text(3, 150);
  for (size_t offset = 0; offset < 140; ++offset) {
    for (size_t length = 0; length < 150; ++length) {
      const auto bytes = text_of(3, offset, length);
      REQUIRE(std::string(bytes.begin(), bytes.end()) == whole.substr(offset, length));
    }
  }
  const auto long_text = text_of(3, 7, whole.size() - 7);
  CHECK(std::string(long_text.begin(), long_text.end()) == whole.substr(7));
}

TEST_CASE("text_recognise: any slice that is long enough, and none that spells something else") {
  for (const uint32_t seed : {0U, 77U, kMaxSeed}) {
    for (const uint64_t base : {uint64_t{0}, uint64_t{6500}, uint64_t{1} << 40}) {
      for (uint64_t offset = base; offset < base + 140; ++offset) {
        const auto slice = text_of(seed, offset, kTextRecogniseBytes);
        REQUIRE(text_recognise(slice) == PatternPosition{seed, offset});
      }
    }
  }
  const std::string zeros(200, '0');
  CHECK_FALSE(text_recognise({reinterpret_cast<const uint8_t*>(zeros.data()), zeros.size()}));
  CHECK_FALSE(text_recognise({}));
  const auto short_text = text_of(1, 0, 45);
  CHECK_FALSE(text_recognise(short_text));
}

TEST_CASE("text_mismatch: the first wrong byte, wherever it is") {
  for (const uint64_t offset : {0U, 1U, 64U, 65U, 100U}) {
    const auto right = text_of(4, offset, 9000);
    CHECK_FALSE(text_mismatch(4, offset, right));
    for (size_t at = 0; at < right.size(); at += at < 300 || at > 8700 ? 1 : 37) {
      auto wrong = right;
      wrong[at] = wrong[at] == '0' ? '1' : '0';
      wrong.back() = 'x';
      REQUIRE(text_mismatch(4, offset, wrong) == at);
    }
  }
  const auto other_seed = text_mismatch(5, 0, text_of(4, 0, 65));
  CHECK(other_seed.value() < 16);
}

TEST_CASE("looks_like_text") {
  CHECK(looks_like_text(text_of(1, 60, 20)));
  CHECK(looks_like_text({}));
  for (const std::string text : {"0123ABCD", "12 34", "xyz", "12\r\n"}) {
    CHECK_FALSE(looks_like_text({reinterpret_cast<const uint8_t*>(text.data()), text.size()}));
  }
}
