#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mocks3 {

/// Log-linear histogram of non-negative integers (nanoseconds, bytes): each power of two is cut
/// into 2^precision_bits equal buckets, so a reported value is at most 2^-precision_bits above the
/// recorded one (10 bits: 0.1 %). Buckets are allocated up to the largest value seen. Not
/// thread-safe: one per thread, merged on read.
class Histogram {
 public:
  explicit Histogram(unsigned precision_bits = 10);

  void record(uint64_t value, uint64_t times = 1);
  /// REQUIRES equal precision.
  void merge(const Histogram& other);
  void clear();

  uint64_t count() const { return count_; }
  uint64_t min() const { return count_ == 0 ? 0 : min_; }
  uint64_t max() const { return max_; }
  double mean() const;
  /// Smallest recorded-bucket bound b such that at least `fraction` of the values are <= b, capped
  /// at max(); 0 where nothing was recorded. REQUIRES 0 <= fraction <= 1.
  uint64_t quantile(double fraction) const;

 private:
  size_t index_of(uint64_t value) const;
  uint64_t upper_bound_of(size_t index) const;

  unsigned precision_bits_;
  uint64_t count_ = 0;
  uint64_t min_ = UINT64_MAX;
  uint64_t max_ = 0;
  double sum_ = 0;
  std::vector<uint64_t> buckets_;
};

}  // namespace mocks3
