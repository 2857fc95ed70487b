#include "client/iperf3.hpp"

#include <doctest/doctest.h>

using namespace mocks3::client;

TEST_CASE("the version of iperf3 tells whether it has threads") {
  const auto old = parse_iperf3_version("iperf 3.12 (cJSON 1.7.15)\nLinux ...\n");
  REQUIRE(old);
  CHECK(old->text == "3.12");
  CHECK_FALSE(old->has_threads());
  const auto recent = parse_iperf3_version("iperf 3.16 (cJSON 1.7.15)\n");
  REQUIRE(recent);
  CHECK(recent->has_threads());
  CHECK(parse_iperf3_version("iperf 3.1.3\n")->minor == 1);
  CHECK(parse_iperf3_version("iperf 4.0\n")->has_threads());
  for (const char* text : {"", "iperf", "iperf three", "iperf 3", "iperf3 3.12"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_iperf3_version(text));
  }
}

TEST_CASE("the rate is what the receiver got") {
  const auto rate = parse_iperf3_rate(
      R"({"end": {"sum_sent": {"bits_per_second": 99}, "sum_received": {"bits_per_second": 80}}})");
  REQUIRE(rate);
  CHECK(*rate == 10);
  const auto failed = parse_iperf3_rate(
      R"({"start": {}, "end": {}, "error": "unable to connect to server: Connection refused"})");
  REQUIRE(!failed);
  CHECK(failed.error().message == "iperf3: unable to connect to server: Connection refused");
  CHECK(!parse_iperf3_rate("").ok());
  CHECK(!parse_iperf3_rate("{\"end\": 3}").ok());
  CHECK(!parse_iperf3_rate("{\"end\": {\"sum_received\": {\"bits_per_second\": \"x\"}}}").ok());
}
