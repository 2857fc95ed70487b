#include "client/tools/tool.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/unit/tool_fixture.hpp"

using namespace mocks3::client;

TEST_CASE("every adapter is found by its name") {
  for (const char* name : {"aws-cli", "boto3", "rclone", "s5cmd"}) {
    REQUIRE(tool_named(name) != nullptr);
    CHECK(tool_named(name)->name == name);
  }
  CHECK(tool_named("native") == nullptr);
  CHECK(tool_named("") == nullptr);
}

TEST_CASE("executables on a search path, in its order") {
  FakePath first, second;
  first.add("tool", "exit 0");
  second.add("tool", "exit 0");
  std::ofstream(second.directory() + "/plain") << "no program";
  std::filesystem::create_directory(second.directory() + "/folder");
  const std::string path = "/nonexistent:" + second.directory() + ":" + first.directory();
  CHECK(executables_on_path("tool", path) ==
        std::vector<std::string>{second.directory() + "/tool", first.directory() + "/tool"});
  CHECK(executables_on_path("plain", path).empty());
  CHECK(executables_on_path("folder", path).empty());
  CHECK(executables_on_path("tool", "").empty());
}

TEST_CASE("versions as tools print them") {
  CHECK(version_in("aws-cli/1.45.11 Python/3.11.7 Linux/6.1") == "1.45.11");
  CHECK(version_in("rclone v1.60.1-DEV\n- os/version: debian 12") == "1.60.1-DEV");
  CHECK(version_in("v2.3.0-991c9fb") == "2.3.0-991c9fb");
  CHECK(version_in("no number here") == "");
  CHECK(version_in("") == "");
}

TEST_CASE("a program's output, where it succeeds") {
  CHECK(output_of({"/bin/echo", "x"}) == "x\n");
  CHECK(output_of({"/bin/sh", "-c", "echo y >&2"}) == "y\n");
  CHECK_FALSE(output_of({"/bin/false"}));
  CHECK_FALSE(output_of({"/nonexistent/program"}));
}

TEST_CASE("tools see the keys and region, and neither profiles nor proxies") {
  setenv("HTTP_PROXY", "http://proxy.invalid", 1);
  setenv("AWS_PROFILE", "someone", 1);
  setenv("AWS_ENDPOINT_URL", "http://elsewhere.invalid", 1);
  const auto environment = tool_environment(sample_transfer(Direction::put).endpoint);
  unsetenv("HTTP_PROXY");
  unsetenv("AWS_PROFILE");
  unsetenv("AWS_ENDPOINT_URL");
  for (const char* wanted :
       {"AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret", "AWS_REGION=eu-x-1",
        "AWS_CONFIG_FILE=/dev/null", "AWS_SHARED_CREDENTIALS_FILE=/dev/null",
        "AWS_EC2_METADATA_DISABLED=true"}) {
    CAPTURE(wanted);
    CHECK(has(environment, wanted));
  }
  CHECK(has(environment, std::string("PATH=") + std::getenv("PATH")));
  for (const std::string& variable : environment) {
    CHECK(variable.find("proxy") == std::string::npos);
    CHECK(variable.find("someone") == std::string::npos);
    CHECK(variable.find("elsewhere") == std::string::npos);
    CHECK(variable.rfind("AWS_SESSION_TOKEN=", 0) == std::string::npos);
  }
}
