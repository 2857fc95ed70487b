#include "shared/util/encode.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace mocks3 {
namespace {

constexpr char kLowerDigits[] = "0123456789abcdef";
constexpr char kUpperDigits[] = "0123456789ABCDEF";
constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr int kNoDigit = -1;

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return kNoDigit;
}

/// The byte that two digits spell, or kNoDigit.
int hex_pair(char high, char low) {
  const int h = hex_value(high);
  const int l = hex_value(low);
  return h == kNoDigit || l == kNoDigit ? kNoDigit : h * 16 + l;
}

constexpr auto kBase64Values = [] {
  std::array<int8_t, 256> values{};
  for (auto& value : values) value = kNoDigit;
  for (size_t i = 0; i < kBase64Digits.size(); ++i) {
    values[static_cast<uint8_t>(kBase64Digits[i])] = static_cast<int8_t>(i);
  }
  return values;
}();

int base64_value(char c) { return kBase64Values[static_cast<uint8_t>(c)]; }

bool is_unreserved(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool is_http_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Up to 8 bytes as a little-endian number, on every machine.
uint64_t load_word(const char* bytes, size_t count) {
  uint64_t word = 0;
  std::memcpy(&word, bytes, count);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

}  // namespace

std::string hex_encode(std::span<const uint8_t> bytes) {
  std::string text(bytes.size() * 2, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) {
    text[2 * i] = kLowerDigits[bytes[i] >> 4];
    text[2 * i + 1] = kLowerDigits[bytes[i] & 15];
  }
  return text;
}

std::string hex_u64(uint64_t value) {
  std::string text(16, '0');
  for (size_t i = 16; i-- > 0; value >>= 4) text[i] = kLowerDigits[value & 15];
  return text;
}

std::optional<std::string> hex_decode(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes(text.size() / 2, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) {
    const int value = hex_pair(text[2 * i], text[2 * i + 1]);
    if (value == kNoDigit) return std::nullopt;
    bytes[i] = static_cast<char>(value);
  }
  return bytes;
}

std::string base64_encode(std::span<const uint8_t> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = uint32_t{bytes[i]} << 16;
    if (count > 1) group |= uint32_t{bytes[i + 1]} << 8;
    if (count > 2) group |= bytes[i + 2];
    for (size_t digit = 0; digit < 4; ++digit) {
      text += digit > count ? '=' : kBase64Digits[(group >> (18 - 6 * digit)) & 63];
    }
  }
  return text;
}

std::optional<std::string> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  const std::string_view digits = text.substr(0, text.size() - padding);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  uint32_t pending = 0;
  unsigned pending_bits = 0;
  for (const char c : digits) {
    const int value = base64_value(c);
    if (value == kNoDigit) return std::nullopt;
    pending = (pending << 6 | static_cast<uint32_t>(value)) & 0xfff;
    pending_bits += 6;
    if (pending_bits < 8) continue;
    pending_bits -= 8;
    bytes += static_cast<char>(pending >> pending_bits & 0xff);
  }
  // Canonical: the bits that the padding cuts off are zero.
  if ((pending & ((1U << pending_bits) - 1)) != 0) return std::nullopt;
  return bytes;
}

std::string percent_encode(std::string_view bytes, bool keep_slash) {
  std::string text;
  text.reserve(bytes.size() + 16);
  for (const char c : bytes) {
    if (is_unreserved(c) || (keep_slash && c == '/')) {
      text += c;
      continue;
    }
    const auto byte = static_cast<uint8_t>(c);
    text += '%';
    text += kUpperDigits[byte >> 4];
    text += kUpperDigits[byte & 15];
  }
  return text;
}

std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space) {
  std::string bytes;
  bytes.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      bytes += plus_is_space && text[i] == '+' ? ' ' : text[i];
      continue;
    }
    if (text.size() - i < 3) return std::nullopt;
    const int value = hex_pair(text[i + 1], text[i + 2]);
    if (value == kNoDigit) return std::nullopt;
    bytes += static_cast<char>(value);
    i += 2;
  }
  return bytes;
}

bool iequals(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return lower(x) == lower(y); });
}

bool istarts_with(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() && iequals(text.substr(0, prefix.size()), prefix);
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_http_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_http_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string to_lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

std::string in_quotes(std::string_view text, size_t max_bytes) {
  std::string shown = "\"";
  for (const char c : text.substr(0, max_bytes)) {
    const auto byte = static_cast<uint8_t>(c);
    shown += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  return shown + (text.size() > max_bytes ? "...\"" : "\"");
}

uint64_t stable_hash(std::string_view bytes, uint64_t seed) {
  // Every step is a bijection of the hash so far and of the word mixed in, so two texts of one
  // length that differ in one word never collide. The words' mixing does not wait for the chain.
  constexpr uint64_t kMultiplier = 0x9fb21c651e98df25ULL;
  uint64_t hash = mix64(seed + 0x9e3779b97f4a7c15ULL) ^ (bytes.size() * kMultiplier);
  const auto absorb = [&hash](uint64_t word) {
    hash = (hash ^ mix64(word + 0x9e3779b97f4a7c15ULL)) * kMultiplier;
    hash ^= hash >> 32;
  };
  while (bytes.size() >= sizeof(uint64_t)) {
    absorb(load_word(bytes.data(), sizeof(uint64_t)));
    bytes.remove_prefix(sizeof(uint64_t));
  }
  if (!bytes.empty()) absorb(load_word(bytes.data(), bytes.size()));
  return mix64(hash);
}

}  // namespace mocks3
