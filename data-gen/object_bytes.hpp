#pragma once
#include <sys/uio.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace mocks3 {

/// A block of the synthetic stream that stays in the L2 cache and repeats without end: what is
/// sent when bytes must cost nothing to make. It is mapped twice in a row, so that kRingBytes from
/// any start are contiguous. One per process, read-only after it was made, shared by all threads.
inline constexpr size_t kRingBytes = 256 * 1024;
/// kRingBytes contiguous bytes that start at `position` modulo kRingBytes; lives for ever.
const uint8_t* ring_at(uint64_t position);

/// The bytes of an object that nobody stored: a function of (bucket, key, offset). The first 16
/// bytes are a hash of bucket and key, so that different keys differ; the rest is the ring, from
/// a start that depends on the key.
class ObjectBytes {
 public:
  static constexpr size_t kTagBytes = 16;
  /// Ring bytes in one gather: 4 views of the ring, 1 MiB.
  static constexpr size_t kMaxGather = 5;

  ObjectBytes(std::string_view bucket, std::string_view key);

  /// Fills `out` with the bytes at `offset`.
  void copy(uint64_t offset, std::span<uint8_t> out) const;

  /// Points `out` at the bytes [offset, offset + length), or the first of them: at most 1 MiB.
  /// Gives the number of entries used. The views live as long as this object.
  size_t gather(uint64_t offset, uint64_t length, std::span<iovec, kMaxGather> out) const;

 private:
  std::array<uint8_t, kTagBytes> tag_;
  uint64_t start_;
};

}  // namespace mocks3
