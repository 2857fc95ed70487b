#include "shared/util/histogram.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

using namespace mocks3;

namespace {

uint64_t exact_quantile(const std::vector<uint64_t>& sorted, double fraction) {
  const auto rank = static_cast<size_t>(
      std::max(1.0, std::ceil(fraction * static_cast<double>(sorted.size()) * (1 - 1e-15))));
  return sorted[rank - 1];
}

constexpr std::array kFractions{0.0, 0.001, 0.01, 0.07, 0.1, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0};

void check_against_exact(std::vector<uint64_t> values, unsigned precision_bits) {
  Histogram histogram(precision_bits);
  for (const uint64_t value : values) histogram.record(value);
  std::sort(values.begin(), values.end());
  CHECK(histogram.count() == values.size());
  CHECK(histogram.min() == values.front());
  CHECK(histogram.max() == values.back());
  for (const double fraction : kFractions) {
    CAPTURE(fraction);
    const uint64_t exact = exact_quantile(values, fraction);
    const uint64_t reported = histogram.quantile(fraction);
    CHECK(reported >= exact);
    CHECK(static_cast<double>(reported - exact) <=
          std::ldexp(static_cast<double>(exact), -static_cast<int>(precision_bits)));
  }
}

}  // namespace

TEST_CASE("an empty histogram") {
  const Histogram histogram;
  CHECK(histogram.count() == 0);
  CHECK(histogram.min() == 0);
  CHECK(histogram.max() == 0);
  CHECK(histogram.mean() == 0);
  CHECK(histogram.quantile(0.5) == 0);
}

TEST_CASE("a single value is every quantile") {
  for (const uint64_t value : {uint64_t{0}, uint64_t{1}, uint64_t{1023}, uint64_t{1024},
                               uint64_t{123'456'789}, UINT64_MAX}) {
    Histogram histogram;
    histogram.record(value);
    for (const double fraction : kFractions) CHECK(histogram.quantile(fraction) == value);
  }
}

TEST_CASE("small values are exact") {
  Histogram histogram;
  for (uint64_t value = 1; value <= 100; ++value) histogram.record(value);
  CHECK(histogram.quantile(0) == 1);
  CHECK(histogram.quantile(0.01) == 1);
  CHECK(histogram.quantile(0.07) == 7);
  CHECK(histogram.quantile(0.5) == 50);
  CHECK(histogram.quantile(0.99) == 99);
  CHECK(histogram.quantile(0.991) == 100);
  CHECK(histogram.quantile(1) == 100);
  CHECK(histogram.mean() == doctest::Approx(50.5));
}

TEST_CASE("quantiles are within 2^-precision of the exact ones") {
  std::mt19937_64 random(7);
  for (const unsigned precision_bits : {1U, 5U, 7U, 10U, 14U}) {
    CAPTURE(precision_bits);
    std::vector<uint64_t> wide(20'000);
    for (auto& value : wide) value = random() >> (random() % 64);
    check_against_exact(wide, precision_bits);
    std::lognormal_distribution<double> latency(13, 1.5);
    std::vector<uint64_t> latencies(20'000);
    for (auto& value : latencies) value = static_cast<uint64_t>(latency(random));
    check_against_exact(latencies, precision_bits);
  }
}

TEST_CASE("every power of two and its neighbours stay within the bound") {
  for (unsigned bit = 0; bit < 64; ++bit) {
    const uint64_t power = uint64_t{1} << bit;
    for (const uint64_t value : {power - 1, power, power + 1, power + power / 2}) {
      Histogram histogram(10);
      histogram.record(value);
      histogram.record(UINT64_MAX);  // so that max() does not cap the bound
      const uint64_t reported = histogram.quantile(0.5);
      CHECK(reported >= value);
      CHECK(reported - value <= value >> 10);
    }
  }
}

TEST_CASE("times counts a value repeatedly") {
  Histogram histogram;
  histogram.record(5, 0);
  CHECK(histogram.count() == 0);
  CHECK(histogram.min() == 0);
  histogram.record(10, 99);
  histogram.record(1000);
  CHECK(histogram.count() == 100);
  CHECK(histogram.quantile(0.99) == 10);
  CHECK(histogram.quantile(1) == 1000);
  CHECK(histogram.mean() == doctest::Approx(19.9));
}

TEST_CASE("merging equals recording into one") {
  std::mt19937_64 random(3);
  Histogram parts[2];
  Histogram whole;
  for (int i = 0; i < 10'000; ++i) {
    const uint64_t value = random() >> (random() % 60);
    parts[i % 2].record(value);
    whole.record(value);
  }
  Histogram merged;
  merged.merge(Histogram{});
  for (const Histogram& part : parts) merged.merge(part);
  CHECK(merged.count() == whole.count());
  CHECK(merged.min() == whole.min());
  CHECK(merged.max() == whole.max());
  CHECK(merged.mean() == doctest::Approx(whole.mean()));
  for (const double fraction : kFractions) {
    CHECK(merged.quantile(fraction) == whole.quantile(fraction));
  }
}

TEST_CASE("clear empties and keeps the precision") {
  Histogram histogram(4);
  histogram.record(1000);
  histogram.clear();
  CHECK(histogram.count() == 0);
  CHECK(histogram.max() == 0);
  Histogram other(4);
  other.record(7);
  histogram.merge(other);
  CHECK(histogram.quantile(1) == 7);
}
