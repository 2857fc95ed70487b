#include "client/child.hpp"

#include <doctest/doctest.h>
#include <signal.h>

using namespace mocks3::client;
using std::chrono::seconds;

TEST_CASE("a child's output and status are kept") {
  const auto child =
      ChildProcess::start({"sh", "-c", "echo out; echo err >&2; cat; exit 3"});  // stdin is empty
  REQUIRE(child);
  CHECK((*child)->wait(seconds(10)) == 3);
  CHECK((*child)->output() == "out\n");
  CHECK((*child)->error_output() == "err\n");
}

TEST_CASE("arguments reach the child as they are") {
  const auto child = ChildProcess::start({"printf", "%s|", "a b", "$HOME", "'", ""});
  REQUIRE(child);
  CHECK((*child)->wait(seconds(10)) == 0);
  CHECK((*child)->output() == "a b|$HOME|'||");
}

TEST_CASE("much output does not block the child") {
  const auto child = ChildProcess::start({"head", "-c", "3000000", "/dev/zero"});
  REQUIRE(child);
  CHECK((*child)->wait(seconds(10)) == 0);
  CHECK((*child)->output().size() == 3000000);
}

TEST_CASE("a program that cannot be run is an error") {
  const auto missing = ChildProcess::start({"no-such-program-anywhere"});
  REQUIRE(!missing);
  CHECK(missing.error().message.find("no-such-program-anywhere") != std::string::npos);
  CHECK(!ChildProcess::start({"/etc/passwd"}).ok());
}

TEST_CASE("a child ends with its object") {
  pid_t pid = 0;
  {
    const auto child = ChildProcess::start({"sleep", "100"});
    REQUIRE(child);
    pid = (*child)->pid();
    CHECK_FALSE((*child)->exit_status());
    CHECK_FALSE((*child)->wait(std::chrono::milliseconds(10)));
    CHECK(kill(pid, 0) == 0);
  }
  CHECK(kill(pid, 0) == -1);
}

TEST_CASE("a killed child says so") {
  const auto child = ChildProcess::start({"sleep", "100"});
  REQUIRE(child);
  (*child)->stop();
  CHECK((*child)->exit_status() == 128 + SIGTERM);
}
