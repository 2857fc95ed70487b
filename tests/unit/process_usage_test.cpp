#include "shared/util/process_usage.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

using namespace mocks3;

namespace {

void burn_cpu(double seconds) {
  const double start = thread_cpu_seconds();
  while (thread_cpu_seconds() - start < seconds) continue;
}

/// Makes `bytes` of memory resident and keeps them until killed, a minute at most.
[[noreturn]] void hold_memory(size_t bytes, int ready_fd) {
  std::vector<char> memory(bytes, 'x');
  if (write(ready_fd, memory.data(), 1) != 1) _exit(1);
  sleep(60);
  _exit(0);
}

}  // namespace

TEST_CASE("own_usage: CPU time, memory and descriptors are those used") {
  const ProcessUsage before = own_usage();
  burn_cpu(0.05);
  std::vector<char> memory(32 << 20, 'x');
  const int fd = open("/dev/null", O_RDONLY);
  REQUIRE(fd >= 0);
  const ProcessUsage after = own_usage();
  close(fd);
  CHECK(after.cpu_seconds - before.cpu_seconds >= 0.045);
  CHECK(after.cpu_seconds - before.cpu_seconds < 5);
  CHECK(after.rss_bytes >= before.rss_bytes + memory.size() * 9 / 10);
  CHECK(after.peak_rss_bytes >= memory.size());
  CHECK(after.open_fds == before.open_fds + 1);
  CHECK(own_usage().open_fds == before.open_fds);
}

TEST_CASE("thread_cpu_seconds: counts its own thread alone") {
  const double before = thread_cpu_seconds();
  std::thread(burn_cpu, 0.05).join();
  CHECK(thread_cpu_seconds() - before < 0.04);
}

TEST_CASE("tree_rss_bytes: adds up children and grandchildren") {
  constexpr size_t kHeld = 24 << 20;
  int ready[2];
  REQUIRE(pipe(ready) == 0);
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);  // one signal ends both
    if (fork() == 0) hold_memory(kHeld, ready[1]);
    hold_memory(kHeld, ready[1]);
  }
  char byte = 0;
  REQUIRE(read(ready[0], &byte, 1) == 1);
  REQUIRE(read(ready[0], &byte, 1) == 1);
  CHECK(tree_rss_bytes(child) >= 2 * kHeld);
  CHECK(tree_rss_bytes(getpid()) >= tree_rss_bytes(child));
  kill(-child, SIGKILL);
  waitpid(child, nullptr, 0);
  CHECK(tree_rss_bytes(child) == 0);
  close(ready[0]);
  close(ready[1]);
}

TEST_CASE("raise_open_file_limit: soft becomes hard") {
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit lowered{64, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_NOFILE, &lowered) == 0);
  CHECK(raise_open_file_limit() == before.rlim_max);
  rlimit after{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &after) == 0);
  CHECK(after.rlim_cur == before.rlim_max);
  setrlimit(RLIMIT_NOFILE, &before);
}
