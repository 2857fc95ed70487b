#include "data-gen/pattern.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace mocks3 {
namespace {

constexpr size_t kWordBytes = sizeof(uint64_t);
constexpr unsigned kIndexBits = 40;
constexpr uint64_t kIndexMask = (uint64_t{1} << kIndexBits) - 1;

// Two words to a vector: what every 64-bit machine has without being asked for more.
using Lanes = uint64_t __attribute__((vector_size(16)));
constexpr size_t kLanes = sizeof(Lanes) / kWordBytes;

/// The number that undoes a multiplication by an odd one; each round doubles the right bits.
constexpr uint64_t inverse_of(uint64_t odd) {
  uint64_t inverse = odd;
  for (int round = 0; round < 6; ++round) inverse *= 2 - odd * inverse;
  return inverse;
}
constexpr uint64_t kPatternUnstep = inverse_of(kPatternStep);
static_assert(kPatternStep * kPatternUnstep == 1);

constexpr uint64_t little_endian(uint64_t word) {
  return std::endian::native == std::endian::big ? __builtin_bswap64(word) : word;
}

constexpr uint64_t product_of(uint32_t seed, uint64_t index) {
  return ((uint64_t{seed} << kIndexBits) + index) * kPatternStep;
}

void store_word(uint64_t product, uint8_t* out) {
  const uint64_t word = little_endian(product ^ (product >> 32));
  std::memcpy(out, &word, kWordBytes);
}

/// The words of two neighbouring products, as they stand in memory.
Lanes words_of(Lanes products) {
  Lanes words = products ^ (products >> 32);
  if constexpr (std::endian::native == std::endian::big) {
    for (size_t i = 0; i < kLanes; ++i) words[i] = __builtin_bswap64(words[i]);
  }
  return words;
}

void store(Lanes words, uint8_t* out) { std::memcpy(out, &words, sizeof words); }

Lanes load(const uint8_t* bytes) {
  Lanes words;
  std::memcpy(&words, bytes, sizeof words);
  return words;
}

constexpr size_t kBlockWords = 4 * kLanes;
constexpr size_t kBlockBytes = kBlockWords * kWordBytes;

/// Calls use(first byte, words, words, words, words) for each of `count` blocks of 8 words, from
/// the word whose product is `product`. Four rows side by side keep the adders busy.
template <class Use>
void each_block(uint64_t product, size_t count, Use use) {
  constexpr Lanes kStep = {kBlockWords * kPatternStep, kBlockWords * kPatternStep};
  Lanes a = {product, product + kPatternStep};
  Lanes b = a + 2 * kPatternStep;
  Lanes c = b + 2 * kPatternStep;
  Lanes d = c + 2 * kPatternStep;
  for (size_t i = 0; i < count; ++i) {
    use(i * kBlockBytes, words_of(a), words_of(b), words_of(c), words_of(d));
    a += kStep;
    b += kStep;
    c += kStep;
    d += kStep;
  }
}

/// Writes `count` whole words from the one whose product is `product`.
void fill_words(uint64_t product, uint8_t* out, size_t count) {
  const size_t blocks = count / kBlockWords;
  each_block(product, blocks, [out](size_t at, Lanes a, Lanes b, Lanes c, Lanes d) {
    store(a, out + at);
    store(b, out + at + sizeof(Lanes));
    store(c, out + at + 2 * sizeof(Lanes));
    store(d, out + at + 3 * sizeof(Lanes));
  });
  for (size_t i = blocks * kBlockWords; i < count; ++i) {
    store_word(product + i * kPatternStep, out + i * kWordBytes);
  }
}

/// Whether `blocks` whole blocks from the word whose product is `product` are as they should be.
bool blocks_match(uint64_t product, const uint8_t* bytes, size_t blocks) {
  Lanes wrong_bits = {0, 0};
  each_block(product, blocks, [bytes, &wrong_bits](size_t at, Lanes a, Lanes b, Lanes c, Lanes d) {
    const uint8_t* block = bytes + at;
    wrong_bits |= (load(block) ^ a) | (load(block + sizeof(Lanes)) ^ b) |
                  (load(block + 2 * sizeof(Lanes)) ^ c) | (load(block + 3 * sizeof(Lanes)) ^ d);
  });
  return (wrong_bits[0] | wrong_bits[1]) == 0;
}

/// Index in the row of all streams of the word at `bytes`: seed and index in one number.
uint64_t row_index_at(const uint8_t* bytes) {
  uint64_t word = 0;
  std::memcpy(&word, bytes, kWordBytes);
  word = little_endian(word);
  return (word ^ (word >> 32)) * kPatternUnstep;
}

constexpr size_t kRecogniseBytes = 23;

/// As pattern_recognise, where the first whole word starts at `skip`.
std::optional<PatternPosition> recognise_after(std::span<const uint8_t> bytes, size_t skip) {
  const uint64_t row_index = row_index_at(bytes.data() + skip);
  if (row_index_at(bytes.data() + skip + kWordBytes) != row_index + 1) return std::nullopt;
  const uint64_t word_offset = (row_index & kIndexMask) * kWordBytes;
  if (word_offset < skip) return std::nullopt;
  const PatternPosition found{static_cast<uint32_t>(row_index >> kIndexBits), word_offset - skip};
  if (found.offset > kMaxStreamBytes - kRecogniseBytes) return std::nullopt;
  if (pattern_mismatch(found.seed, found.offset, bytes.first(kRecogniseBytes))) return std::nullopt;
  return found;
}

}  // namespace

