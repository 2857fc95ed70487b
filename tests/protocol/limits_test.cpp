#include <doctest/doctest.h>

#include <chrono>

#include "server/metrics.hpp"
#include "shared/util/process_usage.hpp"
#include "shared/util/units.hpp"
#include "tests/protocol/framing.hpp"
#include "tests/protocol/parallel.hpp"

namespace mocks3::test {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

std::string head_of_put(std::string_view target, uint64_t length) {
  return make_request("PUT", target, {{"Content-Length", std::to_string(length)}});
}

uint64_t connections_open(const TestServer& server) {
  return server.server().metrics().connections_open.load();
}

template <class Work>
milliseconds time_of(Work work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration_cast<milliseconds>(Clock::now() - start);
}

}  // namespace

TEST_CASE("an idle connection is closed after the idle time") {
  server::Options options = test_options();
  options.idle_timeout = milliseconds(300);
  const TestServer server(options);
  RawClient fresh(server.port()), used(server.port());
  CHECK(used.request(make_request("GET", "/")).status == 200);
  CHECK(fresh.silent_for(150));
  CHECK(fresh.closed_within(3000));
  CHECK(used.closed_within(3000));
  CHECK(server.get("/").status == 200);
}

TEST_CASE("a head that takes too long ends the connection, a slow one in time does not") {
  server::Options options = test_options();
  options.header_timeout = milliseconds(600);
  const TestServer server(options);
  RawClient never(server.port()), dripping(server.port()), in_time(server.port());
  never.send("GET / HT");
  in_time.send("GET / HT");
  pause(100);
  CHECK(in_time.request("TP/1.1\r\n\r\n").status == 200);
  // Each byte would start an idle time anew; it must not do so for a head.
  for (int i = 0; i < 20 && dripping.send("GET / HTTP/1.1\r\nA: b"); ++i) pause(100);
  CHECK(dripping.closed_within(3000));
  CHECK(never.closed_within(3000));
}

TEST_CASE("an upload may take longer than the times for idling and heads") {
  server::Options options = test_options();
  options.header_timeout = options.idle_timeout = milliseconds(200);
  const TestServer server(options);
  RawClient client(server.port());
  client.send(head_of_put("/bkt/k", 4));
  for (const char* byte : {"a", "b", "c"}) {
    client.send(byte);
    pause(300);
  }
  CHECK(client.request("d").status == 200);
}

TEST_CASE("connections over the limit are told to slow down, and served once there is room") {
  server::Options options = test_options();
  options.max_connections = 3;
  const TestServer server(options);
  {
    std::vector<std::unique_ptr<RawClient>> held;
    for (int i = 0; i < 3; ++i) {
      held.push_back(std::make_unique<RawClient>(server.port()));
      CHECK(held.back()->request(make_request("GET", "/")).status == 200);
    }
    for (int i = 0; i < 5; ++i) {
      RawClient refused(server.port());
      const Response answer = refused.request(make_request("GET", "/"));
      CHECK(answer.status == 503);
      CHECK(answer.code() == "SlowDown");
      CHECK(between(answer.body, "RequestId") == answer.header("x-amz-request-id"));
      CHECK(refused.closed_within(3000));
    }
    CHECK(held.front()->request(make_request("GET", "/")).status == 200);
  }
  CHECK(eventually([&] { return server.get("/").status == 200; }));
  CHECK(server.server().metrics().connections_refused.load() >= 5);
}

TEST_CASE("aborted uploads leave no connection, descriptor or object behind") {
  const TestServer server;
  server.put("/bkt/k", "old");
  CHECK(eventually([&] { return connections_open(server) == 0; }));
  const uint64_t fds = own_usage().open_fds;
  for (int i = 0; i < 300; ++i) {
    RawClient client(server.port());
    client.send(head_of_put("/bkt/k", 1'000'000) + std::string(static_cast<size_t>(i) * 100, 'x'));
    if (i % 2 == 0) client.abort();
  }
  CHECK(eventually([&] { return connections_open(server) == 0; }));
  CHECK(eventually([&] { return own_usage().open_fds == fds; }));
  CHECK(server.size_of("/bkt/k") == "3");
}

TEST_CASE("aborted downloads leave no connection behind") {
  server::Options options = test_options();
  options.preload = {"bkt/large:64GiB"};
  const TestServer server(options);
  for (int i = 0; i < 50; ++i) {
    RawClient client(server.port());
    client.send(make_request("GET", "/bkt/large"));
    if (i % 2 == 0) pause(1);
  }
  CHECK(eventually([&] { return connections_open(server) == 0; }));
}

