#include "client/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

#include "client/interrupt.hpp"

namespace mocks3::client {
namespace {

constexpr size_t kMostOutput = 16U << 20;
constexpr auto kPoll = std::chrono::milliseconds(2);
constexpr auto kGrace = std::chrono::seconds(5);

std::string read_all(int fd) {
  std::string text;
  std::array<char, 16384> block;
  while (text.size() < kMostOutput) {
    const ssize_t n = pread(fd, block.data(), block.size(), static_cast<off_t>(text.size()));
    if (n <= 0) break;
    text.append(block.data(), static_cast<size_t>(n));
  }
  return text;
}

/// Between fork and exec: only calls that are async-signal-safe. Never returns; why exec failed
/// goes to `report`.
[[noreturn]] void become(char* const* argv, int out, int err, int report, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);
  setpgid(0, 0);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  const int in = open("/dev/null", O_RDONLY);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  execvp(argv[0], argv);
  const int why = errno;
  (void)!write(report, &why, sizeof why);
  _exit(127);
}

/// errno of a failed exec; 0 where it worked, which closes the pipe.
int read_exec_failure(int fd) {
  int why = 0;
  ssize_t n;
  do n = read(fd, &why, sizeof why);
  while (n < 0 && errno == EINTR);
  return n == sizeof why ? why : 0;
}

}  // namespace

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const std::vector<std::string>& argv) {
  std::unique_ptr<ChildProcess> child(new ChildProcess);
  child->out_ = memfd_create("stdout", MFD_CLOEXEC);
  child->err_ = memfd_create("stderr", MFD_CLOEXEC);
  int report[2];
  if (child->out_ < 0 || child->err_ < 0 || pipe2(report, O_CLOEXEC) != 0)
    return Error{"cannot run " + argv[0] + ": " + std::strerror(errno)};
  std::vector<char*> pointers;
  for (const std::string& argument : argv) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  const pid_t parent = getpid();
  child->pid_ = fork();
  if (child->pid_ == 0) become(pointers.data(), child->out_, child->err_, report[1], parent);
  const int fork_error = child->pid_ < 0 ? errno : 0;
  close(report[1]);
  const int why = fork_error != 0 ? fork_error : read_exec_failure(report[0]);
  close(report[0]);
  if (why != 0) return Error{"cannot run " + argv[0] + ": " + std::strerror(why)};
  return child;
}

ChildProcess::~ChildProcess() {
  stop();
  if (out_ >= 0) close(out_);
  if (err_ >= 0) close(err_);
}

std::string ChildProcess::output() const { return read_all(out_); }
std::string ChildProcess::error_output() const { return read_all(err_); }

std::optional<int> ChildProcess::exit_status() {
  if (status_ || pid_ <= 0) return status_;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) == pid_)
    status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return status_;
}

std::optional<int> ChildProcess::wait(std::chrono::milliseconds most) {
  const auto end = std::chrono::steady_clock::now() + most;
  while (!exit_status() && !interrupted() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(kPoll);
  return exit_status();
}

void ChildProcess::stop() {
  if (pid_ <= 0 || exit_status()) return;
  kill(pid_, SIGTERM);
  const auto end = std::chrono::steady_clock::now() + kGrace;
  while (!exit_status() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(kPoll);
  if (exit_status()) return;
  kill(pid_, SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
  status_ = 128 + SIGKILL;
}

}  // namespace mocks3::client
