#include "shared/proto/virtual_host.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace mocks3;

namespace {
const std::vector<std::string> kDomains = {"s3.Mock.test", "mock.test"};
std::string bucket(std::string_view host) { return bucket_of_host(host, kDomains); }
}  // namespace

TEST_CASE("virtual host: the labels before a domain are the bucket") {
  CHECK(bucket("b.localhost:8080") == "b");
  CHECK(bucket("B.LocalHost") == "b");
  CHECK(bucket("my.dot.b.mock.test:80") == "my.dot.b");
  CHECK(bucket("b.mock.test.") == "b");
  CHECK(bucket_of_host("b.localhost", {}) == "b");
}

TEST_CASE("virtual host: the longest domain counts, and endpoint labels are no bucket") {
  CHECK(bucket("my.dot.b.s3.mock.test") == "my.dot.b");
  CHECK(bucket("my.dot.b.s3.localhost") == "my.dot.b");
  CHECK(bucket("b.s3.us-east-1.localhost") == "b");
  CHECK(bucket("b.s3.dualstack.eu-central-1.mock.test") == "b");
  CHECK(bucket("us-east-1.localhost") == "us-east-1");
  CHECK(bucket("b.s3.logs.localhost") == "b.s3.logs");
  CHECK(bucket("s3b.localhost") == "s3b");
}

TEST_CASE("virtual host: path style") {
  for (const std::string_view host : {"",
                                      "localhost",
                                      "localhost:8080",
                                      "LOCALHOST.",
                                      "mock.test",
                                      "s3.mock.test:443",
                                      "s3.localhost",
                                      "s3.us-east-1.localhost",
                                      "s3.us-gov-west-1.mock.test:8080",
                                      "s3.dualstack.us-west-2.mock.test",
                                      "127.0.0.1:8080",
                                      "127.0.0.1",
                                      "[::1]:8080",
                                      "[::1]",
                                      "::1",
                                      "b.example.com",
                                      "blocalhost",
                                      "xmock.test",
                                      "host",
                                      ".localhost"}) {
    CAPTURE(host);
    CHECK(bucket(host).empty());
  }
}