TEST_CASE("stop() ends idle connections at once") {
  const TestServer server;
  std::vector<std::unique_ptr<RawClient>> idle;
  for (int i = 0; i < 20; ++i) idle.push_back(std::make_unique<RawClient>(server.port()));
  CHECK(idle[0]->request(make_request("GET", "/")).status == 200);
  CHECK(time_of([&] { server.server().stop(); }) < milliseconds(1000));
  for (const auto& client : idle) CHECK(client->closed_within(1000));
  CHECK_THROWS(RawClient(server.port()));
  server.server().stop();
}

TEST_CASE("stop() lets a running request end within the grace time") {
  const TestServer server;
  RawClient client(server.port());
  client.send(head_of_put("/bkt/k", 2) + "a");
  CHECK(eventually([&] { return server.server().metrics().totals().bytes_in == 1; }));
  std::thread stopper([&] { server.server().stop(); });
  pause(200);
  const Response answer = client.request("b");
  CHECK(answer.status == 200);
  CHECK(answer.header("connection") == "close");
  // Though the client keeps its side open.
  CHECK(time_of([&] { stopper.join(); }) < milliseconds(2000));
  CHECK(client.closed_within(1000));
}

TEST_CASE("stop() does not wait for peers that were sent away and stay") {
  const TestServer server;
  RawClient refused(server.port()), closed(server.port());
  CHECK(refused.request("nonsense\r\n\r\n").status == 400);
  CHECK(closed.request(make_request("GET", "/", {{"Connection", "close"}})).status == 200);
  CHECK(time_of([&] { server.server().stop(); }) < milliseconds(2000));
}

TEST_CASE("stop() cuts what is left after the grace time") {
  server::Options options = test_options();
  options.grace = milliseconds(300);
  options.preload = {"bkt/large:1GiB"};
  const TestServer server(options);
  RawClient uploading(server.port()), downloading(server.port());
  uploading.send(head_of_put("/bkt/k", 2) + "a");
  downloading.send(make_request("GET", "/bkt/large"));
  CHECK(eventually([&] { return server.server().metrics().totals().bytes_out > 0; }));
  const milliseconds spent = time_of([&] { server.server().stop(); });
  CHECK(spent >= milliseconds(300));
  CHECK(spent < milliseconds(3000));
  CHECK(uploading.closed_within(1000));
}

TEST_CASE("peers that stall hold nobody else up") {
  server::Options options = test_options();
  options.workers = 1;
  options.preload = {"bkt/large:1GiB"};
  const TestServer server(options);
  std::vector<std::unique_ptr<RawClient>> stalled;
  for (int i = 0; i < 30; ++i) {
    stalled.push_back(std::make_unique<RawClient>(server.port()));
    if (i % 3 == 0) stalled.back()->send(make_request("GET", "/bkt/large"));
    if (i % 3 == 1) stalled.back()->send(head_of_put("/bkt/k", 1 << 30) + "x");
    if (i % 3 == 2) stalled.back()->send("PUT /bkt/k HT");
  }
  for (int i = 0; i < 50; ++i) CHECK(server.put("/bkt/quick", "x").status == 200);
  CHECK(connections_open(server) >= 30);
  stalled.clear();
  CHECK(eventually([&] { return connections_open(server) == 0; }));
}

TEST_CASE("sixty-four clients at once") {
  const TestServer server;
  std::atomic<int> good{0};
  const size_t bytes = (4 << 20) / kSlowdown;
  const std::string body(bytes, 'x');
  in_parallel(64, [&](size_t i) {
    RawClient client(server.port());
    const std::string target = "/bkt/" + std::to_string(i);
    const bool put = client.request(make_request("PUT", target, {}, body)).status == 200;
    const Response got = client.request(make_request("GET", target));
    if (put && got.status == 200 && got.complete && got.body.size() == bytes) ++good;
  });
  CHECK(good == 64);
}

TEST_CASE("servers can be started and stopped many times") {
  for (int i = 0; i < 20; ++i) {
    const TestServer server;
    CHECK(server.put("/bkt/k", "x").status == 200);
  }
}

TEST_CASE("a port in use is an error that names it") {
  const TestServer server;
  server::Options options = test_options();
  options.port = server.port();
  const auto second = server::Server::start(options);
  REQUIRE_FALSE(second);
  CHECK(second.error().message.find(std::to_string(server.port())) != std::string::npos);
}

}  // namespace mocks3::test
