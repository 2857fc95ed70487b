#pragma once
#include <string_view>

namespace mocks3 {

/// `git describe` of the tree that was built, with "-dirty" for uncommitted changes.
std::string_view version();
/// Compiler name and version, e.g. "GNU 12.2.0".
std::string_view compiler();
/// Optimisation flags of the build.
std::string_view build_flags();

}  // namespace mocks3
