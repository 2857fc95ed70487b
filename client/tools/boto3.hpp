#pragma once
#include "client/tools/tool.hpp"

namespace mocks3::client {

/// boto3's upload_file and download_file with the default TransferConfig, one file after another,
/// in a small script of this program (boto3_transfer.py) that a Python which can import boto3 runs.
Tool boto3_tool();

}  // namespace mocks3::client
