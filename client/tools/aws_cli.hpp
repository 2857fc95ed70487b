#pragma once
#include "client/tools/tool.hpp"

namespace mocks3::client {

/// aws-cli, version 1 or 2: `aws s3 cp --recursive`.
Tool aws_cli_tool();

}  // namespace mocks3::client
