#include "shared/util/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace mocks3 {

Histogram::Histogram(unsigned precision_bits) : precision_bits_(precision_bits) {
  assert(precision_bits >= 1 && precision_bits <= 20);
}

// Values below 2^precision have a bucket each. A larger one, shifted right until precision + 1
// bits are left, gives the bucket within its power of two.
size_t Histogram::index_of(uint64_t value) const {
  const uint64_t buckets_per_power = uint64_t{1} << precision_bits_;
  if (value < buckets_per_power) return value;
  const unsigned shift = static_cast<unsigned>(std::bit_width(value)) - 1 - precision_bits_;
  return (shift + 1) * buckets_per_power + ((value >> shift) - buckets_per_power);
}

uint64_t Histogram::upper_bound_of(size_t index) const {
  const uint64_t buckets_per_power = uint64_t{1} << precision_bits_;
  if (index < buckets_per_power) return index;
  const uint64_t shift = index / buckets_per_power - 1;
  const uint64_t step = index % buckets_per_power;
  // Wraps to 0 - 1 = UINT64_MAX for the very last bucket.
  return ((buckets_per_power + step + 1) << shift) - 1;
}

void Histogram::record(uint64_t value, uint64_t times) {
  if (times == 0) return;
  const size_t index = index_of(value);
  if (index >= buckets_.size()) buckets_.resize(index + 1);
  buckets_[index] += times;
  count_ += times;
  sum_ += static_cast<double>(value) * static_cast<double>(times);
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
}

void Histogram::merge(const Histogram& other) {
  assert(precision_bits_ == other.precision_bits_);
  if (other.buckets_.size() > buckets_.size()) buckets_.resize(other.buckets_.size());
  for (size_t i = 0; i < other.buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

void Histogram::clear() { *this = Histogram(precision_bits_); }

double Histogram::mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }

uint64_t Histogram::quantile(double fraction) const {
  if (count_ == 0) return 0;
  // 0.07 x 100 is 7.000000000000001 in floating point, and means the 7th value, not the 8th.
  const double exact = fraction * static_cast<double>(count_) * (1 - 1e-15);
  const uint64_t rank = exact <= 1 ? 1 : std::min(count_, static_cast<uint64_t>(std::ceil(exact)));
  uint64_t seen = 0;
  for (size_t i = 0; i < buckets_.size(); ++i) {
    seen += buckets_[i];
    if (seen >= rank) return std::min(upper_bound_of(i), max_);
  }
  return max_;
}

}  // namespace mocks3
