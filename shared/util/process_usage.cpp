#include "shared/util/process_usage.hpp"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>

namespace mocks3 {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// Names in a directory that are numbers, as /proc has them.
std::vector<pid_t> numbered_entries(const std::string& path) {
  std::vector<pid_t> numbers;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(path.c_str()), closedir);
  if (!directory) return numbers;
  while (const dirent* entry = readdir(directory.get())) {
    const int number = std::atoi(entry->d_name);
    if (number > 0 || entry->d_name[0] == '0') numbers.push_back(number);
  }
  return numbers;
}

uint64_t rss_of(const std::string& process) {
  std::ifstream statm(fmt::format("/proc/{}/statm", process));
  uint64_t total_pages = 0;
  uint64_t resident_pages = 0;
  if (!(statm >> total_pages >> resident_pages)) return 0;
  return resident_pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

/// The largest resident size of the process so far; nothing where /proc does not say. getrusage has
/// one too, but that one starts from the memory of the process that this one was started from.
std::optional<uint64_t> peak_rss_of(const std::string& process) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  for (std::string word; status >> word;) {
    uint64_t kib = 0;
    if (word == "VmHWM:" && status >> kib) return kib * 1024;
  }
  return std::nullopt;
}

/// Children of all threads of `parent`; nothing where the kernel keeps no list of them.
std::optional<std::vector<pid_t>> listed_children(pid_t parent) {
  std::vector<pid_t> children;
  for (const pid_t thread : numbered_entries(fmt::format("/proc/{}/task", parent))) {
    std::ifstream list(fmt::format("/proc/{}/task/{}/children", parent, thread));
    if (!list && access(fmt::format("/proc/{}/task/{}", parent, thread).c_str(), F_OK) == 0) {
      return std::nullopt;
    }
    children.insert(children.end(), std::istream_iterator<pid_t>(list), {});
  }
  return children;
}

/// Parent of a process, from the 4th field of its stat; the 2nd, the name, may hold anything.
pid_t parent_of(pid_t process) {
  std::ifstream stat(fmt::format("/proc/{}/stat", process));
  std::string line;
  std::getline(stat, line, '\0');
  const size_t name_end = line.rfind(") ");
  return name_end == std::string::npos || line.size() < name_end + 4
             ? 0
             : std::atoi(line.c_str() + name_end + 4);
}

std::vector<pid_t> searched_children(pid_t parent) {
  std::vector<pid_t> children;
  for (const pid_t process : numbered_entries("/proc")) {
    if (parent_of(process) == parent) children.push_back(process);
  }
  return children;
}

}  // namespace

ProcessUsage own_usage() {
  ProcessUsage usage;
  rusage measured{};
  if (getrusage(RUSAGE_SELF, &measured) == 0) {
    usage.cpu_seconds = seconds(measured.ru_utime) + seconds(measured.ru_stime);
    usage.peak_rss_bytes = static_cast<uint64_t>(measured.ru_maxrss) * 1024;
  }
  if (const auto peak = peak_rss_of("self")) usage.peak_rss_bytes = *peak;
  usage.rss_bytes = rss_of("self");
  const size_t fds = numbered_entries("/proc/self/fd").size();
  usage.open_fds = fds == 0 ? 0 : fds - 1;  // one was open to read the directory
  return usage;
}

double thread_cpu_seconds() {
  timespec time{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

uint64_t tree_rss_bytes(pid_t root) {
  uint64_t total = 0;
  std::vector<pid_t> pending{root};
  // Processes come and go while we look; the bound ends a walk that reused ids would keep going.
  for (size_t next = 0; next < pending.size() && next < 100'000; ++next) {
    const pid_t process = pending[next];
    total += rss_of(std::to_string(process));
    const auto listed = listed_children(process);
    const auto children = listed ? *listed : searched_children(process);
    pending.insert(pending.end(), children.begin(), children.end());
  }
  return total;
}

uint64_t raise_open_file_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  const rlimit raised{limit.rlim_max, limit.rlim_max};
  return setrlimit(RLIMIT_NOFILE, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur;
}

}  // namespace mocks3