void pattern_fill(uint32_t seed, uint64_t offset, std::span<uint8_t> out) {
  uint64_t product = product_of(seed, offset / kWordBytes);
  const size_t skip = offset % kWordBytes;
  std::array<uint8_t, kWordBytes> word;
  if (skip != 0 && !out.empty()) {
    const size_t count = std::min(out.size(), kWordBytes - skip);
    store_word(product, word.data());
    std::memcpy(out.data(), word.data() + skip, count);
    out = out.subspan(count);
    product += kPatternStep;
  }
  const size_t whole_words = out.size() / kWordBytes;
  fill_words(product, out.data(), whole_words);
  out = out.subspan(whole_words * kWordBytes);
  if (out.empty()) return;
  store_word(product + whole_words * kPatternStep, word.data());
  std::memcpy(out.data(), word.data(), out.size());
}

std::optional<PatternPosition> pattern_recognise(std::span<const uint8_t> bytes) {
  if (bytes.size() < kRecogniseBytes) return std::nullopt;
  for (size_t skip = 0; skip < kWordBytes; ++skip) {
    if (const auto found = recognise_after(bytes, skip)) return found;
  }
  return std::nullopt;
}

std::optional<size_t> pattern_mismatch(uint32_t seed, uint64_t offset,
                                       std::span<const uint8_t> bytes) {
  // To the first whole word, then in steps whose comparison stops soon after a wrong byte, then
  // the rest. Only a step that is known to be wrong, and the ends, are looked at byte by byte.
  constexpr size_t kStepBytes = 128 * kBlockBytes;
  std::array<uint8_t, kStepBytes> expected;
  const auto mismatch_within = [&](size_t start, size_t length) -> std::optional<size_t> {
    pattern_fill(seed, offset + start, std::span(expected).first(length));
    const auto piece = bytes.subspan(start, length);
    const auto wrong = std::mismatch(piece.begin(), piece.end(), expected.begin()).first;
    if (wrong == piece.end()) return std::nullopt;
    return start + static_cast<size_t>(wrong - piece.begin());
  };
  size_t done = std::min<size_t>(bytes.size(), (kWordBytes - offset % kWordBytes) % kWordBytes);
  if (const auto wrong = mismatch_within(0, done)) return wrong;
  while (bytes.size() - done >= kBlockBytes) {
    const size_t length = std::min(kStepBytes, (bytes.size() - done) / kBlockBytes * kBlockBytes);
    const uint64_t product = product_of(seed, (offset + done) / kWordBytes);
    if (!blocks_match(product, bytes.data() + done, length / kBlockBytes)) {
      return mismatch_within(done, length);
    }
    done += length;
  }
  return mismatch_within(done, bytes.size() - done);
}

}  // namespace mocks3
