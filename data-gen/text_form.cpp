#include "data-gen/text_form.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace mocks3 {
namespace {

constexpr auto kDigitPairs = [] {
  constexpr char kDigits[] = "0123456789abcdef";
  std::array<std::array<char, 2>, 256> pairs{};
  for (size_t byte = 0; byte < pairs.size(); ++byte) {
    pairs[byte] = {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return pairs;
}();

std::optional<uint8_t> digit_value(uint8_t c) {
  if (c >= '0' && c <= '9') return static_cast<uint8_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<uint8_t>(c - 'a' + 10);
  return std::nullopt;
}

constexpr size_t kLinesAtOnce = 64;

/// Writes `count` whole lines from line `line` of the text; at most kLinesAtOnce.
void fill_lines(uint32_t seed, uint64_t line, uint8_t* out, size_t count) {
  std::array<uint8_t, kLinesAtOnce * kStreamBytesPerLine> stream;
  pattern_fill(seed, line * kStreamBytesPerLine,
               std::span(stream).first(count * kStreamBytesPerLine));
  for (size_t i = 0; i < count * kStreamBytesPerLine; ++i) {
    std::memcpy(out, kDigitPairs[stream[i]].data(), 2);
    out += 2;
    if ((i + 1) % kStreamBytesPerLine == 0) *out++ = '\n';
  }
}

constexpr size_t kStreamBytesToRecognise = 23;

/// Where in which text the digits at the start of `bytes` lie, if they start with a byte's first.
std::optional<PatternPosition> recognise_digits(std::span<const uint8_t> bytes) {
  std::array<uint8_t, kStreamBytesToRecognise> stream;
  if (bytes.size() < 2 * stream.size()) return std::nullopt;
  for (size_t i = 0; i < stream.size(); ++i) {
    const auto high = digit_value(bytes[2 * i]);
    const auto low = digit_value(bytes[2 * i + 1]);
    if (!high || !low) return std::nullopt;
    stream[i] = static_cast<uint8_t>(*high << 4 | *low);
  }
  const auto found = pattern_recognise(stream);
  if (!found) return std::nullopt;
  const uint64_t line = found->offset / kStreamBytesPerLine;
  const uint64_t column = found->offset % kStreamBytesPerLine * 2;
  return PatternPosition{found->seed, line * kTextLineBytes + column};
}

/// As recognise_digits, for the digits that start at bytes[start] with either half of a byte;
/// moved back to bytes[0].
std::optional<PatternPosition> recognise_from(std::span<const uint8_t> bytes, size_t start) {
  for (size_t skip = start; skip <= start + 1 && skip <= bytes.size(); ++skip) {
    auto found = recognise_digits(bytes.subspan(skip));
    if (!found || found->offset < skip) continue;
    found->offset -= skip;
    return found;
  }
  return std::nullopt;
}

}  // namespace

void text_fill(uint32_t seed, uint64_t offset, std::span<uint8_t> out) {
  std::array<uint8_t, kTextLineBytes> line;
  while (!out.empty()) {
    const uint64_t number = offset / kTextLineBytes;
    const size_t column = offset % kTextLineBytes;
    size_t count = std::min(kLinesAtOnce, out.size() / kTextLineBytes) * kTextLineBytes;
    if (column == 0 && count > 0) {
      fill_lines(seed, number, out.data(), count / kTextLineBytes);
    } else {
      fill_lines(seed, number, line.data(), 1);
      count = std::min(out.size(), kTextLineBytes - column);
      std::memcpy(out.data(), line.data() + column, count);
    }
    out = out.subspan(count);
    offset += count;
  }
}

std::optional<PatternPosition> text_recognise(std::span<const uint8_t> bytes) {
  bytes = bytes.first(std::min(bytes.size(), kTextRecogniseBytes));
  if (const auto found = recognise_from(bytes, 0)) return found;
  const auto line_end = std::find(bytes.begin(), bytes.end(), '\n');
  if (line_end == bytes.end()) return std::nullopt;
  return recognise_from(bytes, static_cast<size_t>(line_end - bytes.begin()) + 1);
}

std::optional<size_t> text_mismatch(uint32_t seed, uint64_t offset,
                                    std::span<const uint8_t> bytes) {
  std::array<uint8_t, kLinesAtOnce * kTextLineBytes> expected;
  for (size_t done = 0; done < bytes.size();) {
    // The first piece ends with its line, so that the others are whole lines.
    const size_t to_line_end = kTextLineBytes - (offset + done) % kTextLineBytes;
    const size_t limit = to_line_end == kTextLineBytes ? expected.size() : to_line_end;
    const auto piece = bytes.subspan(done, std::min(bytes.size() - done, limit));
    text_fill(seed, offset + done, std::span(expected).first(piece.size()));
    const auto wrong = std::mismatch(piece.begin(), piece.end(), expected.begin()).first;
    if (wrong != piece.end()) return done + static_cast<size_t>(wrong - piece.begin());
    done += piece.size();
  }
  return std::nullopt;
}

bool looks_like_text(std::span<const uint8_t> bytes) {
  return std::all_of(bytes.begin(), bytes.end(),
                     [](uint8_t c) { return c == '\n' || digit_value(c).has_value(); });
}

}  // namespace mocks3
