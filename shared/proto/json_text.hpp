#pragma once
#include <nlohmann/json.hpp>
#include <string_view>

namespace mocks3 {

inline constexpr int kMaxJsonDepth = 32;

/// JSON that a client sent; discarded where it is none, or where there is a value inside of more
/// than kMaxJsonDepth others: whoever walks through it may recurse.
nlohmann::json parse_json(std::string_view text);

}  // namespace mocks3
