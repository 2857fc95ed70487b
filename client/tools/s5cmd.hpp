#pragma once
#include "client/tools/tool.hpp"

namespace mocks3::client {

/// s5cmd: `s5cmd cp` with a wildcard.
Tool s5cmd_tool();

}  // namespace mocks3::client
