#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/options.hpp"

namespace mocks3::server {

/// One flag: how it is called, what it says of itself, and how its text becomes a value.
struct OptionFlag {
  std::string_view group;
  std::string_view name;   ///< without dashes
  std::string_view value;  ///< placeholder in the help text; empty for a switch
  bool repeatable = false;
  std::string_view help;
  /// Sets the option from at least one value; where that cannot be, what follows the flag's name
  /// in the message: ": cannot read ..." or " must be ...".
  std::optional<std::string> (*apply)(Options& options, const std::vector<std::string>& values);
};

/// All flags in the order of the help text, those of a group together.
std::span<const OptionFlag> option_flags();

}  // namespace mocks3::server
