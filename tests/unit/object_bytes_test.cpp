#include "data-gen/object_bytes.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "data-gen/pattern.hpp"
#include "shared/util/encode.hpp"

using namespace mocks3;

namespace {

std::vector<uint8_t> copied(const ObjectBytes& object, uint64_t offset, size_t length) {
  std::vector<uint8_t> bytes(length);
  object.copy(offset, bytes);
  return bytes;
}

std::vector<uint8_t> gathered(const ObjectBytes& object, uint64_t offset, uint64_t length) {
  std::array<iovec, ObjectBytes::kMaxGather> views;
  const size_t used = object.gather(offset, length, views);
  REQUIRE(used <= views.size());
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < used; ++i) {
    REQUIRE(views[i].iov_len > 0);
    const auto* start = static_cast<const uint8_t*>(views[i].iov_base);
    bytes.insert(bytes.end(), start, start + views[i].iov_len);
  }
  return bytes;
}

}  // namespace

TEST_CASE("ring_at: the stream of seed 0, twice in a row") {
  const uint8_t* ring = ring_at(0);
  CHECK_FALSE(pattern_mismatch(0, 0, {ring, kRingBytes}));
  CHECK(std::memcmp(ring, ring + kRingBytes, kRingBytes) == 0);
  CHECK(ring_at(kRingBytes) == ring);
  CHECK(ring_at(5 * kRingBytes + 100) == ring + 100);
  CHECK(ring_at(UINT64_MAX) == ring + kRingBytes - 1);
}

TEST_CASE("ring_at: one ring for all threads") {
  const uint8_t* seen = nullptr;
  std::thread([&] { seen = ring_at(7); }).join();
  CHECK(seen == ring_at(7));
}

TEST_CASE("ObjectBytes: fixed bytes, the same in every run and on every machine") {
  CHECK(hex_encode(copied(ObjectBytes("bench", "data/00"), 0, 32)) ==
        "cbd31fa0c1c2445db433dbe76fc27f00439d7e652188c41fad90f847da01fcbd");
  CHECK(hex_encode(copied(ObjectBytes("bench", "data/00"), 1'000'000'007, 16)) ==
        "ba85118deb08fabc58601488c4c273f4");
}

TEST_CASE("ObjectBytes: every range agrees with the whole") {
  const ObjectBytes object("bucket", "key");
  const auto whole = copied(object, 0, 3 * kRingBytes);
  for (const size_t offset : {size_t{0}, size_t{1}, size_t{15}, size_t{16}, size_t{17}, size_t{100},
                              kRingBytes - 1, kRingBytes, kRingBytes + 1, 2 * kRingBytes - 20}) {
    for (const size_t length : {size_t{0}, size_t{1}, size_t{2}, size_t{15}, size_t{16}, size_t{17},
                                size_t{5000}, kRingBytes - 1, kRingBytes}) {
      CAPTURE(offset);
      CAPTURE(length);
      const auto* expected = whole.data() + offset;
      const auto bytes = copied(object, offset, length);
      REQUIRE(std::equal(bytes.begin(), bytes.end(), expected));
      const auto views = gathered(object, offset, length);
      REQUIRE(views == bytes);
    }
  }
}

TEST_CASE("ObjectBytes: the start of a long gather agrees with copy") {
  const ObjectBytes object("b", "k");
  for (const uint64_t offset : {uint64_t{0}, uint64_t{9}, uint64_t{16}, uint64_t{123'456'789},
                                uint64_t{1} << 42, UINT64_MAX - 3 * kRingBytes}) {
    for (const uint64_t length : {uint64_t{1} << 20, (uint64_t{1} << 20) + 1, uint64_t{1} << 40}) {
      const auto views = gathered(object, offset, length);
      CHECK(views.size() == size_t{1} << 20);
      CHECK(views == copied(object, offset, views.size()));
    }
  }
}

TEST_CASE("ObjectBytes: nothing gives no views") {
  std::array<iovec, ObjectBytes::kMaxGather> views;
  CHECK(ObjectBytes("b", "k").gather(0, 0, views) == 0);
  CHECK(ObjectBytes("b", "k").gather(999, 0, views) == 0);
}

TEST_CASE("ObjectBytes: keys and buckets differ, in the tag and mostly in the rest") {
  std::set<std::vector<uint8_t>> tags;
  std::set<std::vector<uint8_t>> rests;
  for (int i = 0; i < 1000; ++i) {
    const std::string key = "data/" + std::to_string(i);
    for (const char* bucket : {"a", "b"}) {
      const ObjectBytes object(bucket, key);
      tags.insert(copied(object, 0, 16));
      rests.insert(copied(object, 16, 64));
    }
  }
  CHECK(tags.size() == 2000);
  CHECK(rests.size() > 1200);  // of 4096 starts
  CHECK(copied(ObjectBytes("ab", "c"), 0, 16) != copied(ObjectBytes("a", "bc"), 0, 16));
  CHECK(copied(ObjectBytes("", ""), 0, 16) != std::vector<uint8_t>(16));
}

TEST_CASE("ObjectBytes: beyond the tag, views start on a cache line where the offset does") {
  for (int i = 0; i < 50; ++i) {
    const ObjectBytes object("b", std::to_string(i));
    std::array<iovec, ObjectBytes::kMaxGather> views;
    REQUIRE(object.gather(640, 100, views) == 1);
    CHECK(reinterpret_cast<uintptr_t>(views[0].iov_base) % 64 == 0);
  }
}
