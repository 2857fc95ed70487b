#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "data-gen/pattern.hpp"

namespace mocks3 {

/// The text form of the synthetic stream: its bytes as lower-case hexadecimal digits, 64 to a
/// line, every line ended by '\n'. Byte o of the text is column o % 65 of line o / 65.
inline constexpr uint64_t kTextLineDigits = 64;
inline constexpr uint64_t kTextLineBytes = kTextLineDigits + 1;
inline constexpr uint64_t kStreamBytesPerLine = kTextLineDigits / 2;
inline constexpr uint64_t kMaxTextBytes = kMaxStreamBytes / kStreamBytesPerLine * kTextLineBytes;

/// Writes the bytes [offset, offset + out.size()) of the text of `seed`.
/// REQUIRES seed <= kMaxSeed and the end <= kMaxTextBytes.
void text_fill(uint32_t seed, uint64_t offset, std::span<uint8_t> out);

/// Any slice of a text that has this many bytes can be recognised.
inline constexpr size_t kTextRecogniseBytes = 95;

/// Finds where in which text `bytes` lies, from two or three of the stream's words that they
/// spell; says nothing about the other bytes. Looks at the first kTextRecogniseBytes only.
std::optional<PatternPosition> text_recognise(std::span<const uint8_t> bytes);

/// As pattern_mismatch.
std::optional<size_t> text_mismatch(uint32_t seed, uint64_t offset, std::span<const uint8_t> bytes);

/// Whether all of `bytes` are digits and line ends as a text has them.
bool looks_like_text(std::span<const uint8_t> bytes);

}  // namespace mocks3
