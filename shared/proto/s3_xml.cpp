#include "shared/proto/s3_xml.hpp"

#include <array>
#include <charconv>
#include <string>

#include "shared/proto/utf8.hpp"

namespace mocks3 {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

/// What stands for one byte below 0x80 in XML text; empty where the byte stands for itself.
constexpr std::string_view escape_of(char byte) {
  switch (byte) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&apos;";
    case '\r':
      return "&#13;";  // a bare CR would be read back as LF
    case '\n':
    case '\t':
      return {};
    default:
      return static_cast<unsigned char>(byte) < 0x20 ? kReplacement : std::string_view();
  }
}

/// Which bytes are ASCII that stands for itself: nearly all of nearly every key.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (size_t byte = 0x20; byte < 0x80; ++byte) {
    plain[byte] = escape_of(static_cast<char>(byte)).empty();
  }
  return plain;
}();

size_t plain_prefix(std::string_view text) {
  size_t length = 0;
  while (length < text.size() && kPlain[static_cast<unsigned char>(text[length])]) ++length;
  return length;
}

/// U+FFFE and U+FFFF are the only characters beyond ASCII that XML 1.0 forbids.
bool is_noncharacter(std::string_view sequence) {
  return sequence == "\xEF\xBF\xBE" || sequence == "\xEF\xBF\xBF";
}

}  // namespace

void append_xml_escaped(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const size_t plain = plain_prefix(text);
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return;
    const size_t length = utf8_sequence_length(text);
    const std::string_view sequence = text.substr(0, length);
    if (length == 0 || is_noncharacter(sequence)) {
      out += kReplacement;
    } else if (const std::string_view escape = escape_of(text[0]); !escape.empty()) {
      out += escape;
    } else {
      out += sequence;
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
}

XmlWriter::XmlWriter(std::string_view root, bool with_namespace) : root_(root) {
  out_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<";
  out_ += root;
  if (with_namespace) out_ += " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"";
  out_ += '>';
}

XmlWriter& XmlWriter::open(std::string_view name) {
  out_ += '<';
  out_ += name;
  out_ += '>';
  return *this;
}

XmlWriter& XmlWriter::close(std::string_view name) {
  out_ += "</";
  out_ += name;
  out_ += '>';
  return *this;
}

XmlWriter& XmlWriter::text(std::string_view name, std::string_view value) {
  open(name);
  append_xml_escaped(out_, value);
  return close(name);
}

XmlWriter& XmlWriter::number(std::string_view name, uint64_t value) {
  char digits[20];
  const char* const end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  open(name);
  out_.append(digits, static_cast<size_t>(end - digits));
  return close(name);
}

XmlWriter& XmlWriter::boolean(std::string_view name, bool value) {
  return text(name, value ? "true" : "false");
}

std::string XmlWriter::finish() && {
  close(root_);
  return std::move(out_);
}

}  // namespace mocks3
