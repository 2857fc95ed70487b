#include "client/stats/summary.hpp"

#include <doctest/doctest.h>

#include <numeric>

using namespace mocks3::client;

TEST_CASE("the median of odd, even and no values") {
  CHECK(median({3, 1, 2}) == 2);
  CHECK(median({4, 1, 3, 2}) == 2.5);
  CHECK(median({7}) == 7);
  CHECK(median({}) == 0);
}

TEST_CASE("fewer than 6 values give smallest and largest") {
  const Summary summary = summarize({50, 10, 30, 20, 40});
  CHECK(summary.median == 30);
  CHECK(summary.low == 10);
  CHECK(summary.high == 50);
  CHECK(summary.n == 5);
}

TEST_CASE("one value has no width, no value is all zero") {
  const Summary one = summarize({5});
  CHECK(one.low == 5);
  CHECK(one.high == 5);
  CHECK(spread(one) == 0);
  const Summary none = summarize({});
  CHECK(none.n == 0);
  CHECK(spread(none) == 0);
}

// Ranks of the 95 % interval of the median as in published tables of the sign test (one-sided
// rank, from 1): n=6: 1, n=8: 1, n=9: 2, n=12: 3, n=20: 6, n=100: 40.
TEST_CASE("the interval's order statistics are those of the sign test") {
  const std::vector<std::pair<size_t, size_t>> ranks = {
      {6, 1}, {8, 1}, {9, 2}, {11, 2}, {12, 3}, {20, 6}, {25, 8}, {50, 18}, {100, 40}};
  for (const auto& entry : ranks) {
    const size_t n = entry.first, rank = entry.second;
    CAPTURE(n);
    std::vector<double> values(n);
    std::iota(values.begin(), values.end(), 1.0);
    const Summary summary = summarize(values);
    CHECK(summary.low == static_cast<double>(rank));
    CHECK(summary.high == static_cast<double>(n + 1 - rank));
  }
}

TEST_CASE("many values do not underflow") {
  std::vector<double> values(5000);
  std::iota(values.begin(), values.end(), 1.0);
  const Summary summary = summarize(values);
  // Normal approximation: 2500 +- 1.96 * sqrt(5000) / 2 = 2500 +- 69.
  CHECK(summary.low > 2425);
  CHECK(summary.low < 2437);
  CHECK(summary.high < 2576);
}

TEST_CASE("spread is relative to the median") {
  CHECK(spread(summarize({90, 100, 120})) == doctest::Approx(0.3));
}
