#pragma once
#include <string>
#include <vector>

namespace mocks3 {

/// Relative paths that tools stumble over: every one is a valid path on Linux (components of at
/// most 255 bytes), a valid S3 key (at most 1024 bytes of UTF-8) and valid XML; none has a control
/// character. No path is a folder of another.
std::vector<std::string> hostile_names();

}  // namespace mocks3
