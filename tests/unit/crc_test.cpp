#include "shared/util/crc.hpp"

#include <doctest/doctest.h>

using namespace mocks3;

// Check values of the catalogue of CRC algorithms.
TEST_CASE("crc: the check value of each algorithm") {
  CHECK(crc32("123456789") == 0xCBF43926);
  CHECK(crc32c("123456789") == 0xE3069283);
  CHECK(crc64nvme("123456789") == 0xAE8B14860A799888);
}

TEST_CASE("crc: nothing, and bytes beyond ASCII") {
  CHECK(crc32("") == 0);
  CHECK(crc32c("") == 0);
  CHECK(crc64nvme("") == 0);
  CHECK(crc32("\xff\xff\xff\xff") == 0xFFFFFFFF);
}
