#include "data-gen/pattern.hpp"

#include <doctest/doctest.h>

#include <array>
#include <set>
#include <string>
#include <vector>

#include "shared/util/encode.hpp"

using namespace mocks3;

namespace {

/// The definition, byte by byte.
uint8_t pattern_byte(uint32_t seed, uint64_t offset) {
  const uint64_t product = ((uint64_t{seed} << 40) + offset / 8) * 0x9e3779b97f4a7c15ULL;
  const uint64_t word = product ^ (product >> 32);
  return static_cast<uint8_t>(word >> (8 * (offset % 8)));
}

std::vector<uint8_t> filled(uint32_t seed, uint64_t offset, size_t length) {
  std::vector<uint8_t> bytes(length);
  pattern_fill(seed, offset, bytes);
  return bytes;
}

std::string filled_hex(uint32_t seed, uint64_t offset, size_t length) {
  return hex_encode(filled(seed, offset, length));
}

}  // namespace

TEST_CASE("pattern_fill: fixed bytes, the same on every machine") {
  CHECK(filled_hex(0, 0, 32) == "0000000000000000ac057de1b979379e580bfac272f36e3c131979a72c6da6da");
  CHECK(filled_hex(1, 0, 32) == "00157c4a00157c4aacf2f997b98eb3e858f07f787208eb8613f6fd582c822225");
  CHECK(filled_hex(1, 5, 11) == "157c4aacf2f997b98eb3e8");
  CHECK(filled_hex(kMaxSeed, 0, 16) == "00eb83b500eb83b5ac18f12cb964bb53");
  CHECK(filled_hex(7, 5 * 1024 * 1024 + 1, 16) == "8b7112e88ba3cab779c730a205db6871");
  CHECK(filled_hex(kMaxSeed, kMaxStreamBytes - 16, 16) == "5b0bfac28d0c91c3ad057de14686c861");
}

TEST_CASE("pattern_fill: agrees with the definition at every alignment and length") {
  for (const uint32_t seed : {0U, 1U, 12345U, kMaxSeed}) {
    for (uint64_t offset = 0; offset < 20; ++offset) {
      for (size_t length = 0; length < 200; ++length) {
        const auto bytes = filled(seed, offset, length);
        bool same = true;
        for (size_t i = 0; i < length; ++i)
          same = same && bytes[i] == pattern_byte(seed, offset + i);
        REQUIRE(same);
      }
    }
  }
}

TEST_CASE("pattern_fill: writes its span and nothing else, wherever that starts in memory") {
  for (size_t start = 0; start < 17; ++start) {
    std::array<uint8_t, 256> memory;
    memory.fill(0xee);
    pattern_fill(3, 1001, std::span(memory).subspan(start, 201));
    for (size_t i = 0; i < memory.size(); ++i) {
      const bool inside = i >= start && i < start + 201;
      REQUIRE(memory[i] == (inside ? pattern_byte(3, 1001 + i - start) : 0xee));
    }
  }
}

TEST_CASE("pattern_fill: pieces make the whole") {
  const auto whole = filled(9, 4096 - 3, 1000);
  for (size_t cut = 0; cut <= whole.size(); ++cut) {
    auto pieces = filled(9, 4096 - 3, cut);
    const auto rest = filled(9, 4096 - 3 + cut, whole.size() - cut);
    pieces.insert(pieces.end(), rest.begin(), rest.end());
    REQUIRE(pieces == whole);
  }
}

TEST_CASE("pattern_fill: no two blocks of a row of streams are alike") {
  std::set<std::vector<uint8_t>> blocks;
  for (uint32_t seed = 0; seed < 200; ++seed) {
    for (uint64_t offset = 0; offset < 64 * 100; offset += 64)
      blocks.insert(filled(seed, offset, 64));
  }
  CHECK(blocks.size() == 200 * 100);
}

