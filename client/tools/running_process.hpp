#pragma once
#include <poll.h>
#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "client/tools/process.hpp"

namespace mocks3::client {

/// One process of run_processes(). Its destructor ends the process group by force.
class RunningProcess {
 public:
  static Result<std::unique_ptr<RunningProcess>> start(const ProcessSpec& spec);
  ~RunningProcess();
  RunningProcess(const RunningProcess&) = delete;
  RunningProcess& operator=(const RunningProcess&) = delete;

  bool ended() const { return ended_; }
  /// Its output, error output and end, for poll(); nothing where it has ended.
  void add_descriptors(std::vector<pollfd>& descriptors) const;
  /// Reads what is there and notices the end; never blocks.
  void collect();
  void signal_group(int signal);
  uint64_t rss_bytes() const;
  /// REQUIRES ended().
  const ProcessResult& result() const { return result_; }

 private:
  RunningProcess() = default;
  void reap();

  pid_t pid_ = -1;
  int end_fd_ = -1;  ///< readable once the process has ended
  int out_fd_ = -1, err_fd_ = -1;
  bool ended_ = false;
  ProcessResult result_;
};

}  // namespace mocks3::client
