#include "client/tools/running_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "shared/util/process_usage.hpp"

namespace mocks3::client {
namespace {

constexpr size_t kTailBytes = 8192;

struct Pipe {
  int read_end = -1, write_end = -1;

  bool open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    read_end = ends[0];
    write_end = ends[1];
    return true;
  }
  void close_write() {
    if (write_end >= 0) ::close(write_end);
    write_end = -1;
  }
  ~Pipe() {
    close_write();
    if (read_end >= 0) ::close(read_end);
  }
  int take_read() {
    fcntl(read_end, F_SETFL, O_NONBLOCK);
    return std::exchange(read_end, -1);
  }
};

std::vector<char*> pointers_to(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& text : strings) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Everything that the child needs, made before fork(): after it only async-signal-safe calls.
struct ChildPlan {
  char* const* argv;
  char* const* environment;
  const char* directory;  ///< nullptr: stay
  int out, err, report;
  pid_t parent;
};

void reset_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT}) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Becomes the program, or writes errno to `report` and ends.
[[noreturn]] void become(const ChildPlan& plan) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan.parent) _exit(127);
  setpgid(0, 0);
  reset_signals();
  const int in = open("/dev/null", O_RDONLY);
  const bool ready = in >= 0 && dup2(in, STDIN_FILENO) >= 0 && dup2(plan.out, STDOUT_FILENO) >= 0 &&
                     dup2(plan.err, STDERR_FILENO) >= 0 &&
                     (plan.directory == nullptr || chdir(plan.directory) == 0);
  if (ready) execve(plan.argv[0], plan.argv, plan.environment);
  const int why = errno;
  (void)!write(plan.report, &why, sizeof why);
  _exit(127);
}

/// errno of what went wrong before the program ran; 0 where it runs, which closes the pipe.
int read_start_failure(int fd) {
  int why = 0;
  ssize_t n = 0;
  do {
    n = read(fd, &why, sizeof why);
  } while (n < 0 && errno == EINTR);
  return n == static_cast<ssize_t>(sizeof why) ? why : 0;
}

void keep_tail(std::string& tail, std::string_view more) {
  tail += more;
  if (tail.size() > kTailBytes) tail.erase(0, tail.size() - kTailBytes);
}

/// Takes what can be read now; closes the descriptor at its end.
void drain(int& fd, std::string& tail) {
  std::array<char, 16384> block;
  while (fd >= 0) {
    const ssize_t n = read(fd, block.data(), block.size());
    if (n > 0) {
      keep_tail(tail, {block.data(), static_cast<size_t>(n)});
    } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
      close(std::exchange(fd, -1));
    } else if (errno == EAGAIN) {
      return;
    }
  }
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

Error start_error(const ProcessSpec& spec, int why) {
  return Error{fmt::format("cannot run {}: {}", spec.argv[0], std::strerror(why))};
}

}  // namespace

Result<std::unique_ptr<RunningProcess>> RunningProcess::start(const ProcessSpec& spec) {
  Pipe out, err, report;
  if (!out.open() || !err.open() || !report.open()) return start_error(spec, errno);
  const std::vector<char*> argv = pointers_to(spec.argv);
  const std::vector<char*> environment = pointers_to(spec.environment);
  const ChildPlan plan{
      argv.data(),   environment.data(), spec.directory.empty() ? nullptr : spec.directory.c_str(),
      out.write_end, err.write_end,      report.write_end,
      getpid()};
  std::unique_ptr<RunningProcess> process(new RunningProcess);
  process->pid_ = fork();
  if (process->pid_ == 0) become(plan);
  if (process->pid_ < 0) return start_error(spec, errno);
  setpgid(process->pid_, process->pid_);  // also here: the group exists before anyone signals it
  process->end_fd_ = static_cast<int>(syscall(SYS_pidfd_open, process->pid_, 0));
  process->out_fd_ = out.take_read();
  process->err_fd_ = err.take_read();
  report.close_write();
  if (const int why = read_start_failure(report.read_end); why != 0) return start_error(spec, why);
  return process;
}

RunningProcess::~RunningProcess() {
  if (pid_ > 0 && !ended_) {
    signal_group(SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
  }
  for (const int fd : {end_fd_, out_fd_, err_fd_}) {
    if (fd >= 0) close(fd);
  }
}

void RunningProcess::add_descriptors(std::vector<pollfd>& descriptors) const {
  if (ended_) return;
  for (const int fd : {end_fd_, out_fd_, err_fd_}) {
    if (fd >= 0) descriptors.push_back({fd, POLLIN, 0});
  }
}

void RunningProcess::collect() {
  if (ended_) return;
  // The end is looked for first: what was written before it is then in the pipes.
  siginfo_t info{};
  const bool over =
      waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
      info.si_pid == pid_;
  drain(out_fd_, result_.output);
  drain(err_fd_, result_.error_output);
  if (over) reap();
}

void RunningProcess::reap() {
  // Descendants that outlived the process; before reaping, so that the group id is still its own.
  signal_group(SIGKILL);
  int status = 0;
  rusage usage{};
  while (wait4(pid_, &status, 0, &usage) < 0 && errno == EINTR) continue;
  result_.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result_.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  result_.peak_rss_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
  ended_ = true;
}

void RunningProcess::signal_group(int signal) {
  if (!ended_ && pid_ > 0) kill(-pid_, signal);
}

uint64_t RunningProcess::rss_bytes() const { return ended_ ? 0 : tree_rss_bytes(pid_); }

}  // namespace mocks3::client
