#include "client/local_server.hpp"

#include <doctest/doctest.h>

using namespace mocks3::client;

TEST_CASE("the URL is taken from the banner once it is whole") {
  CHECK(url_in_banner("mock-s3 v1\n  http://127.0.0.1:40123 (this machine only)\n") ==
        "http://127.0.0.1:40123");
  CHECK(url_in_banner("http://127.0.0.1:9\n") == "http://127.0.0.1:9");
  CHECK(url_in_banner("").empty());
  CHECK(url_in_banner("http://127.0.0.1:").empty());
  CHECK(url_in_banner("http://127.0.0.1:401").empty());
  CHECK(url_in_banner("http://127.0.0.1:x\n").empty());
}
