#include "client/tools/boto3.hpp"

#include <doctest/doctest.h>

#include "tests/unit/tool_fixture.hpp"

using namespace mocks3::client;

TEST_CASE("the first python3 that can import boto3 is taken, by its true path") {
  FakePath without, with;
  without.add("python3", "echo 'No module named boto3' >&2; exit 1");
  with.add("python3", "echo /opt/real/python3; echo 1.43.11");
  const auto found = boto3_tool().find(without.directory() + ":" + with.directory());
  REQUIRE(found);
  CHECK(found->path == "/opt/real/python3");
  CHECK(found->version == "1.43.11");
  CHECK_FALSE(boto3_tool().find(without.directory()));
}

TEST_CASE("boto3 runs the script inside the program") {
  const Tool tool = boto3_tool();
  const ToolTransfer put = sample_transfer(Direction::put);
  const ProcessSpec up = tool.command({"/bin/python3", "1"}, put);
  REQUIRE(up.argv.size() == 8);
  CHECK(up.argv[1] == "-c");
  CHECK(up.argv[2].find("client.upload_file(") != std::string::npos);
  CHECK(up.argv[2].find("download_file(") != std::string::npos);
  CHECK(std::vector<std::string>(up.argv.begin() + 3, up.argv.end()) ==
        std::vector<std::string>{"put", put.endpoint.url(), "bench", "a/b/", put.directory});
  CHECK(tool.command({"/bin/python3", "1"}, sample_transfer(Direction::get)).argv[3] == "get");
}
