#include "shared/proto/utf8.hpp"

#include <cstdint>

namespace mocks3 {
namespace {

/// Bytes that a lead byte announces, and the smallest value such a sequence may hold.
struct Lead {
  size_t length;
  uint32_t bits;
  uint32_t smallest;
};

Lead lead_of(uint8_t byte) {
  if (byte < 0x80) return {1, byte, 0};
  if (byte >= 0xC2 && byte < 0xE0) return {2, byte & 0x1Fu, 0x80};
  if (byte >= 0xE0 && byte < 0xF0) return {3, byte & 0x0Fu, 0x800};
  if (byte >= 0xF0 && byte < 0xF5) return {4, byte & 0x07u, 0x10000};
  return {0, 0, 0};
}

}  // namespace

size_t utf8_sequence_length(std::string_view bytes) {
  if (bytes.empty()) return 0;
  const Lead lead = lead_of(static_cast<uint8_t>(bytes[0]));
  if (lead.length > bytes.size()) return 0;
  uint32_t value = lead.bits;
  for (size_t i = 1; i < lead.length; ++i) {
    const auto byte = static_cast<uint8_t>(bytes[i]);
    if ((byte & 0xC0) != 0x80) return 0;
    value = (value << 6) | (byte & 0x3Fu);
  }
  const bool surrogate = value >= 0xD800 && value < 0xE000;
  if (value < lead.smallest || value > 0x10FFFF || surrogate) return 0;
  return lead.length;
}

bool valid_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t length = utf8_sequence_length(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

}  // namespace mocks3
