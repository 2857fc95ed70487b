#include "client/tools/rclone.hpp"

#include <doctest/doctest.h>

#include "tests/unit/tool_fixture.hpp"

using namespace mocks3::client;

TEST_CASE("rclone is found with its version") {
  FakePath path;
  CHECK_FALSE(rclone_tool().find(path.directory()));
  path.add("rclone", "echo 'rclone v1.60.1-DEV'; echo '- os/version: debian 12'");
  const auto found = rclone_tool().find(path.directory());
  REQUIRE(found);
  CHECK(found->version == "1.60.1-DEV");
}

TEST_CASE("rclone needs no file of settings and keeps its defaults") {
  const Tool tool = rclone_tool();
  const ToolTransfer put = sample_transfer(Direction::put);
  const ProcessSpec up = tool.command({"/bin/rclone", "1"}, put);
  CHECK(up.argv == std::vector<std::string>{"/bin/rclone", "copy", put.directory, ":s3:bench/a/b",
                                            "--s3-provider", "Other", "--s3-endpoint",
                                            put.endpoint.url(), "--s3-region", "eu-x-1",
                                            "--s3-env-auth"});
  CHECK(has(up.environment, "RCLONE_CONFIG=/dev/null"));
  const ProcessSpec down = tool.command({"/bin/rclone", "1"}, sample_transfer(Direction::get));
  CHECK(down.argv[2] == ":s3:bench/a/b");
  CHECK(down.argv[3] == put.directory);
}
