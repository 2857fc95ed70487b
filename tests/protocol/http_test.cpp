#include <doctest/doctest.h>

#include <algorithm>

#include "tests/protocol/framing.hpp"

namespace mocks3::test {

TEST_CASE("put, head, get and range agree, again and again") {
  const TestServer server;
  const std::string payload(300'000, 'p');
  const std::string etag = server.put("/bkt/k", payload).header("etag");
  CHECK(etag.front() == '"');
  CHECK(etag.substr(etag.size() - 3) == "-1\"");
  const Response whole = server.get("/bkt/k");
  CHECK(whole.status == 200);
  CHECK(whole.body.size() == payload.size());
  CHECK(whole.header("etag") == etag);
  CHECK(server.get("/bkt/k").body == whole.body);
  CHECK(server.head("/bkt/k").header("etag") == etag);
  for (const auto& [from, to] : std::vector<std::pair<size_t, size_t>>{
           {0, 0}, {0, 15}, {15, 16}, {1, 299'999}, {131'071, 262'145}, {299'999, 299'999}}) {
    const std::string span = std::to_string(from) + "-" + std::to_string(to);
    const Response part = server.get("/bkt/k", {{"Range", "bytes=" + span}});
    CHECK(part.status == 206);
    CHECK(part.header("content-range") == "bytes " + span + "/300000");
    CHECK(part.body == whole.body.substr(from, to - from + 1));
  }
}

TEST_CASE("different keys and buckets have different bytes") {
  const TestServer server;
  std::vector<std::string> bodies;
  for (const char* target : {"/bkt/k", "/bkt/k2", "/bkt2/k", "/bkt/k/"}) {
    server.put(target, std::string(1000, 'p'));
    bodies.push_back(server.get(target).body);
  }
  std::sort(bodies.begin(), bodies.end());
  CHECK(std::adjacent_find(bodies.begin(), bodies.end()) == bodies.end());
}

TEST_CASE("the absolute form of a target is served") {
  const TestServer server;
  CHECK(server.put("http://127.0.0.1/bkt/k", "123").status == 200);
  CHECK(server.size_of("/bkt/k") == "3");
  CHECK(server.get("http://example.com:8080/bkt?list-type=2").body.find("<Key>k</Key>") !=
        std::string::npos);
  CHECK(server.get("http://example.com").status == 200);
}

TEST_CASE("IPv6 loopback answers at the same port") {
  const TestServer server;
  // A machine without IPv6 has nothing to ask.
  if (server.server().urls().size() < 2) return;
  RawClient client(server.port(), "::1");
  const Headers host = {{"Host", "[::1]:" + std::to_string(server.port())}};
  CHECK(client.request(make_request("PUT", "/bkt/k", host, "123")).status == 200);
  CHECK(server.size_of("/bkt/k") == "3");
}

TEST_CASE("a client that only finished sending still gets its answer") {
  const TestServer server;
  server.put("/bkt/k", std::string(5 << 20, 'x'));
  RawClient client(server.port());
  client.send(make_request("GET", "/bkt/k"));
  client.shutdown_send();
  const Response answer = client.receive();
  CHECK(answer.complete);
  CHECK(answer.body.size() == 5 << 20);
}

}  // namespace mocks3::test
