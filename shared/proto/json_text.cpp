#include "shared/proto/json_text.hpp"

namespace mocks3 {

nlohmann::json parse_json(std::string_view text) {
  using nlohmann::json;
  bool too_deep = false;
  const auto shallow = [&too_deep](int depth, json::parse_event_t, const json&) {
    if (depth > kMaxJsonDepth) too_deep = true;
    return !too_deep;
  };
  json document = json::parse(text, shallow, /*allow_exceptions=*/false);
  return too_deep ? json(json::value_t::discarded) : document;
}

}  // namespace mocks3