TEST_CASE("pattern_recognise: any slice of any stream") {
  const std::array<uint64_t, 6> bases{
      0, 8, 1 << 20, 5'368'709'119, uint64_t{1} << 42, kMaxStreamBytes - 60};
  for (const uint32_t seed : {0U, 1U, 4711U, kMaxSeed}) {
    for (const uint64_t base : bases) {
      for (uint64_t offset = base; offset < base + 20; ++offset) {
        for (const size_t length : {23U, 24U, 40U}) {
          REQUIRE(pattern_recognise(filled(seed, offset, length)) == PatternPosition{seed, offset});
        }
      }
    }
  }
}

TEST_CASE("pattern_recognise: the first and the last slice of a stream") {
  CHECK(pattern_recognise(filled(5, 0, 23)) == PatternPosition{5, 0});
  CHECK(pattern_recognise(filled(5, kMaxStreamBytes - 23, 23)) ==
        PatternPosition{5, kMaxStreamBytes - 23});
}

TEST_CASE("pattern_recognise: too short, or no slice of a stream") {
  for (size_t length = 0; length < 23; ++length) {
    CHECK_FALSE(pattern_recognise(filled(1, 3, length)));
  }
  for (int byte = 0; byte < 256; ++byte) {
    CHECK_FALSE(pattern_recognise(std::vector<uint8_t>(64, static_cast<uint8_t>(byte))));
  }
  const std::string text = "The quick brown fox jumps over the lazy dog.";
  CHECK_FALSE(pattern_recognise({reinterpret_cast<const uint8_t*>(text.data()), text.size()}));
}

TEST_CASE("pattern_recognise: any wrong bit in the 23 bytes is noticed") {
  for (uint64_t offset = 800; offset < 808; ++offset) {
    for (size_t bit = 0; bit < 23 * 8; ++bit) {
      auto bytes = filled(2, offset, 23);
      bytes[bit / 8] = static_cast<uint8_t>(bytes[bit / 8] ^ (1 << (bit % 8)));
      REQUIRE_FALSE(pattern_recognise(bytes));
    }
  }
}

TEST_CASE("pattern_recognise: a slice that runs on over the end of a stream is none") {
  auto bytes = filled(1, kMaxStreamBytes - 16, 16);
  const auto next_stream = filled(2, 0, 16);
  bytes.insert(bytes.end(), next_stream.begin(), next_stream.end());
  CHECK_FALSE(pattern_recognise(bytes));
  auto before = filled(1, kMaxStreamBytes - 3, 3);
  before.insert(before.end(), next_stream.begin(), next_stream.end());
  before.insert(before.end(), next_stream.begin(), next_stream.end());
  CHECK_FALSE(pattern_recognise(before));
}

TEST_CASE("pattern_mismatch: nothing where all is right") {
  for (uint64_t offset = 0; offset < 9; ++offset) {
    for (const size_t length : {0U, 1U, 7U, 8U, 9U, 63U, 64U, 65U, 200U, 8191U, 8192U, 8193U, 30'000U}) {
      REQUIRE_FALSE(pattern_mismatch(6, offset, filled(6, offset, length)));
    }
  }
}

TEST_CASE("pattern_mismatch: the first wrong byte, wherever it is") {
  for (const uint64_t offset : {0U, 3U, 1U << 16}) {
    const auto right = filled(6, offset, 20'000);
    for (size_t at = 0; at < right.size(); at += at < 300 || at > 19'700 ? 1 : 97) {
      auto wrong = right;
      wrong[at] ^= 0x40;
      wrong.back() ^= 1;  // a later one, which is not the answer
      REQUIRE(pattern_mismatch(6, offset, wrong) == at);
    }
  }
}

TEST_CASE("pattern_mismatch: another seed or offset is wrong from the start") {
  const auto bytes = filled(6, 4096, 4096);
  CHECK(pattern_mismatch(7, 4096, bytes).value() < 8);
  CHECK(pattern_mismatch(6, 4104, bytes).value() < 8);
}
