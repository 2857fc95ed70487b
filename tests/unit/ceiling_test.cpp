#include "client/ceiling.hpp"

#include <doctest/doctest.h>

using namespace mocks3::client;

TEST_CASE("a raw socket pair moves bytes in both directions") {
  for (const Direction direction : {Direction::put, Direction::get}) {
    for (const size_t streams : {size_t{1}, size_t{3}}) {
      const auto rate = raw_ceiling(direction, streams, std::chrono::milliseconds(100));
      REQUIRE(rate);
      CHECK(*rate > 1e6);
      CHECK(*rate < 1e12);
    }
  }
}
