#include "client/tools/aws_cli.hpp"

#include <doctest/doctest.h>

#include "tests/unit/tool_fixture.hpp"

using namespace mocks3::client;

TEST_CASE("aws-cli is found with its version, another program called aws is not") {
  FakePath other, real;
  other.add("aws", "echo something else");
  real.add("aws", "echo aws-cli/2.15.0 Python/3.11");
  const auto found = aws_cli_tool().find(other.directory() + ":" + real.directory());
  REQUIRE(found);
  CHECK(found->path == real.directory() + "/aws");
  CHECK(found->version == "2.15.0");
  CHECK_FALSE(aws_cli_tool().find(other.directory()));
}

TEST_CASE("aws-cli copies a directory each way with its defaults") {
  const Tool tool = aws_cli_tool();
  const ToolTransfer put = sample_transfer(Direction::put);
  CHECK(tool.command({"/bin/aws", "1"}, put).argv ==
        std::vector<std::string>{"/bin/aws", "s3", "cp", put.directory, "s3://bench/a/b/",
                                 "--recursive", "--only-show-errors", "--endpoint-url",
                                 put.endpoint.url()});
  const auto get = tool.command({"/bin/aws", "1"}, sample_transfer(Direction::get));
  CHECK(get.argv[3] == "s3://bench/a/b/");
  CHECK(get.argv[4] == put.directory);
  CHECK(has(get.environment, "AWS_CONFIG_FILE=/dev/null"));
  CHECK(tool.one_core_each);
}
