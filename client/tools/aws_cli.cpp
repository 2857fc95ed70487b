#include "client/tools/aws_cli.hpp"

#include <fmt/format.h>

namespace mocks3::client {
namespace {

std::optional<FoundTool> find(const std::string& search_path) {
  for (const std::string& path : executables_on_path("aws", search_path)) {
    const auto output = output_of({path, "--version"});
    if (output && output->rfind("aws-cli/", 0) == 0) return FoundTool{path, version_in(*output)};
  }
  return std::nullopt;
}

ProcessSpec command(const FoundTool& tool, const ToolTransfer& transfer) {
  const std::string remote = fmt::format("s3://{}/{}/", transfer.bucket, transfer.prefix);
  const bool put = transfer.op == Direction::put;
  ProcessSpec spec;
  spec.argv = {tool.path,
               "s3",
               "cp",
               put ? transfer.directory : remote,
               put ? remote : transfer.directory,
               "--recursive",
               "--only-show-errors",
               "--endpoint-url",
               transfer.endpoint.url()};
  spec.environment = tool_environment(transfer.endpoint);
  return spec;
}

}  // namespace

Tool aws_cli_tool() { return {"aws-cli", true, find, command}; }

}  // namespace mocks3::client
