#pragma once
#include <cstdint>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

namespace mocks3 {

/// Request bodies in XML 1.0, UTF-8. Only shared/proto's sources include this.
///
/// Parses `xml` and gives its root, in `document`; an empty node where it is not well-formed, has a
/// DOCTYPE (no entity is ever defined or fetched), holds characters that XML forbids or more than
/// kMaxXmlTags tags, or where its root is not called `root_name`. Any nesting is fine: nothing
/// here recurses.
pugi::xml_node parse_xml(pugi::xml_document& document, std::string_view xml,
                         std::string_view root_name);

/// Bounds the memory that a document of a given size can take.
inline constexpr int64_t kMaxXmlTags = 400'000;

/// Name without its namespace prefix.
std::string_view local_name(const pugi::xml_node& node);

/// First child element of that local name; an empty node where there is none.
pugi::xml_node child_named(const pugi::xml_node& parent, std::string_view name);

/// Text of an element exactly as meant: entities resolved, CDATA joined, white space kept. Nothing
/// where the node is empty or has child elements.
std::optional<std::string> exact_text(const pugi::xml_node& element);

}  // namespace mocks3
