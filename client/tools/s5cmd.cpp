#include "client/tools/s5cmd.hpp"

#include <fmt/format.h>

namespace mocks3::client {
namespace {

std::optional<FoundTool> find(const std::string& search_path) {
  for (const std::string& path : executables_on_path("s5cmd", search_path)) {
    if (const auto output = output_of({path, "version"})) {
      return FoundTool{path, version_in(*output)};
    }
  }
  return std::nullopt;
}

ProcessSpec command(const FoundTool& tool, const ToolTransfer& transfer) {
  const std::string remote = fmt::format("s3://{}/{}/", transfer.bucket, transfer.prefix);
  const bool put = transfer.op == Direction::put;
  ProcessSpec spec;
  // s5cmd expands wildcards itself, also in the name of a directory: the working directory keeps
  // such a name out of its arguments.
  spec.argv = {tool.path, "--endpoint-url",         transfer.endpoint.url(), "--log", "error",
               "cp",      put ? "*" : remote + "*", put ? remote : "."};
  spec.environment = tool_environment(transfer.endpoint);
  spec.directory = transfer.directory;
  return spec;
}

}  // namespace

Tool s5cmd_tool() { return {"s5cmd", false, find, command}; }

}  // namespace mocks3::client
