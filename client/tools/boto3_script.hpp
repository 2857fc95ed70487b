#pragma once
#include <string_view>

namespace mocks3::client {

/// The text of boto3_transfer.py, put into the program when it is built.
std::string_view boto3_script();

}  // namespace mocks3::client
