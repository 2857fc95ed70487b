#pragma once
#include "client/tools/tool.hpp"

namespace mocks3::client {

/// rclone with an on-the-fly remote: `rclone copy`.
Tool rclone_tool();

}  // namespace mocks3::client
