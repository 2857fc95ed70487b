#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/store.hpp"
#include "shared/util/result.hpp"
#include "shared/util/time_text.hpp"

namespace mocks3::server {

inline constexpr uint64_t kMaxPreloadObjects = 100'000'000;
inline constexpr uint64_t kMaxPreloadSize = uint64_t{50} << 40;  ///< of one object: 50 TiB

/// What a --preload value means: "bucket/key{A..B}:SIZE" with any number of ranges, in the bucket's
/// name too. A range counts from A to B, with leading zeros up to the width of A.
struct PreloadSpec {
  struct Counter {
    uint64_t first = 0, last = 0;
    size_t width = 0;
  };
  std::vector<std::variant<std::string, Counter>> pieces;  ///< of bucket/key, in order
  uint64_t size_bytes = 0;                                 ///< of each object
  uint64_t objects = 1;                                    ///< at most kMaxPreloadObjects
};

/// Errors name the value and its fault.
Result<PreloadSpec> parse_preload(std::string_view spec);

/// Registers the objects of all specs, buckets included; gives their number. Nothing is registered
/// where a spec is wrong or there are more than kMaxPreloadObjects in all.
Result<uint64_t> preload(Store& store, const std::vector<std::string>& specs, UnixMillis now);

}  // namespace mocks3::server
