#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "client/ceiling.hpp"
#include "client/endpoint.hpp"
#include "client/tools/process.hpp"

namespace mocks3::client {

struct FoundTool {
  std::string path;
  std::string version;
};

/// What one process of a tool is to do: all files of a directory up, or all objects below a prefix
/// down. There are no subdirectories.
struct ToolTransfer {
  Direction op = Direction::put;
  Endpoint endpoint;
  std::string bucket;
  std::string prefix;     ///< without a slash at its end; an object's key is prefix/NAME
  std::string directory;  ///< absolute; the source for put, an empty one for get
};

/// An S3 program other than the native client, run with its default settings.
struct Tool {
  std::string name;  ///< as in --clients
  /// Runs one thread at a time (Python), so that a process keeps one core busy, not all.
  bool one_core_each = false;
  /// Looks on `search_path` (the value of PATH) and asks for the version; nothing where it is not
  /// there or does not run.
  std::function<std::optional<FoundTool>(const std::string& search_path)> find;
  std::function<ProcessSpec(const FoundTool&, const ToolTransfer&)> command;
};

/// The tools there are adapters for, in the order of the table.
const std::vector<Tool>& all_tools();
/// nullptr where there is no adapter of that name.
const Tool* tool_named(const std::string& name);

/// Executable files called `name` in the directories of `search_path`, in its order.
std::vector<std::string> executables_on_path(const std::string& name,
                                             const std::string& search_path);
/// What `argv` prints on stdout, else on stderr, where it ends with status 0 within 60 s (Python
/// tools take a while on a busy machine).
std::optional<std::string> output_of(const std::vector<std::string>& argv);
/// The first word that begins with a digit, perhaps behind a 'v' or a name and '/': "1.45.11" in
/// "aws-cli/1.45.11 Python/3.11". Empty where there is none.
std::string version_in(const std::string& text);

/// PATH, HOME and the like of this process, keys and region of the endpoint, and no files of
/// settings or credentials, so that every user measures the same.
std::vector<std::string> tool_environment(const Endpoint& endpoint);

}  // namespace mocks3::client
