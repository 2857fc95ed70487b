#include "client/sweep/host_cpu.hpp"

#include <doctest/doctest.h>

using namespace mocks3::client;

TEST_CASE("busy is all but idle and iowait") {
  const auto before = parse_host_cpu("cpu  100 0 50 800 40 0 5 5 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n");
  REQUIRE(before);
  CHECK(before->total == 1000);
  CHECK(before->busy == 160);
  const auto after = parse_host_cpu("cpu  150 0 75 900 60 0 5 10 0 0\n");
  REQUIRE(after);
  CHECK(busy_share(*before, *after) == doctest::Approx(80.0 / 200.0));
}

TEST_CASE("readings at the same moment are no share") {
  const HostCpu reading{10, 20};
  CHECK(busy_share(reading, reading) == 0);
  CHECK(busy_share({20, 40}, {10, 20}) == 0);
}

TEST_CASE("what is not /proc/stat is nothing") {
  CHECK_FALSE(parse_host_cpu(""));
  CHECK_FALSE(parse_host_cpu("cpu 1 2 3"));
  CHECK_FALSE(parse_host_cpu("intr 1 2 3 4 5 6 7 8"));
  CHECK_FALSE(parse_host_cpu("cpu a b c d e f g h"));
}

TEST_CASE("this machine's own figures grow") {
  const auto reading = read_host_cpu();
  REQUIRE(reading);
  CHECK(reading->total > 0);
  CHECK(reading->busy <= reading->total);
}
