#include "data-gen/object_bytes.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "data-gen/pattern.hpp"
#include "shared/util/encode.hpp"

namespace mocks3 {
namespace {

uint8_t* reserve_two_rings() {
  void* memory =
      mmap(nullptr, 2 * kRingBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) return static_cast<uint8_t*>(memory);
  std::fputs("out of memory: no room for 512 KiB of synthetic bytes\n", stderr);
  std::abort();
}

/// Puts the same 256 KiB of memory at `base` and behind it; false where the system has no memfd.
bool map_twice(uint8_t* base) {
  const int fd = memfd_create("synthetic-bytes", MFD_CLOEXEC);
  if (fd < 0) return false;
  bool mapped = ftruncate(fd, kRingBytes) == 0;
  for (size_t i = 0; mapped && i < 2; ++i) {
    mapped = mmap(base + i * kRingBytes, kRingBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                  fd, 0) != MAP_FAILED;
  }
  close(fd);
  return mapped;
}

const uint8_t* make_ring() {
  uint8_t* base = reserve_two_rings();
  const bool twice = map_twice(base);
  pattern_fill(0, 0, {base, kRingBytes});
  // Without a second mapping a copy serves as well; it takes twice the cache.
  if (!twice) std::memcpy(base + kRingBytes, base, kRingBytes);
  mprotect(base, 2 * kRingBytes, PROT_READ);
  return base;
}

uint64_t hash_of(std::string_view bucket, std::string_view key, uint64_t seed) {
  return stable_hash(key, stable_hash(bucket, seed));
}

void store_little_endian(uint64_t value, uint8_t* out) {
  for (size_t i = 0; i < sizeof value; ++i) out[i] = static_cast<uint8_t>(value >> (8 * i));
}

constexpr uint64_t kCacheLine = 64;

iovec view_of(const uint8_t* bytes, size_t length) {
  return {const_cast<uint8_t*>(bytes), length};  // iovec serves reading and writing
}

}  // namespace

const uint8_t* ring_at(uint64_t position) {
  static const uint8_t* const ring = make_ring();
  return ring + position % kRingBytes;
}

ObjectBytes::ObjectBytes(std::string_view bucket, std::string_view key) {
  const uint64_t first = hash_of(bucket, key, 1);
  store_little_endian(first, tag_.data());
  store_little_endian(hash_of(bucket, key, 2), tag_.data() + sizeof first);
  start_ = first % (kRingBytes / kCacheLine) * kCacheLine;
}

void ObjectBytes::copy(uint64_t offset, std::span<uint8_t> out) const {
  while (!out.empty()) {
    std::array<iovec, kMaxGather> views;
    const size_t count = gather(offset, out.size(), views);
    for (size_t i = 0; i < count; ++i) {
      std::memcpy(out.data(), views[i].iov_base, views[i].iov_len);
      out = out.subspan(views[i].iov_len);
      offset += views[i].iov_len;
    }
  }
}

size_t ObjectBytes::gather(uint64_t offset, uint64_t length,
                           std::span<iovec, kMaxGather> out) const {
  constexpr uint64_t kMaxBytes = (kMaxGather - 1) * kRingBytes;
  uint64_t left = std::min(length, kMaxBytes);
  size_t used = 0;
  if (offset < kTagBytes && left > 0) {
    const auto count = static_cast<size_t>(std::min(left, kTagBytes - offset));
    out[used++] = view_of(tag_.data() + offset, count);
    offset += count;
    left -= count;
  }
  while (left > 0) {
    const auto count = static_cast<size_t>(std::min<uint64_t>(left, kRingBytes));
    out[used++] = view_of(ring_at(start_ + offset), count);
    offset += count;
    left -= count;
  }
  return used;
}

}  // namespace mocks3
