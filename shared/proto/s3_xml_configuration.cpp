#include "shared/proto/s3_xml_configuration.hpp"

#include <algorithm>
#include <sstream>

#include "shared/proto/xml_reader.hpp"
#include "shared/util/encode.hpp"

namespace mocks3 {
namespace {

constexpr std::string_view kDeclaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
constexpr char kNamespace[] = "http://s3.amazonaws.com/doc/2006-03-01/";

std::vector<pugi::xml_node> children_named(const pugi::xml_node& parent, std::string_view name) {
  std::vector<pugi::xml_node> found;
  for (const pugi::xml_node child : parent.children()) {
    if (child.type() == pugi::node_element && local_name(child) == name) found.push_back(child);
  }
  return found;
}

/// All elements at the path, in order; `path` has at least one name.
std::vector<pugi::xml_node> elements_at(const pugi::xml_node& root, std::string_view path) {
  const size_t slash = path.find('/');
  std::vector<pugi::xml_node> found = children_named(root, path.substr(0, slash));
  if (slash == std::string_view::npos) return found;
  std::vector<pugi::xml_node> below;
  for (const pugi::xml_node& node : found) {
    const auto inner = elements_at(node, path.substr(slash + 1));
    below.insert(below.end(), inner.begin(), inner.end());
  }
  return below;
}

bool is_one_of(std::string_view text, std::string_view values) {
  while (true) {
    const size_t bar = std::min(values.find('|'), values.size());
    if (text == values.substr(0, bar)) return true;
    if (bar == values.size()) return false;
    values.remove_prefix(bar + 1);
  }
}

/// The parents of what a rule is about.
std::vector<pugi::xml_node> parents_of(const XmlRule& rule, const pugi::xml_node& root) {
  const size_t slash = rule.path.rfind('/');
  if (slash == std::string_view::npos) return {root};
  return elements_at(root, rule.path.substr(0, slash));
}

std::string_view last_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool holds(const XmlRule& rule, const pugi::xml_node& root) {
  for (const pugi::xml_node& parent : parents_of(rule, root)) {
    const auto found = children_named(parent, last_name(rule.path));
    if (found.size() > rule.most || (found.empty() && rule.required)) return false;
    for (const pugi::xml_node& node : found) {
      if (rule.values.empty()) continue;
      const auto text = exact_text(node);
      if (!text || !is_one_of(trim(*text), rule.values)) return false;
    }
  }
  return true;
}

/// Fills in what is absent: a text that differs from parent to parent.
void generate(const XmlRule& rule, const pugi::xml_node& root, std::string_view xml) {
  uint64_t number = stable_hash(xml);
  for (pugi::xml_node parent : parents_of(rule, root)) {
    const std::string_view name = last_name(rule.path);
    if (child_named(parent, name)) continue;
    std::string prefixed(parent.name());
    prefixed.resize(prefixed.rfind(':') + 1);
    prefixed += name;
    const uint64_t hash = mix64(++number);
    parent.prepend_child(prefixed.c_str()).text() = (hex_u64(hash) + hex_u64(mix64(hash))).c_str();
  }
}

std::vector<std::string> texts_of(const std::vector<pugi::xml_node>& nodes) {
  std::vector<std::string> texts;
  for (const pugi::xml_node& node : nodes) {
    const auto text = exact_text(node);
    texts.emplace_back(text ? trim(*text) : std::string_view());
  }
  return texts;
}

S3Result<Tags> read_tags(const pugi::xml_node& set) {
  Tags tags;
  for (const pugi::xml_node& tag : children_named(set, "Tag")) {
    auto key = exact_text(child_named(tag, "Key"));
    auto value = exact_text(child_named(tag, "Value"));
    if (!key || !value) return S3Error(S3Code::MalformedXML);
    tags.emplace_back(*std::move(key), *std::move(value));
  }
  return tags;
}

std::string document_text(const pugi::xml_node& root) {
  std::ostringstream printed;
  printed << kDeclaration;
  root.print(printed, "", pugi::format_raw, pugi::encoding_utf8);
  std::string text;
  for (const char c : printed.str()) {
    // The printer leaves it bare, and whoever reads it next would take it for a line's end.
    if (c == '\r') {
      text += "&#13;";
    } else {
      text += c;
    }
  }
  return text;
}

/// The root of a configuration that was read before, whatever its name.
pugi::xml_node parse_kept(pugi::xml_document& document, std::string_view configuration) {
  constexpr unsigned kFlags = pugi::parse_escapes | pugi::parse_cdata | pugi::parse_ws_pcdata;
  document.load_buffer(configuration.data(), configuration.size(), kFlags, pugi::encoding_utf8);
  return document.document_element();
}

}  // namespace

S3Result<std::string> read_configuration(std::string_view xml, std::string_view root_name,
                                         std::span<const XmlRule> rules) {
  pugi::xml_document document;
  pugi::xml_node root = parse_xml(document, xml, root_name);
  const auto kept = [&root](const XmlRule& rule) { return holds(rule, root); };
  if (!root || !std::all_of(rules.begin(), rules.end(), kept)) {
    return S3Error(S3Code::MalformedXML);
  }
  for (const XmlRule& rule : rules) {
    if (rule.generated) generate(rule, root, xml);
  }
  const bool prefixed = std::string_view(root.name()) != root_name;
  if (!prefixed && !root.attribute("xmlns")) root.prepend_attribute("xmlns") = kNamespace;
  return document_text(root);
}

std::string_view without_declaration(std::string_view configuration) {
  configuration.remove_prefix(std::min(kDeclaration.size(), configuration.size()));
  return configuration;
}

std::vector<std::string> texts_at(std::string_view configuration, std::string_view path) {
  pugi::xml_document document;
  return texts_of(elements_at(parse_kept(document, configuration), path));
}

S3Result<Tags> parse_tagging(std::string_view xml) {
  pugi::xml_document document;
  const pugi::xml_node set = child_named(parse_xml(document, xml, "Tagging"), "TagSet");
  return set ? read_tags(set) : S3Error(S3Code::MalformedXML);
}

S3Result<Tags> parse_create_bucket_tags(std::string_view xml) {
  if (trim(xml).empty()) return Tags();
  pugi::xml_document document;
  const pugi::xml_node root = parse_xml(document, xml, "CreateBucketConfiguration");
  return root ? read_tags(child_named(root, "Tags")) : S3Error(S3Code::MalformedXML);
}

std::vector<CorsRule> parse_cors_rules(std::string_view configuration) {
  pugi::xml_document document;
  std::vector<CorsRule> rules;
  for (const pugi::xml_node& node :
       children_named(parse_kept(document, configuration), "CORSRule")) {
    const auto texts = [&node](std::string_view name) {
      return texts_of(children_named(node, name));
    };
    CorsRule rule{texts("AllowedOrigin"), texts("AllowedMethod"), texts("AllowedHeader"),
                  texts("ExposeHeader"), std::nullopt};
    if (const auto age = texts("MaxAgeSeconds"); !age.empty()) rule.max_age_seconds = age.front();
    rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace mocks3
