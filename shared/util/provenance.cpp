#include "shared/util/provenance.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <thread>

#include "shared/util/encode.hpp"
#include "shared/util/time_text.hpp"
#include "shared/util/units.hpp"
#include "shared/util/version.hpp"

namespace mocks3 {
namespace {

std::string or_unknown(std::string_view text) {
  return text.empty() ? "unknown" : std::string(text);
}

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return std::string(trim(line));
}

/// Value of the first line "name<separator>value" of a file, without quotes around it.
std::string field(const char* path, std::string_view name, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const size_t at = line.find(separator);
    if (at == std::string::npos || trim(std::string_view(line).substr(0, at)) != name) continue;
    std::string_view value = trim(std::string_view(line).substr(at + 1));
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
      value = value.substr(1, value.size() - 2);
    }
    return std::string(value);
  }
  return {};
}

std::string cpu_model(const utsname& system) {
  std::string model = field("/proc/cpuinfo", "model name", ':');
  if (model.empty()) model = first_line("/sys/firmware/devicetree/base/model");
  return or_unknown(model.empty() ? std::string_view(system.machine) : model);
}

std::string memory() {
  const std::string total = field("/proc/meminfo", "MemTotal", ':');
  const auto kib = parse_uint(std::string_view(total).substr(0, total.find(' ')));
  return kib ? format_size(*kib * kKiB) : "unknown";
}

bool names_secret(std::string_view flag) {
  static constexpr std::array<std::string_view, 4> kSecrets{"secret", "access-key", "token",
                                                            "password"};
  return flag.starts_with("--") && std::any_of(kSecrets.begin(), kSecrets.end(), [&](auto secret) {
           return flag.find(secret) != std::string_view::npos;
         });
}

bool is_shell_safe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
}

}  // namespace

Provenance collect_provenance() {
  utsname system{};
  const bool known = uname(&system) == 0;
  const std::string kernel =
      std::string(system.sysname) + ' ' + system.release + ' ' + system.machine;
  const unsigned cores = std::thread::hardware_concurrency();
  return {
      {"date", iso8601_millis(now_millis())},
      {"version", or_unknown(version())},
      {"compiler", or_unknown(compiler())},
      {"build_flags", or_unknown(build_flags())},
      {"os", or_unknown(field("/etc/os-release", "PRETTY_NAME", '='))},
      {"kernel", known ? kernel : "unknown"},
      {"cpu", cpu_model(system)},
      {"cores", cores == 0 ? "unknown" : std::to_string(cores)},
      {"governor", or_unknown(first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"))},
      {"tcp", or_unknown(first_line("/proc/sys/net/ipv4/tcp_congestion_control"))},
      {"memory", memory()},
      {"hostname", or_unknown(system.nodename)},
  };
}

std::string shell_quote(const std::string& argument) {
  if (!argument.empty() && std::all_of(argument.begin(), argument.end(), is_shell_safe)) {
    return argument;
  }
  std::string quoted = "'";
  for (const char c : argument) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string redacted_command_line(int argc, const char* const* argv) {
  std::string line;
  bool value_is_secret = false;
  for (int i = 0; i < argc; ++i) {
    std::string argument = value_is_secret ? "***" : argv[i];
    const size_t equals = argument.find('=');
    const bool secret = !value_is_secret && names_secret(argument.substr(0, equals));
    value_is_secret = secret && equals == std::string::npos;
    if (secret && equals != std::string::npos)
      argument.replace(equals + 1, std::string::npos, "***");
    if (i > 0) line += ' ';
    line += shell_quote(argument);
  }
  return line;
}

}  // namespace mocks3
