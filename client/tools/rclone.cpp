#include "client/tools/rclone.hpp"

#include <fmt/format.h>

namespace mocks3::client {
namespace {

std::optional<FoundTool> find(const std::string& search_path) {
  for (const std::string& path : executables_on_path("rclone", search_path)) {
    const auto output = output_of({path, "version"});
    if (output && output->rfind("rclone ", 0) == 0) return FoundTool{path, version_in(*output)};
  }
  return std::nullopt;
}

ProcessSpec command(const FoundTool& tool, const ToolTransfer& transfer) {
  const std::string remote = fmt::format(":s3:{}/{}", transfer.bucket, transfer.prefix);
  const bool put = transfer.op == Direction::put;
  ProcessSpec spec;
  spec.argv = {tool.path,
               "copy",
               put ? transfer.directory : remote,
               put ? remote : transfer.directory,
               "--s3-provider",
               "Other",
               "--s3-endpoint",
               transfer.endpoint.url(),
               "--s3-region",
               transfer.endpoint.region,
               "--s3-env-auth"};
  spec.environment = tool_environment(transfer.endpoint);
  return spec;
}

}  // namespace

Tool rclone_tool() { return {"rclone", false, find, command}; }

}  // namespace mocks3::client
