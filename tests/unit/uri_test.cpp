#include "shared/proto/uri.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace mocks3;

TEST_CASE("query: names and values are decoded once, in the order received") {
  const auto query = Query::parse("prefix=a%2Fb%252F&delimiter=%2F&acl&empty=&acl=2&p+q=1+2%2B3");
  REQUIRE(query);
  REQUIRE(query->items().size() == 6);
  CHECK(query->get("prefix") == "a/b%2F");
  CHECK(query->get("delimiter") == "/");
  CHECK(query->has("acl"));
  CHECK(query->get("acl").empty());
  CHECK(query->has("empty"));
  CHECK(query->get("empty").empty());
  CHECK(query->get("p q") == "1 2+3");
  CHECK_FALSE(query->has("ACL"));
  CHECK(query->get("missing").empty());
  CHECK(query->items()[4].second == "2");
}

TEST_CASE("query: a value may hold '=', and empty items count for nothing") {
  const auto query = Query::parse("&&token=a==&&=x&");
  REQUIRE(query);
  REQUIRE(query->items().size() == 2);
  CHECK(query->get("token") == "a==");
  CHECK(query->get("") == "x");
  CHECK(Query::parse("")->items().empty());
}

TEST_CASE("query: bad escapes and too many items are refused") {
  for (const std::string_view bad : {"a=%", "a=%4", "a=%zz", "%=1", "ok=1&b=%G0"}) {
    CAPTURE(bad);
    CHECK_FALSE(Query::parse(bad));
  }
  std::string many;
  for (size_t i = 0; i < kMaxQueryItems; ++i) many += "a&";
  CHECK(Query::parse(many));
  CHECK_FALSE(Query::parse(many + "a"));
}

TEST_CASE("target: origin form") {
  auto parts = split_target("/b/k%20x?acl&x=/?y");
  REQUIRE(parts);
  CHECK(parts->authority.empty());
  CHECK(parts->path == "/b/k%20x");
  CHECK(parts->query == "acl&x=/?y");
  parts = split_target("/");
  REQUIRE(parts);
  CHECK(parts->path == "/");
  CHECK(parts->query.empty());
  parts = split_target("/?");
  REQUIRE(parts);
  CHECK(parts->path == "/");
  CHECK(parts->query.empty());
  CHECK(split_target("//b")->path == "//b");
  CHECK(split_target("/http://x")->path == "/http://x");
}

TEST_CASE("target: absolute form, as sent through a proxy") {
  auto parts = split_target("http://127.0.0.1:8080/b/k?acl");
  REQUIRE(parts);
  CHECK(parts->authority == "127.0.0.1:8080");
  CHECK(parts->path == "/b/k");
  CHECK(parts->query == "acl");
  parts = split_target("HTTPS://user:pw@[::1]:80?list-type=2");
  REQUIRE(parts);
  CHECK(parts->authority == "[::1]:80");
  CHECK(parts->path == "/");
  CHECK(parts->query == "list-type=2");
  parts = split_target("http://h");
  REQUIRE(parts);
  CHECK(parts->path == "/");
  CHECK(parts->query.empty());
}

TEST_CASE("target: asterisk form, and what is no target") {
  CHECK(split_target("*")->path == "*");
  for (const std::string_view bad :
       {"", "b/k", "?acl", "**", "ftp://h/b", "http:///b", "http://"}) {
    CAPTURE(bad);
    CHECK_FALSE(split_target(bad));
  }
}

TEST_CASE("host without port") {
  CHECK(host_without_port("h") == "h");
  CHECK(host_without_port("h:80") == "h");
  CHECK(host_without_port("h:") == "h");
  CHECK(host_without_port("127.0.0.1:8080") == "127.0.0.1");
  CHECK(host_without_port("[::1]:8080") == "[::1]");
  CHECK(host_without_port("[::1]") == "[::1]");
  CHECK(host_without_port("::1") == "::1");
  CHECK(host_without_port("").empty());
}
