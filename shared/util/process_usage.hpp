#pragma once
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "shared/util/result.hpp"

namespace mocks3 {

/// What a process has used so far, from /proc and getrusage.
struct ProcessUsage {
  double cpu_seconds = 0;  ///< user + system, all threads
  uint64_t rss_bytes = 0;  ///< resident now
  uint64_t peak_rss_bytes = 0;
  uint64_t open_fds = 0;
};

/// Of the calling process.
ProcessUsage own_usage();
/// CPU seconds of the calling thread.
double thread_cpu_seconds();

/// Resident bytes, now, of `root` and all its living descendants; 0 where it is gone.
uint64_t tree_rss_bytes(pid_t root);

/// Raises the soft limit of open files to the hard limit; gives the limit in force.
uint64_t raise_open_file_limit();

}  // namespace mocks3
