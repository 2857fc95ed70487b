#include "client/tools/process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "client/tools/running_process.hpp"

namespace mocks3::client {
namespace {

using Clock = std::chrono::steady_clock;
using Processes = std::vector<std::unique_ptr<RunningProcess>>;

constexpr auto kSampleEvery = std::chrono::milliseconds(50);
constexpr auto kKillAfter = std::chrono::seconds(2);

Result<Processes> start_all(const std::vector<ProcessSpec>& specs) {
  Processes processes;
  for (const ProcessSpec& spec : specs) {
    auto started = RunningProcess::start(spec);
    if (!started) return started.error();  // the destructors end those that run
    processes.push_back(std::move(started).value());
  }
  return processes;
}

bool all_ended(const Processes& processes) {
  return std::all_of(processes.begin(), processes.end(),
                     [](const auto& process) { return process->ended(); });
}

/// Waits until there is output, an end, or it is time for the next sample; takes what there is.
void wait_for_news(Processes& processes) {
  std::vector<pollfd> descriptors;
  for (const auto& process : processes) process->add_descriptors(descriptors);
  poll(descriptors.data(), descriptors.size(), static_cast<int>(kSampleEvery.count()));
  for (const auto& process : processes) process->collect();
}

/// Ends what runs: politely first, by force when that took too long.
class Terminator {
 public:
  bool begun() const { return begun_; }
  void begin(Processes& processes) {
    begun_ = true;
    force_at_ = Clock::now() + kKillAfter;
    signal_all(processes, SIGTERM);
  }
  void check(Processes& processes) {
    if (!begun_ || forced_ || Clock::now() < force_at_) return;
    forced_ = true;
    signal_all(processes, SIGKILL);
  }

 private:
  static void signal_all(Processes& processes, int signal) {
    for (const auto& process : processes) process->signal_group(signal);
  }

  bool begun_ = false, forced_ = false;
  Clock::time_point force_at_;
};

/// Watches the processes until the last one ended.
void watch(Processes& processes, const RunLimits& limits, Clock::time_point start,
           GroupResult& result) {
  Terminator terminator;
  Clock::time_point next_sample = start;
  while (!all_ended(processes)) {
    if (Clock::now() >= next_sample) {
      uint64_t rss = 0;
      for (const auto& process : processes) rss += process->rss_bytes();
      result.peak_rss_bytes = std::max(result.peak_rss_bytes, rss);
      next_sample = Clock::now() + kSampleEvery;
    }
    if (!terminator.begun()) {
      result.stopped = limits.stop();
      result.timed_out = !result.stopped && Clock::now() - start >= limits.timeout;
      if (result.stopped || result.timed_out) terminator.begin(processes);
    }
    terminator.check(processes);
    wait_for_news(processes);
  }
}

}  // namespace

bool GroupResult::succeeded() const {
  return !timed_out && !stopped &&
         std::all_of(processes.begin(), processes.end(),
                     [](const ProcessResult& process) { return process.status == 0; });
}

Result<GroupResult> run_processes(const std::vector<ProcessSpec>& specs, const RunLimits& limits) {
  const auto start = Clock::now();
  auto processes = start_all(specs);
  if (!processes) return processes.error();
  GroupResult result;
  watch(*processes, limits, start, result);
  result.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  for (const auto& process : *processes) {
    result.processes.push_back(process->result());
    result.cpu_seconds += process->result().cpu_seconds;
    result.peak_rss_bytes = std::max(result.peak_rss_bytes, process->result().peak_rss_bytes);
  }
  return result;
}

}  // namespace mocks3::client
