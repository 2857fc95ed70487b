#include "client/report/text.hpp"

#include <algorithm>

namespace mocks3::client {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

bool is_blank(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x20 || byte == 0x7F;
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (!is_blank(c)) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

size_t display_width(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

std::string shortened(std::string_view text, size_t most) {
  if (display_width(text) <= most) return std::string(text);
  const size_t keep = most > 3 ? most - 3 : 0;
  size_t end = 0, columns = 0;
  while (end < text.size() && (columns < keep || is_continuation(text[end]))) {
    if (!is_continuation(text[end])) ++columns;
    ++end;
  }
  return std::string(text.substr(0, end)) + "...";
}

std::string fact(const std::vector<std::pair<std::string, std::string>>& facts,
                 std::string_view name, std::string_view otherwise) {
  for (const auto& [key, value] : facts) {
    if (key == name) return value;
  }
  return std::string(otherwise);
}

}  // namespace mocks3::client
