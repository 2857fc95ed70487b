#include "data-gen/progress_line.hpp"

#include <doctest/doctest.h>

using namespace mocks3::datagen;
using namespace std::chrono_literals;

TEST_CASE("progress_text") {
  CHECK(progress_text(1 << 29, 1 << 30, 2s) == " 50 %  512 MiB of 1 GiB  256 MiB/s  2.00 s left");
  CHECK(progress_text(1 << 30, 1 << 30, 2s) == "100 %  1 GiB of 1 GiB  512 MiB/s  0 s left");
  CHECK(progress_text(1 << 20, 0, 1s) == "1 MiB  1 MiB/s");
}

TEST_CASE("progress_text: no division by what is not there yet") {
  CHECK(progress_text(0, 1 << 30, 0s) == "  0 %  0 B of 1 GiB  0 B/s  0 s left");
  CHECK(progress_text(1, UINT64_MAX, 1h).starts_with("  0 %  1 B of 16 EiB"));
  CHECK(progress_text(2 << 20, 1 << 20, 1s).starts_with("100 %"));
}
