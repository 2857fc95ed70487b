#include <doctest/doctest.h>

#include "tests/protocol/framing.hpp"
#include "tests/protocol/parallel.hpp"

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

TEST_CASE("faults B2: long request heads pass") {
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

TEST_CASE("faults B5: HEAD of a large object has its length and no body") {
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

TEST_CASE("faults B5: HEAD of what is not there is 404 without a body") {
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

TEST_CASE("faults B8: response headers have their usual spelling and none that misleads") {
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
  const Response part = server.get("/bkt/k", {{"Range", "bytes=0-0"}, {"Connection", "close"}});
  CHECK(line_of(part, "Content-Range") == "Content-Range: bytes 0-0/3");
  CHECK(line_of(part, "Connection") == "Connection: close");
  CHECK_FALSE(line_of(server.put("/bkt/k", ""), "ETag").empty());
  CHECK_FALSE(line_of(server.put("/made", ""), "Location").empty());
  CHECK_FALSE(line_of(server.get("/none"), "Content-Type").empty());
}

TEST_CASE("faults B8: request headers may be spelled in any case") {
  const TestServer server;
  CHECK(server.put("/bkt/k", "", {{"cOnTeNt-LeNgTh", "0"}, {"X-AMZ-META-Color", "red"}}).status ==
        200);
  CHECK(server.head("/bkt/k").header("x-amz-meta-color") == "red");
  server.put("/bkt/k", "0123456789");
  CHECK(server.get("/bkt/k", {{"RANGE", "bytes=2-3"}}).body.size() == 2);
  CHECK(server.get("/bkt/k", {{"if-match", "\"no\""}}).status == 412);
}

TEST_CASE("faults B9: threads that put, get, list and delete meet no wrong answer") {
  const TestServer server;
  constexpr size_t kThreads = 16;
  const size_t rounds = 2 * (100 / kSlowdown);
  std::atomic<int> wrong{0};
  const auto expect = [&wrong](const Response& answer, unsigned status) {
    if (answer.status != status || !answer.complete) ++wrong;
  };
  in_parallel(kThreads, [&](size_t thread) {
    RawClient client(server.port());
    for (size_t i = 0; i < rounds; ++i) {
      const std::string target = "/bkt/t" + std::to_string(thread) + "/" + std::to_string(i);
      expect(client.request(make_request("PUT", target, {}, "abc")), 200);
      expect(client.request(make_request("GET", target)), 200);
      expect(client.request(make_request("GET", "/bkt?list-type=2&max-keys=10")), 200);
      if (i % 2 != 0) expect(client.request(make_request("DELETE", target)), 204);
      expect(client.request(make_request("HEAD", target), true), i % 2 != 0 ? 404 : 200);
    }
  });
  CHECK(wrong == 0);
  const Response list = server.get("/bkt?list-type=2&max-keys=1000&prefix=t1/");
  CHECK(between(list.body, "KeyCount") == std::to_string(rounds / 2));
  size_t total = 0;
  for (size_t thread = 0; thread < kThreads; ++thread) {
    const Response mine = server.get("/bkt?list-type=2&prefix=t" + std::to_string(thread) + "/");
    total += std::stoul(between(mine.body, "KeyCount"));
  }
  CHECK(total == kThreads * rounds / 2);
}

TEST_CASE("faults B10: pipelined requests are answered in order") {
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

TEST_CASE("faults B10: HTTP/1.0 closes after the answer unless it asks to keep the connection") {
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
  RawClient uploading(server.port());
  const std::string put = "PUT /bkt/old HTTP/1.0\r\nContent-Length: 4\r\n\r\nabcd";
  CHECK(uploading.request(put).status == 200);
  CHECK(uploading.closed_within(2000));
  CHECK(server.size_of("/bkt/old") == "4");
}

TEST_CASE("faults B10: Connection: close is honoured") {
  const TestServer server;
  for (const char* value : {"close", "Close", "keep-alive, close", "close, TE"}) {
    CAPTURE(value);
    RawClient client(server.port());
    const Response answer =
        client.request(make_request("PUT", "/bkt/k", {{"Connection", value}}, "123"));
    CHECK(answer.status == 200);
    CHECK(answer.header("connection") == "close");
    CHECK(client.closed_within(2000));
  }
}

TEST_CASE("faults B10: empty lines before a request are skipped") {
  const TestServer server;
  RawClient client(server.port());
  for (const char* lines : {"\r\n", "\r\n\r\n", "\r\n\r\n\r\n"})
    CHECK(client.request(lines + make_request("GET", "/")).status == 200);
  client.send_bytewise("\r\n\r\n" + make_request("GET", "/"));
  CHECK(client.receive().status == 200);
}

}  // namespace mocks3::test
