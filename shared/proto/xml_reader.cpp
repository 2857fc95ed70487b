#include "shared/proto/xml_reader.hpp"

#include <algorithm>

#include "shared/proto/utf8.hpp"
#include "shared/util/encode.hpp"

namespace mocks3 {
namespace {

/// White space is kept: a key may be nothing else.
constexpr unsigned kParseFlags =
    pugi::parse_escapes | pugi::parse_cdata | pugi::parse_ws_pcdata | pugi::parse_eol;

/// XML 1.0 section 2.2.
bool is_xml_char(uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return !surrogate && code != 0xFFFE && code != 0xFFFF && code <= 0x10FFFF;
}

/// "#38" or "#x26".
bool is_character_reference(std::string_view name) {
  const bool hex = name.starts_with("#x");
  const std::string_view digits = name.substr(hex ? 2 : 1);
  if (digits.empty() || digits.size() > 8) return false;
  uint32_t code = 0;
  for (const char c : digits) {
    const bool decimal = c >= '0' && c <= '9';
    const char lower = static_cast<char>(c | 0x20);
    if (!decimal && !(hex && lower >= 'a' && lower <= 'f')) return false;
    const int digit = decimal ? c - '0' : lower - 'a' + 10;
    code = code * (hex ? 16 : 10) + static_cast<uint32_t>(digit);
  }
  return is_xml_char(code);
}

/// The parser takes an undefined or broken reference for plain text, which would name another key.
bool is_reference(std::string_view after_ampersand) {
  constexpr size_t kLongest = 11;  // of "#x0010FFFF;"
  const size_t end = after_ampersand.substr(0, kLongest).find(';');
  if (end == std::string_view::npos || end == 0) return false;
  const std::string_view name = after_ampersand.substr(0, end);
  if (name.front() == '#') return is_character_reference(name);
  return name == "amp" || name == "lt" || name == "gt" || name == "quot" || name == "apos";
}

/// Cuts off a section that starts at `xml`'s front and in which '&' is plain text. False where
/// there is none.
bool skip_literal_section(std::string_view& xml) {
  for (const auto& [begin, end] :
       {std::pair<std::string_view, std::string_view>{"<![CDATA[", "]]>"},
        {"<!--", "-->"},
        {"<?", "?>"}}) {
    if (!xml.starts_with(begin)) continue;
    const size_t found = xml.find(end, begin.size());
    xml.remove_prefix(found == std::string_view::npos ? xml.size() : found + end.size());
    return true;
  }
  return false;
}

/// Cuts off the tag at the front, with attributes; false where it does not end, holds another '<',
/// or is none: a document type, which is never read.
bool skip_tag(std::string_view& xml) {
  if (xml.starts_with("<!")) return false;
  char quote = '\0';
  for (size_t i = 1; i < xml.size(); ++i) {
    const char c = xml[i];
    if (c == '<' || (c == '&' && !is_reference(xml.substr(i + 1)))) return false;
    if (quote == '\0' && c == '>') {
      xml.remove_prefix(i + 1);
      return true;
    }
    if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
    }
  }
  return false;
}

/// Whether tags and references are such that the parser, which is lenient, reads what is meant.
bool markup_is_sound(std::string_view xml) {
  while (true) {
    xml.remove_prefix(std::min(xml.find_first_of("<&"), xml.size()));
    if (xml.empty()) return true;
    if (xml.front() == '&') {
      if (!is_reference(xml.substr(1))) return false;
      xml.remove_prefix(1);
    } else if (!skip_literal_section(xml) && !skip_tag(xml)) {
      return false;
    }
  }
}

bool characters_are_sound(std::string_view xml) {
  const auto is_forbidden = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && !is_xml_char(byte);
  };
  for (const std::string_view noncharacter : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    if (xml.find(noncharacter) != std::string_view::npos) return false;
  }
  return valid_utf8(xml) && std::none_of(xml.begin(), xml.end(), is_forbidden);
}

/// One root, and nothing but comments and instructions beside it.
pugi::xml_node only_root(const pugi::xml_document& document) {
  pugi::xml_node root;
  for (const pugi::xml_node node : document.children()) {
    if (node.type() != pugi::node_element) continue;
    if (root) return {};
    root = node;
  }
  return root;
}

}  // namespace

pugi::xml_node parse_xml(pugi::xml_document& document, std::string_view xml,
                         std::string_view root_name) {
  if (xml.starts_with("\xEF\xBB\xBF")) xml.remove_prefix(3);
  xml = trim(xml);
  // Text outside of the root is skipped by the parser.
  if (!xml.starts_with('<') || !xml.ends_with('>')) return {};
  if (std::count(xml.begin(), xml.end(), '<') > kMaxXmlTags) return {};
  if (!characters_are_sound(xml) || !markup_is_sound(xml)) return {};
  const pugi::xml_parse_result parsed =
      document.load_buffer(xml.data(), xml.size(), kParseFlags, pugi::encoding_utf8);
  if (!parsed) return {};
  const pugi::xml_node root = only_root(document);
  return local_name(root) == root_name ? root : pugi::xml_node();
}

std::string_view local_name(const pugi::xml_node& node) {
  std::string_view name = node.name();
  name.remove_prefix(name.rfind(':') + 1);
  return name;
}

pugi::xml_node child_named(const pugi::xml_node& parent, std::string_view name) {
  return parent.find_child([name](const pugi::xml_node& child) {
    return child.type() == pugi::node_element && local_name(child) == name;
  });
}

std::optional<std::string> exact_text(const pugi::xml_node& element) {
  if (!element) return std::nullopt;
  std::string text;
  for (const pugi::xml_node child : element.children()) {
    if (child.type() == pugi::node_element) return std::nullopt;
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
      text += child.value();
    }
  }
  return text;
}

}  // namespace mocks3
