#include <doctest/doctest.h>

#include <algorithm>

#include "tests/protocol/framing.hpp"

namespace mocks3::test {
namespace {

/// The header line of that name exactly as spelled, or empty.
std::string line_of(const Response& response, const std::string& name) {
  const size_t at = response.head.find("\r\n" + name + ": ");
  if (at == std::string::npos) return {};
  return response.head.substr(at + 2, response.head.find("\r\n", at + 2) - at - 2);
}

server::Options with_large_object() {
  server::Options options = test_options();
  options.preload = {"bkt/large:1GiB"};
  return options;
}

}  // namespace

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

TEST_CASE("HEAD of a large object has its length and no body") {
  const TestServer server(with_large_object());
  RawClient client(server.port());
  const Response head = client.request(make_request("HEAD", "/bkt/large"), true);
  CHECK(head.status == 200);
  CHECK(head.header("content-length") == "1073741824");
  // Were there a body, it would be read as the next answer.
  const Response next = client.request(make_request("GET", "/bkt/large", {{"Range", "bytes=-4"}}));
  CHECK(next.status == 206);
  CHECK(next.body.size() == 4);
  CHECK(next.header("content-range") == "bytes 1073741820-1073741823/1073741824");
}

TEST_CASE("HEAD of what is not there is 404 without a body") {
  const TestServer server;
  server.put("/bkt/k", "x");
  RawClient client(server.port());
  for (const char* target : {"/bkt/missing", "/missing/k", "/missing"}) {
    CAPTURE(target);
    const Response head = client.request(make_request("HEAD", target), true);
    CHECK(head.status == 404);
    CHECK(head.has("x-amz-request-id"));
    CHECK(client.silent_for(20));
  }
  CHECK(client.request(make_request("GET", "/bkt/k")).status == 200);
}

TEST_CASE("response headers have their usual spelling and none that misleads") {
  const TestServer server;
  server.put("/bkt/k", "123", {{"Content-Type", "text/x-test"}});
  for (const Response& answer : {server.get("/bkt/k"), server.head("/bkt/k")}) {
    CHECK(line_of(answer, "Content-Length") == "Content-Length: 3");
    CHECK(line_of(answer, "Content-Type") == "Content-Type: text/x-test");
    CHECK(line_of(answer, "Accept-Ranges") == "Accept-Ranges: bytes");
    for (const char* name : {"ETag", "Last-Modified", "Date", "Server", "x-amz-request-id"})
      CHECK_FALSE(line_of(answer, name).empty());
    for (const char* name : {"x-amz-version-id", "content-encoding", "transfer-encoding"})
      CHECK_FALSE(answer.has(name));
    const std::string modified = answer.header("last-modified");
    CHECK(modified.size() == 29);
    CHECK(modified.substr(25) == " GMT");
  }
  CHECK(server.get("/bkt/k", {{"Accept-Encoding", "gzip"}}).head.find("gzip") == std::string::npos);
}

TEST_CASE("request headers may be spelled in any case") {
  const TestServer server;
  CHECK(server.put("/bkt/k", "", {{"cOnTeNt-LeNgTh", "0"}, {"X-AMZ-META-Color", "red"}}).status ==
        200);
  CHECK(server.head("/bkt/k").header("x-amz-meta-color") == "red");
  server.put("/bkt/k", "0123456789");
  CHECK(server.get("/bkt/k", {{"RANGE", "bytes=2-3"}}).body.size() == 2);
  CHECK(server.get("/bkt/k", {{"if-match", "\"no\""}}).status == 412);
}

TEST_CASE("pipelined requests are answered in order") {
  const TestServer server;
  RawClient client(server.port());
  std::string requests;
  for (size_t i = 0; i < 50; ++i)
    requests += make_request("PUT", "/bkt/" + std::to_string(i), {}, std::string(i, 'x'));
  for (size_t i = 0; i < 50; ++i) requests += make_request("GET", "/bkt/" + std::to_string(i));
  client.send(requests);
  for (size_t i = 0; i < 50; ++i) CHECK(client.receive().status == 200);
  for (size_t i = 0; i < 50; ++i) CHECK(client.receive().body.size() == i);
  CHECK(client.silent_for(20));
}

TEST_CASE("HTTP/1.0 closes after the answer unless it asks to keep the connection") {
  const TestServer server;
  server.put("/bkt/k", "123");
  RawClient closing(server.port());
  const Response once = closing.request("GET /bkt/k HTTP/1.0\r\n\r\n");
  CHECK(once.status == 200);
  CHECK(once.body.size() == 3);
  CHECK(closing.closed_within(2000));

  RawClient keeping(server.port());
  const std::string request = "GET /bkt/k HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
  CHECK(keeping.request(request).header("connection") == "keep-alive");
  CHECK(keeping.request(request).status == 200);
}

TEST_CASE("Connection: close is honoured") {
  const TestServer server;
  RawClient client(server.port());
  const Response answer =
      client.request(make_request("PUT", "/bkt/k", {{"Connection", "close"}}, "123"));
  CHECK(answer.status == 200);
  CHECK(answer.header("connection") == "close");
  CHECK(client.closed_within(2000));
}

TEST_CASE("empty lines before a request are skipped") {
  const TestServer server;
  RawClient client(server.port());
  for (const char* lines : {"\r\n", "\r\n\r\n", "\r\n\r\n\r\n"})
    CHECK(client.request(lines + make_request("GET", "/")).status == 200);
  client.send_bytewise("\r\n\r\n" + make_request("GET", "/"));
  CHECK(client.receive().status == 200);
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

TEST_CASE("long request heads pass") {
  const TestServer server;
  std::string key;
  while (key.size() < 3000) key += "%E6%97%A5";
  const Headers headers = {{"x-amz-security-token", std::string(4096, 't')},
                           {"x-amz-meta-a", std::string(1000, 'a')},
                           {"x-amz-meta-b", std::string(1000, 'b')}};
  CHECK(server.put("/bkt/" + key, "123", headers).status == 200);
  const Response head = server.head("/bkt/" + key);
  CHECK(head.header("content-length") == "3");
  CHECK(head.header("x-amz-meta-b") == std::string(1000, 'b'));
}

TEST_CASE("a megabyte and a byte, with the length and without") {
  const TestServer server;
  const std::string payload(1'048'577, 'x');
  CHECK(server.put("/bkt/k", payload).status == 200);
  CHECK(server.size_of("/bkt/k") == "1048577");
  const Headers chunked = {{"Transfer-Encoding", "chunked"}};
  CHECK(server.put("/bkt/c", http_chunked(payload, 65536), chunked).status == 200);
  CHECK(server.size_of("/bkt/c") == "1048577");
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
