#include "client/receive_buffer.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>

using namespace mocks3::client;

TEST_CASE("a receive buffer begins 64 bytes behind the start of a page and has its whole size") {
  for (const size_t bytes : {size_t{1}, size_t{4096}, size_t{256 * 1024}}) {
    const ReceiveBuffer buffer(bytes);
    CHECK(reinterpret_cast<uintptr_t>(buffer.data()) % 4096 == 64);
    CHECK(buffer.size() == bytes);
    std::memset(buffer.data(), 1, bytes);
  }
}
