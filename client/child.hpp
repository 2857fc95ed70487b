#pragma once
#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shared/util/result.hpp"

namespace mocks3::client {

/// A helper process that lives no longer than this object, nor than the calling thread (the kernel
/// ends it with SIGTERM then: start it from the main thread). Its output goes to memory, so that it
/// never blocks on it; it has its own process group, so that Ctrl-C reaches only this program.
class ChildProcess {
 public:
  /// Runs argv[0] (a path, or a name on PATH) with stdin from /dev/null; no shell.
  /// Error: it cannot be run.
  static Result<std::unique_ptr<ChildProcess>> start(const std::vector<std::string>& argv);
  /// SIGTERM, and SIGKILL where that does not end it within 5 s.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  /// What it wrote to stdout; at most the first 16 MiB.
  std::string output() const;
  /// What it wrote to stderr; at most the first 16 MiB.
  std::string error_output() const;
  /// Exit status (128 + signal where it was killed) once it has ended; does not wait.
  std::optional<int> exit_status();
  /// Waits at most that long for its end. An interrupt ends the waiting too.
  std::optional<int> wait(std::chrono::milliseconds most);
  void stop();

 private:
  ChildProcess() = default;
  pid_t pid_ = -1;
  int out_ = -1, err_ = -1;
  std::optional<int> status_;
};

}  // namespace mocks3::client
