#include "client/stats/summary.hpp"

#include <algorithm>
#include <cmath>

namespace mocks3::client {
namespace {

/// P(B = k) for B binomial with n trials of 1/2; by logarithms, so that no n underflows.
double binomial_half(size_t n, size_t k) {
  const auto real_n = static_cast<double>(n), real_k = static_cast<double>(k);
  return std::exp(std::lgamma(real_n + 1) - std::lgamma(real_k + 1) -
                  std::lgamma(real_n - real_k + 1) - real_n * std::log(2.0));
}

/// Largest r (from 0) such that [x_r, x_{n-1-r}] of the sorted values still covers the median with
/// 95 %: both tails together are 2 P(B <= r).
size_t interval_rank(size_t n) {
  double tail = 0;
  size_t rank = 0;
  for (size_t r = 0; 2 * r + 1 < n; ++r) {
    tail += binomial_half(n, r);
    if (2 * tail > 0.05) break;
    rank = r;
  }
  return rank;
}

double median_of_sorted(const std::vector<double>& values) {
  if (values.empty()) return 0;
  const size_t middle = values.size() / 2;
  if (values.size() % 2 == 1) return values[middle];
  return (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return median_of_sorted(values);
}

Summary summarize(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  const size_t rank = n < 6 ? 0 : interval_rank(n);
  return {median_of_sorted(values), values[rank], values[n - 1 - rank], n};
}

double spread(const Summary& summary) {
  return summary.median > 0 ? (summary.high - summary.low) / summary.median : 0;
}

}  // namespace mocks3::client
