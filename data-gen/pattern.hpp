#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace mocks3 {

/// The synthetic stream: an endless row of bytes for each seed, that can be written from any
/// offset and recognised from any slice.
///
/// The stream is a row of 64-bit little-endian words. With i the word's index and
///   y = ((seed << 40) + i) * kPatternStep   (mod 2^64)
/// the word is y ^ (y >> 32). Seeds have 24 bits, indexes 40 (8 TiB a stream). Both steps can be
/// undone, so two neighbouring words tell seed and index, and y grows by kPatternStep from word to
/// word, which is what makes it fast.
inline constexpr uint64_t kPatternStep = 0x9e3779b97f4a7c15ULL;
inline constexpr uint32_t kMaxSeed = (1U << 24) - 1;
inline constexpr uint64_t kMaxStreamBytes = uint64_t{8} << 40;

/// Writes the bytes [offset, offset + out.size()) of the stream of `seed`; any alignment.
/// REQUIRES seed <= kMaxSeed and the end <= kMaxStreamBytes.
void pattern_fill(uint32_t seed, uint64_t offset, std::span<uint8_t> out);

struct PatternPosition {
  uint32_t seed = 0;
  uint64_t offset = 0;  ///< of the first byte of the slice
  bool operator==(const PatternPosition&) const = default;
};

/// Finds where in which stream `bytes` lies. Needs at least 23 bytes (two whole words at any
/// alignment); nothing where it is no slice of a stream. Looks at the first 23 bytes only.
std::optional<PatternPosition> pattern_recognise(std::span<const uint8_t> bytes);

/// Index of the first byte of `bytes` that is not what the stream has at `offset`; nothing where
/// all are right.
std::optional<size_t> pattern_mismatch(uint32_t seed, uint64_t offset,
                                       std::span<const uint8_t> bytes);

}  // namespace mocks3
