#include <doctest/doctest.h>

#include <random>

#include "tests/protocol/framing.hpp"

namespace mocks3::test {

TEST_CASE("the server goes on after random bytes") {
  const TestServer server;
  std::mt19937 random(20240611);
  for (int i = 0; i < 200; ++i) {
    std::string noise(1 + random() % 3000, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    RawClient client(server.port());
    client.send(noise);
    if (i % 3 == 0) client.abort();
  }
  CHECK(server.get("/").status == 200);
}

TEST_CASE("the server goes on after mutated requests") {
  const TestServer server;
  const std::vector<std::string> samples = {
      make_request("PUT", "/bkt/k", streaming_headers(9), kFramedNine),
      make_request("PUT", "/bkt/k", {{"Transfer-Encoding", "chunked"}},
                   http_chunked("123456789", 2)),
      make_request("POST", "/bkt?delete", {}, "<Delete><Object><Key>k</Key></Object></Delete>"),
      make_request("GET", "/bkt?list-type=2&prefix=a&delimiter=%2F&max-keys=7"),
      make_request("GET", "/bkt/k", {{"Range", "bytes=2-5"}, {"If-Match", "\"a\""}}),
      make_request("PUT", "/bkt/c", {{"x-amz-copy-source", "/bkt/k"}})};
  std::mt19937 random(7);
  for (int i = 0; i < 600; ++i) {
    std::string request = samples[static_cast<size_t>(i) % samples.size()];
    for (int changes = 1 + static_cast<int>(random() % 3); changes > 0; --changes) {
      const size_t at = random() % request.size();
      switch (random() % 3) {
        case 0:
          request[at] = static_cast<char>(random());
          break;
        case 1:
          request.erase(at, 1 + random() % 8);
          break;
        default:
          request.insert(at, request.substr(random() % request.size(), random() % 20));
      }
      if (request.empty()) request = "x";
    }
    RawClient client(server.port());
    client.send(request);
    client.shutdown_send();
    const Response answer = client.receive();
    CAPTURE(request);
    REQUIRE((answer.status < 500 || answer.status == 501));
  }
  CHECK(server.get("/").status == 200);
}

}  // namespace mocks3::test
