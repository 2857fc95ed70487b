#include <doctest/doctest.h>

#include "tests/protocol/framing.hpp"

namespace mocks3::test {

TEST_CASE("GET may override headers of its answer") {
  const TestServer server;
  server.put("/bkt/k", "x");
  const Response answer =
      server.get("/bkt/k?response-content-type=text%2Fcsv&response-cache-control=no-store");
  CHECK(answer.header("content-type") == "text/csv");
  CHECK(answer.header("cache-control") == "no-store");
  const Response split = server.get("/bkt/k?response-content-type=a%0D%0AX-Evil:%201");
  CHECK_FALSE(split.has("x-evil"));
}

}  // namespace mocks3::test
