#include "client/endpoint.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace mocks3;
using namespace mocks3::client;

namespace {

/// Sets or removes an environment variable until the end of its scope.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before, had_ = true;
    value != nullptr ? setenv(name, value, 1) : unsetenv(name);
  }
  ~ScopedVariable() { had_ ? setenv(name_, before_.c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::string before_;
  bool had_ = false;
};

}  // namespace

TEST_CASE("endpoints name host and port") {
  const auto check = [](const char* url, const char* host, uint16_t port, const char* authority) {
    CAPTURE(url);
    const auto endpoint = parse_endpoint(url);
    REQUIRE(endpoint);
    CHECK(endpoint->host == host);
    CHECK(endpoint->port == port);
    CHECK(endpoint->authority() == authority);
  };
  check("http://localhost", "localhost", 80, "localhost");
  check("http://localhost/", "localhost", 80, "localhost");
  check("HTTP://10.0.0.2:8080", "10.0.0.2", 8080, "10.0.0.2:8080");
  check("http://[::1]:9000/", "::1", 9000, "[::1]:9000");
  check("http://[fe80::1]", "fe80::1", 80, "[fe80::1]");
  check("http://a-b.c_d.example:65535", "a-b.c_d.example", 65535, "a-b.c_d.example:65535");
}

TEST_CASE("an endpoint's URL reads back as itself") {
  for (const char* url : {"http://localhost:80", "http://[::1]:9000", "http://10.1.2.3:8080"}) {
    const auto endpoint = parse_endpoint(url);
    REQUIRE(endpoint);
    CHECK(endpoint->url() == url);
  }
}

TEST_CASE("what is no endpoint says why in one line") {
  const auto refused = [](const char* url, const char* why) {
    CAPTURE(url);
    const auto endpoint = parse_endpoint(url);
    REQUIRE(!endpoint);
    CHECK(endpoint.error().message.find(why) != std::string::npos);
    CHECK(endpoint.error().message.find('\n') == std::string::npos);
  };
  refused("", "http://");
  refused("localhost:8080", "does not start with http://");
  refused("https://localhost", "https is not supported");
  refused("http://", "host is missing");
  refused("http://:80", "host is missing");
  refused("http://host/bucket", "path");
  refused("http://host?x", "path");
  refused("http://user:pw@host", "AWS_ACCESS_KEY_ID");
  refused("http://host:0", "port");
  refused("http://host:65536", "port");
  refused("http://host:", "port");
  refused("http://host:80x", "port");
  refused("http://::1", "host");
  refused("http://[::1", "bracket");
  refused("http://[]", "host");
  refused("http://[::1]x", "port");
  refused("http://ho st", "host");
  refused("http://host\r\nX: y", "host");
}

TEST_CASE("keys and region come from the environment") {
  const ScopedVariable token("AWS_SESSION_TOKEN", "t");
  const ScopedVariable default_region("AWS_DEFAULT_REGION", "eu-west-1");
  SUBCASE("given") {
    const ScopedVariable key("AWS_ACCESS_KEY_ID", "AK");
    const ScopedVariable secret("AWS_SECRET_ACCESS_KEY", "SK");
    const ScopedVariable region("AWS_REGION", "us-west-2");
    const auto endpoint = parse_endpoint("http://h");
    REQUIRE(endpoint);
    CHECK(endpoint->credentials.access_key == "AK");
    CHECK(endpoint->credentials.secret_key == "SK");
    CHECK(endpoint->credentials.session_token == "t");
    CHECK(endpoint->region == "us-west-2");
  }
  SUBCASE("absent: the dummy pair, without a token that belongs to other keys") {
    const ScopedVariable key("AWS_ACCESS_KEY_ID", nullptr);
    const ScopedVariable region("AWS_REGION", nullptr);
    const auto endpoint = parse_endpoint("http://h");
    REQUIRE(endpoint);
    CHECK(endpoint->credentials.access_key == "mock-s3");
    CHECK(endpoint->credentials.secret_key == "mock-s3");
    CHECK(endpoint->credentials.session_token.empty());
    CHECK(endpoint->region == "eu-west-1");
  }
}

TEST_CASE("loopback is told by name and address") {
  const auto loopback = [](const char* url) { return is_loopback(*parse_endpoint(url)); };
  CHECK(loopback("http://localhost:1"));
  CHECK(loopback("http://127.0.0.1"));
  CHECK(loopback("http://127.8.8.8"));
  CHECK(loopback("http://[::1]"));
  CHECK_FALSE(loopback("http://127.example.org"));
  CHECK_FALSE(loopback("http://10.0.0.1"));
}
