#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "shared/util/result.hpp"

namespace mocks3::client {

/// A program to run: no shell, no variable that is not named here.
struct ProcessSpec {
  std::vector<std::string> argv;         ///< argv[0] is a path
  std::vector<std::string> environment;  ///< "NAME=value"
  std::string directory;                 ///< working directory; empty: the caller's
};

struct ProcessResult {
  int status = 0;                    ///< exit status, or 128 + the signal that ended it
  std::string output, error_output;  ///< the last 8 KiB of each
  double cpu_seconds = 0;       ///< user + system, of the process and all descendants it waited for
  uint64_t peak_rss_bytes = 0;  ///< of the largest process of its tree
};

/// What processes that were started together used.
struct GroupResult {
  std::vector<ProcessResult> processes;  ///< in the order of the specs
  double wall_seconds = 0;               ///< first start to last end
  double cpu_seconds = 0;
  uint64_t peak_rss_bytes = 0;  ///< of all trees together, sampled every 50 ms
  bool timed_out = false, stopped = false;

  bool succeeded() const;
};

struct RunLimits {
  std::chrono::nanoseconds timeout = std::chrono::seconds(600);
  /// Asked every 50 ms; true ends the processes.
  std::function<bool()> stop = [] { return false; };
};

/// Starts the processes together, each in its own process group with stdin from /dev/null, and
/// waits for all. Nothing of them is left behind: what is still there at the end, after the timeout
/// or a stop gets SIGTERM and, 2 s later, SIGKILL; a killed caller takes them along.
/// Call from the main thread. Error: one of them cannot be started (then none runs on).
Result<GroupResult> run_processes(const std::vector<ProcessSpec>& specs,
                                  const RunLimits& limits = {});

}  // namespace mocks3::client
