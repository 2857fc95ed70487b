#include <doctest/doctest.h>

#include "tests/protocol/framing.hpp"

namespace mocks3::test {

TEST_CASE("a refused write with a large body is answered and the connection goes on") {
  const TestServer server;
  server.put("/bkt/c", "1");
  RawClient client(server.port());
  const std::string request =
      make_request("PUT", "/bkt/c", {{"If-None-Match", "*"}}, std::string(8 << 20, 'x'));
  for (int i = 0; i < 3; ++i) CHECK(client.request(request).status == 412);
  CHECK(client.request(make_request("HEAD", "/bkt/c"), true).header("content-length") == "1");
}

TEST_CASE("a copy may replace metadata, and must say so to copy onto itself") {
  const TestServer server;
  server.put("/bkt/k", "1234", {{"x-amz-meta-a", "1"}});
  const Headers replace = {{"x-amz-copy-source", "bkt/k"},
                           {"x-amz-metadata-directive", "REPLACE"},
                           {"x-amz-meta-b", "2"}};
  CHECK(server.put("/bkt/k", "", {{"x-amz-copy-source", "bkt/k"}}).code() == "InvalidRequest");
  CHECK(server.put("/bkt/k", "", replace).status == 200);
  const Response head = server.head("/bkt/k");
  CHECK(head.header("content-length") == "4");
  CHECK(head.header("x-amz-meta-b") == "2");
  CHECK_FALSE(head.has("x-amz-meta-a"));
}

}  // namespace mocks3::test
