#include "shared/util/provenance.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>

#include "shared/util/version.hpp"

using namespace mocks3;

namespace {

std::string redacted(std::vector<const char*> argv) {
  return redacted_command_line(static_cast<int>(argv.size()), argv.data());
}

}  // namespace

TEST_CASE("collect_provenance: every fact, in order, with a value of one line") {
  const Provenance facts = collect_provenance();
  std::vector<std::string> names;
  for (const auto& fact : facts) {
    CAPTURE(fact.first);
    names.push_back(fact.first);
    CHECK_FALSE(fact.second.empty());
    CHECK(fact.second.find('\n') == std::string::npos);
  }
  CHECK(names == std::vector<std::string>{"date", "version", "compiler", "build_flags", "os",
                                          "kernel", "cpu", "cores", "governor", "tcp", "memory",
                                          "hostname"});
  CHECK(facts[0].second.size() == std::string_view("2026-01-02T03:04:05.000Z").size());
  CHECK(facts[1].second == version());
  CHECK(facts[2].second == compiler());
  CHECK(std::stoi(facts[7].second) >= 1);
  CHECK(facts[10].second.ends_with("iB"));
  char host[256] = "";
  REQUIRE(gethostname(host, sizeof host) == 0);
  CHECK(facts[11].second == host);
}

TEST_CASE("shell_quote: what a POSIX shell reads back") {
  CHECK(shell_quote("plain-1.0_x/y=z:a@b%c+d,e") == "plain-1.0_x/y=z:a@b%c+d,e");
  CHECK(shell_quote("") == "''");
  CHECK(shell_quote("a b") == "'a b'");
  CHECK(shell_quote("$HOME") == "'$HOME'");
  CHECK(shell_quote("~") == "'~'");
  CHECK(shell_quote("it's") == "'it'\\''s'");
  CHECK(shell_quote("\xc3\xa9") == "'\xc3\xa9'");
}

TEST_CASE("redacted_command_line: secrets in either form are hidden, nothing else is") {
  CHECK(redacted({"mock-s3", "--port", "8080"}) == "mock-s3 --port 8080");
  CHECK(redacted({"mock-s3", "--secret-key", "hunter2", "--port", "1"}) ==
        "mock-s3 --secret-key '***' --port 1");
  CHECK(redacted({"mock-s3", "--access-key=AKIA", "--admin-token=t=u"}) ==
        "mock-s3 '--access-key=***' '--admin-token=***'");
  CHECK(redacted({"x", "--secret-key", "--port"}) == "x --secret-key '***'");
  CHECK(redacted({"x", "--admin-token"}) == "x --admin-token");
  CHECK(redacted({"x", "token", "a b"}) == "x token 'a b'");
  CHECK(redacted({}) == "");
}
