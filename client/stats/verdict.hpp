#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

namespace mocks3::client {

/// What held a row back.
enum class Verdict {
  path,                 ///< at least 0.9 of the raw ceiling: the client fills the path
  client_cpu,           ///< the client uses all the CPU that it can
  server_cpu,           ///< a server worker is busy all the time, the client is not
  host_cpu,             ///< all cores of this machine are busy, by client and server together
  noisy,                ///< the repeats differ by more than 30 %: nothing else can be said
  latency_concurrency,  ///< nobody is busy: waiting, or too few requests at a time
};
std::string_view verdict_text(Verdict verdict);

/// What was seen while a row ran; shares are 0 to 1.
struct VerdictFacts {
  double ceiling_ratio = 0;  ///< rate / raw ceiling; 0: not measured
  double spread = 0;         ///< (high - low) / median of the rates
  double client_cores = 0;   ///< CPU seconds per second of wall time
  /// Most cores that the client can keep busy: threads of the native client, processes of a tool
  /// that runs one thread at a time, all cores for others.
  double client_core_limit = 1;
  size_t host_cores = 1;
  std::optional<double> host_busy;      ///< share of this machine's CPU that was not idle
  std::optional<double> server_worker;  ///< share of the time that the busiest worker was busy
};

/// A pure function; the first that holds of: noisy, path, server CPU, client CPU, host CPU; else
/// latency/concurrency.
Verdict judge(const VerdictFacts& facts);

}  // namespace mocks3::client
