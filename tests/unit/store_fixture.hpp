#pragma once
#include <doctest/doctest.h>

#include "server/store.hpp"

namespace mocks3::server {

inline constexpr UnixMillis kNow{1'000'000};

inline ObjectRecord object(uint64_t size) { return {size, kNow, {}, nullptr}; }

template <class T>
S3Code code_of(const S3Result<T>& result) {
  REQUIRE_FALSE(result.ok());
  return result.error().code;
}

}  // namespace mocks3::server
