#include "shared/proto/request_head.hpp"

#include <doctest/doctest.h>

using namespace mocks3;

TEST_CASE("request head: headers are found in any letter case, the first of a name first") {
  RequestHead head;
  head.headers = {{"Host", "a"}, {"X-Amz-Meta-A", "1"}, {"x-amz-meta-a", "2"}, {"Empty", ""}};
  CHECK(head.header("host") == "a");
  CHECK(head.header("x-amz-meta-a") == "1");
  CHECK(head.header("HOSTS").empty());
  CHECK(head.has_header("empty"));
  CHECK_FALSE(head.has_header("emp"));
}

TEST_CASE("request head: clear leaves a new head, with the memory of the old one") {
  RequestHead head;
  head.method = "PUT";
  head.target = "/b/k";
  head.minor_version = 0;
  head.keep_alive = false;
  head.http_chunked = true;
  head.content_length = 7;
  head.expect_continue = true;
  head.headers.resize(40);
  head.clear();
  CHECK(head.method.empty());
  CHECK(head.target.empty());
  CHECK(head.minor_version == 1);
  CHECK(head.keep_alive);
  CHECK_FALSE(head.http_chunked);
  CHECK_FALSE(head.content_length.has_value());
  CHECK_FALSE(head.expect_continue);
  CHECK(head.headers.empty());
  CHECK(head.headers.capacity() >= 40);
}
