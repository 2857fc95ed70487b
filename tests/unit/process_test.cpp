#include "client/tools/process.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

using namespace mocks3::client;

namespace {

/// A small POSIX shell script as a program under test; the product itself never uses a shell.
ProcessSpec script(const std::string& text) {
  return {{"/bin/sh", "-c", text}, {"PATH=/usr/bin:/bin"}, ""};
}

GroupResult run(const std::vector<ProcessSpec>& specs, const RunLimits& limits = {}) {
  auto result = run_processes(specs, limits);
  REQUIRE(result);
  return std::move(result).value();
}

}  // namespace

TEST_CASE("status, output and error output") {
  const GroupResult result = run({script("echo out; echo err >&2; exit 3")});
  REQUIRE(result.processes.size() == 1);
  CHECK(result.processes[0].status == 3);
  CHECK(result.processes[0].output == "out\n");
  CHECK(result.processes[0].error_output == "err\n");
  CHECK_FALSE(result.succeeded());
}

TEST_CASE("arguments are not read by a shell and the environment is the given one") {
  const GroupResult result = run({{{"/usr/bin/printf", "%s|", "$HOME", "a b", "*"}, {}, ""},
                                  {{"/usr/bin/env"}, {"ONLY=this one"}, ""}});
  CHECK(result.processes[0].output == "$HOME|a b|*|");
  CHECK(result.processes[1].output == "ONLY=this one\n");
  CHECK(result.succeeded());
}

TEST_CASE("working directory and empty standard input") {
  ProcessSpec spec = script("pwd; cat; echo end");
  spec.directory = "/usr";
  CHECK(run({spec}).processes[0].output == "/usr\nend\n");
}

TEST_CASE("only the last 8 KiB of output are kept, and it never blocks the process") {
  const GroupResult result =
      run({script("i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done; echo last")});
  const std::string& output = result.processes[0].output;
  CHECK(output.size() == 8192);
  CHECK(output.substr(output.size() - 5) == "last\n");
}

TEST_CASE("processes run side by side") {
  const GroupResult result = run({script("sleep 0.4"), script("sleep 0.4"), script("sleep 0.4")});
  CHECK(result.processes.size() == 3);
  CHECK(result.wall_seconds >= 0.4);
  CHECK(result.wall_seconds < 1.0);
}

TEST_CASE("CPU time of the whole tree is counted") {
  const char* burn = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
  const GroupResult result = run({script(std::string("(") + burn + "); (" + burn + ")")});
  CHECK(result.cpu_seconds > 0.05);
  CHECK(result.processes[0].peak_rss_bytes > 100'000);
  CHECK(result.peak_rss_bytes >= result.processes[0].peak_rss_bytes);
}

TEST_CASE("a timeout ends the whole group, also what ignores SIGTERM") {
  RunLimits limits;
  limits.timeout = std::chrono::milliseconds(200);
  const GroupResult result =
      run({script("trap '' TERM; sh -c \"trap '' TERM; sleep 60\" & wait; sleep 60")}, limits);
  CHECK(result.timed_out);
  CHECK_FALSE(result.succeeded());
  CHECK(result.processes[0].status == 128 + SIGKILL);
  CHECK(result.wall_seconds < 10);
}

TEST_CASE("stop ends the processes") {
  RunLimits limits;
  limits.stop = [] { return true; };
  const GroupResult result = run({script("sleep 60"), script("sleep 60")}, limits);
  CHECK(result.stopped);
  CHECK(result.processes[0].status == 128 + SIGTERM);
  CHECK(result.wall_seconds < 5);
}

TEST_CASE("a descendant that outlives its parent is ended and does not hold the run up") {
  const GroupResult result = run({script("sleep 60 & echo $!")});
  CHECK(result.succeeded());
  CHECK(result.wall_seconds < 5);
  const pid_t left = std::stoi(result.processes[0].output);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (kill(left, 0) == 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  // Gone, or a zombie that waits for the machine's first process.
  std::string state_path = "/proc/" + std::to_string(left) + "/stat";
  if (std::FILE* file = std::fopen(state_path.c_str(), "r")) {
    char text[256] = {};
    CHECK(std::fgets(text, sizeof text, file) != nullptr);
    CHECK(std::string(text).find(") Z ") != std::string::npos);
    std::fclose(file);
  }
}

TEST_CASE("what cannot be started is an error and takes the others down") {
  const auto started = std::chrono::steady_clock::now();
  const auto missing = run_processes({script("sleep 60"), {{"/nonexistent/tool"}, {}, ""}});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message == "cannot run /nonexistent/tool: No such file or directory");
  CHECK(std::chrono::steady_clock::now() - started < std::chrono::seconds(5));
  ProcessSpec nowhere = script("true");
  nowhere.directory = "/nonexistent";
  CHECK_FALSE(run_processes({nowhere}));
}
