#include "client/tools/tool.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "client/interrupt.hpp"
#include "client/tools/aws_cli.hpp"
#include "client/tools/boto3.hpp"
#include "client/tools/rclone.hpp"
#include "client/tools/s5cmd.hpp"

namespace mocks3::client {
namespace {

namespace fs = std::filesystem;

/// What programs need to be found and to run, and nothing that changes what they measure (proxies,
/// profiles, endpoints).
constexpr const char* kKeptVariables[] = {
    "PATH",       "HOME",        "TMPDIR",     "LANG",          "LD_LIBRARY_PATH",
    "PYTHONPATH", "VIRTUAL_ENV", "PYENV_ROOT", "PYENV_VERSION", "PYTHONHOME"};

std::vector<std::string> kept_variables() {
  std::vector<std::string> variables;
  for (const char* name : kKeptVariables) {
    if (const char* value = std::getenv(name))
      variables.push_back(fmt::format("{}={}", name, value));
  }
  return variables;
}

/// "aws-cli/1.45.11" and "v1.60.1-DEV" -> what follows '/' or 'v'; empty where that is no number.
std::string version_of_word(std::string word) {
  word.erase(0, word.find('/') == std::string::npos ? 0 : word.find('/') + 1);
  if (!word.empty() && word[0] == 'v') word.erase(0, 1);
  const bool number = !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) != 0;
  return number ? word : "";
}

}  // namespace

const std::vector<Tool>& all_tools() {
  static const std::vector<Tool> tools = {aws_cli_tool(), boto3_tool(), rclone_tool(),
                                          s5cmd_tool()};
  return tools;
}

const Tool* tool_named(const std::string& name) {
  const auto& tools = all_tools();
  const auto found =
      std::find_if(tools.begin(), tools.end(), [&](const Tool& tool) { return tool.name == name; });
  return found == tools.end() ? nullptr : &*found;
}

std::vector<std::string> executables_on_path(const std::string& name,
                                             const std::string& search_path) {
  std::vector<std::string> found;
  std::istringstream directories(search_path);
  for (std::string directory; std::getline(directories, directory, ':');) {
    std::error_code error;
    // An empty entry is the working directory; a relative path would change its meaning with it.
    const fs::path path = fs::absolute(directory.empty() ? "." : directory, error) / name;
    if (error || !fs::is_regular_file(path, error)) continue;
    if (access(path.c_str(), X_OK) == 0) found.push_back(path.lexically_normal());
  }
  return found;
}

std::optional<std::string> output_of(const std::vector<std::string>& argv) {
  RunLimits limits;
  limits.timeout = std::chrono::seconds(60);
  limits.stop = interrupted;
  const auto result = run_processes({{argv, kept_variables(), ""}}, limits);
  if (!result || !result->succeeded()) return std::nullopt;
  const ProcessResult& process = result->processes.front();
  return process.output.empty() ? process.error_output : process.output;
}

std::string version_in(const std::string& text) {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (std::string version = version_of_word(word); !version.empty()) return version;
  }
  return "";
}

std::vector<std::string> tool_environment(const Endpoint& endpoint) {
  std::vector<std::string> variables = kept_variables();
  const auto add = [&](const char* name, const std::string& value) {
    variables.push_back(fmt::format("{}={}", name, value));
  };
  add("AWS_ACCESS_KEY_ID", endpoint.credentials.access_key);
  add("AWS_SECRET_ACCESS_KEY", endpoint.credentials.secret_key);
  if (!endpoint.credentials.session_token.empty()) {
    add("AWS_SESSION_TOKEN", endpoint.credentials.session_token);
  }
  add("AWS_REGION", endpoint.region);
  add("AWS_DEFAULT_REGION", endpoint.region);
  add("AWS_CONFIG_FILE", "/dev/null");
  add("AWS_SHARED_CREDENTIALS_FILE", "/dev/null");
  add("AWS_EC2_METADATA_DISABLED", "true");
  add("RCLONE_CONFIG", "/dev/null");
  return variables;
}

}  // namespace mocks3::client
