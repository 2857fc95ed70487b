#include "client/tools/s5cmd.hpp"

#include <doctest/doctest.h>

#include "tests/unit/tool_fixture.hpp"

using namespace mocks3::client;

TEST_CASE("s5cmd is found with its version, one that does not run is not") {
  FakePath path;
  path.add("s5cmd", "exit 1");
  CHECK_FALSE(s5cmd_tool().find(path.directory()));
  path.add("s5cmd", "echo v2.3.0-991c9fb");
  const auto found = s5cmd_tool().find(path.directory());
  REQUIRE(found);
  CHECK(found->version == "2.3.0-991c9fb");
}

TEST_CASE("s5cmd's wildcards never contain the directory's name") {
  const Tool tool = s5cmd_tool();
  const ToolTransfer put = sample_transfer(Direction::put);
  const ProcessSpec up = tool.command({"/bin/s5cmd", "1"}, put);
  CHECK(up.argv == std::vector<std::string>{"/bin/s5cmd", "--endpoint-url", put.endpoint.url(),
                                            "--log", "error", "cp", "*", "s3://bench/a/b/"});
  CHECK(up.directory == put.directory);
  const ProcessSpec down = tool.command({"/bin/s5cmd", "1"}, sample_transfer(Direction::get));
  CHECK(down.argv[6] == "s3://bench/a/b/*");
  CHECK(down.argv[7] == ".");
  CHECK(down.directory == put.directory);
  CHECK_FALSE(tool.one_core_each);
}
