#include "shared/util/crc.hpp"

#include <array>

namespace mocks3 {
namespace {

template <class Word>
using Table = std::array<Word, 256>;

/// Remainders of every byte; `polynomial` in reflected form.
template <class Word>
constexpr Table<Word> make_table(Word polynomial) {
  Table<Word> table{};
  for (size_t byte = 0; byte < table.size(); ++byte) {
    Word rest = static_cast<Word>(byte);
    for (int bit = 0; bit < 8; ++bit) rest = (rest & 1) != 0 ? (rest >> 1) ^ polynomial : rest >> 1;
    table[byte] = rest;
  }
  return table;
}

constexpr auto kCrc32 = make_table<uint32_t>(0xEDB88320);
constexpr auto kCrc32c = make_table<uint32_t>(0x82F63B78);
constexpr auto kCrc64Nvme = make_table<uint64_t>(0x9A6C9329AC4BC9B5);

template <class Word>
Word crc(const Table<Word>& table, std::string_view bytes) {
  Word rest = ~Word{0};
  for (const char c : bytes) rest = table[(rest ^ static_cast<uint8_t>(c)) & 0xff] ^ (rest >> 8);
  return ~rest;
}

}  // namespace

uint32_t crc32(std::string_view bytes) { return crc(kCrc32, bytes); }
uint32_t crc32c(std::string_view bytes) { return crc(kCrc32c, bytes); }
uint64_t crc64nvme(std::string_view bytes) { return crc(kCrc64Nvme, bytes); }

}  // namespace mocks3
