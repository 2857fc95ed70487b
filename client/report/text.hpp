#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mocks3::client {

/// `text` on one line: line breaks and other control characters are spaces, runs of them one.
std::string one_line(std::string_view text);
/// At most `most` columns, with "..." where something was cut; never inside a character.
std::string shortened(std::string_view text, size_t most);
/// Columns that UTF-8 text takes on a terminal (each character counts as one).
size_t display_width(std::string_view text);
/// The value of the first pair of that name, else `otherwise`.
std::string fact(const std::vector<std::pair<std::string, std::string>>& facts,
                 std::string_view name, std::string_view otherwise);

}  // namespace mocks3::client
