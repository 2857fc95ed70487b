#pragma once
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "client/ceiling.hpp"

namespace mocks3::client {

struct Iperf3Version {
  std::string text;  ///< "3.12"
  unsigned major = 0, minor = 0;

  /// From 3.16 on each stream has a thread of its own; before, all share one core.
  bool has_threads() const { return major > 3 || (major == 3 && minor >= 16); }
};

/// From the first line of `iperf3 --version`: "iperf 3.12 (cJSON 1.7.15)".
std::optional<Iperf3Version> parse_iperf3_version(std::string_view output);
/// Nothing where iperf3 is not installed.
std::optional<Iperf3Version> find_iperf3();

/// Received bytes per second in the client's JSON report. Error: iperf3's own message.
Result<double> parse_iperf3_rate(std::string_view json);
/// Runs an iperf3 server and client on a free loopback port for `time` (whole seconds, at least 1).
/// get: the server sends (-R). Error: one of them failed; what it said.
Result<double> iperf3_rate(Direction direction, size_t streams, std::chrono::seconds time);

}  // namespace mocks3::client
