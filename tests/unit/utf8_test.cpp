#include "shared/proto/utf8.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace mocks3;

TEST_CASE("utf8: lengths at the bounds of each form") {
  CHECK(utf8_sequence_length(std::string_view("\0", 1)) == 1);
  CHECK(utf8_sequence_length("\x7F") == 1);
  CHECK(utf8_sequence_length("\xC2\x80") == 2);
  CHECK(utf8_sequence_length("\xDF\xBF") == 2);
  CHECK(utf8_sequence_length("\xE0\xA0\x80") == 3);
  CHECK(utf8_sequence_length("\xED\x9F\xBF") == 3);
  CHECK(utf8_sequence_length("\xEE\x80\x80") == 3);
  CHECK(utf8_sequence_length("\xF0\x90\x80\x80") == 4);
  CHECK(utf8_sequence_length("\xF4\x8F\xBF\xBF") == 4);
  CHECK(utf8_sequence_length("\xC3\xA9 and more") == 2);
}

TEST_CASE("utf8: what is not well-formed") {
  CHECK(utf8_sequence_length("") == 0);
  for (const std::string_view bad :
       {"\x80", "\xBF", "\xC0\xAF", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xED\xBF\xBF",
        "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xC3", "\xE3\x81",
        "\xF0\x9F\x98", "\xC3\x28", "\xE3\x81\x41"}) {
    CAPTURE(bad);
    CHECK(utf8_sequence_length(bad) == 0);
    CHECK_FALSE(valid_utf8("ok" + std::string(bad)));
  }
  CHECK(valid_utf8(""));
  CHECK(valid_utf8("a\xC3\xA9\xE6\x97\xA5\xF0\x9F\x98\x80z"));
}
