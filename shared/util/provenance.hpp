#pragma once
#include <string>
#include <utility>
#include <vector>

namespace mocks3 {

/// Facts of the machine and the build, in a fixed order, as name and value:
/// date (UTC), version, compiler, build_flags, os, kernel, cpu, cores, governor,
/// tcp (congestion control), memory, hostname.
/// A fact that cannot be read has the value "unknown".
using Provenance = std::vector<std::pair<std::string, std::string>>;
Provenance collect_provenance();

/// argv as one line that a POSIX shell reads back, with the values of flags named like secrets
/// (--secret-key, --access-key, --admin-token) replaced by "***".
std::string redacted_command_line(int argc, const char* const* argv);
/// One argument quoted for a POSIX shell where it needs to be.
std::string shell_quote(const std::string& argument);

}  // namespace mocks3
