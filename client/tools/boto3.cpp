#include "client/tools/boto3.hpp"

#include <fmt/format.h>

#include <sstream>

#include "client/tools/boto3_script.hpp"

namespace mocks3::client {
namespace {

/// Prints the interpreter itself, not a wrapper around it that would be measured too.
constexpr const char* kProbe = "import sys, boto3; print(sys.executable); print(boto3.__version__)";

std::optional<FoundTool> find(const std::string& search_path) {
  for (const std::string& path : executables_on_path("python3", search_path)) {
    const auto output = output_of({path, "-c", kProbe});
    if (!output) continue;
    std::istringstream lines(*output);
    FoundTool tool;
    if (std::getline(lines, tool.path) && std::getline(lines, tool.version)) return tool;
  }
  return std::nullopt;
}

ProcessSpec command(const FoundTool& tool, const ToolTransfer& transfer) {
  ProcessSpec spec;
  spec.argv = {tool.path,
               "-c",
               std::string(boto3_script()),
               transfer.op == Direction::put ? "put" : "get",
               transfer.endpoint.url(),
               transfer.bucket,
               transfer.prefix + "/",
               transfer.directory};
  spec.environment = tool_environment(transfer.endpoint);
  return spec;
}

}  // namespace

Tool boto3_tool() { return {"boto3", true, find, command}; }

}  // namespace mocks3::client
