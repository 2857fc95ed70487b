#pragma once
#include <optional>
#include <string_view>

namespace mocks3::client {

/// CPU time of all cores of this machine since it started, in the kernel's ticks; only differences
/// mean something.
struct HostCpu {
  double busy = 0;  ///< everything but idle and waiting for a disk; stolen time counts as busy
  double total = 0;
};

/// Nothing where /proc/stat cannot be read.
std::optional<HostCpu> read_host_cpu();
/// The text of /proc/stat.
std::optional<HostCpu> parse_host_cpu(std::string_view text);

/// Busy share of all cores between two readings, 0 to 1.
double busy_share(const HostCpu& before, const HostCpu& after);

}  // namespace mocks3::client
