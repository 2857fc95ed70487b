#include "client/engine/answer.hpp"

#include <fmt/format.h>

#include <pugixml.hpp>

namespace mocks3::client {
namespace {

std::string_view local_name(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  const size_t colon = name.find(':');
  return colon == name.npos ? name : name.substr(colon + 1);
}

pugi::xml_node root_of(pugi::xml_document& document, std::string_view xml) {
  if (!document.load_buffer(xml.data(), xml.size())) return {};
  return document.document_element();
}

std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  constexpr size_t kMost = 300;
  return text.substr(0, kMost);
}

}  // namespace

std::string element_text(std::string_view xml, std::string_view name) {
  pugi::xml_document document;
  const pugi::xml_node root = root_of(document, xml);
  if (root && local_name(root) == name) return root.text().get();
  for (const pugi::xml_node& child : root.children())
    if (local_name(child) == name) return child.text().get();
  return {};
}

bool is_error_document(std::string_view xml) {
  pugi::xml_document document;
  const pugi::xml_node root = root_of(document, xml);
  return root && local_name(root) == "Error";
}

std::string refusal_class(const Answer& answer) {
  const std::string code = one_line(element_text(answer.text, "Code"));
  return code.empty() ? std::to_string(answer.status) : fmt::format("{} {}", answer.status, code);
}

std::string refusal_text(const Answer& answer) {
  const std::string message = one_line(element_text(answer.text, "Message"));
  return message.empty() ? refusal_class(answer) : refusal_class(answer) + ": " + message;
}

std::string object_answer_fault(const Answer& answer, bool ranged, uint64_t first, uint64_t length,
                                uint64_t size) {
  const unsigned expected = ranged ? 206 : 200;
  if (answer.status != expected)
    return fmt::format("status {} where {} was due", answer.status, expected);
  if (!answer.content_length) return "no Content-Length";
  if (*answer.content_length != length)
    return fmt::format("Content-Length {} where {} was due", *answer.content_length, length);
  const std::string range = fmt::format("bytes {}-{}/{}", first, first + length - 1, size);
  if (ranged && answer.content_range != range)
    return fmt::format("Content-Range \"{}\" where \"{}\" was due", one_line(answer.content_range),
                       range);
  return {};
}

}  // namespace mocks3::client
