#include <doctest/doctest.h>

#include <algorithm>

#include "shared/util/encode.hpp"
#include "tests/protocol/framing.hpp"

namespace mocks3::test {
namespace {

void put_all(const TestServer& server, const std::vector<std::string>& keys) {
  RawClient client(server.port());
  for (const std::string& key : keys)
    REQUIRE(client.request(make_request("PUT", "/bkt/" + percent_encode(key), {}, "x")).status ==
            200);
}

std::vector<std::string> prefixes_of(const Response& list) {
  std::vector<std::string> prefixes;
  for (const std::string& text : all_between(list.body, "CommonPrefixes"))
    prefixes.push_back(between(text, "Prefix"));
  return prefixes;
}

struct Walk {
  std::vector<std::string> names;  ///< keys and common prefixes, in order of arrival
  size_t pages = 0;
};

/// Pages through a listing until it is not truncated; `between_pages` runs after each page.
/// A V1 marker comes back encoded where the query asks for that; a token is opaque.
template <class BetweenPages>
Walk walk(const TestServer& server, const std::string& query, bool v2, BetweenPages between_pages) {
  const bool encoded = query.find("encoding-type=url") != std::string::npos;
  Walk walk;
  std::string next;
  do {
    const Response list = server.get("/bkt?" + query + (v2 ? "&list-type=2" : "") + next);
    REQUIRE(list.status == 200);
    for (auto& key : all_between(list.body, "Key")) walk.names.push_back(key);
    for (auto& prefix : prefixes_of(list)) walk.names.push_back(prefix);
    const std::string mark = between(list.body, v2 ? "NextContinuationToken" : "NextMarker");
    const bool truncated = between(list.body, "IsTruncated") == "true";
    REQUIRE(truncated == !mark.empty());
    next.clear();
    if (truncated && v2) next = "&continuation-token=" + percent_encode(mark);
    if (truncated && !v2) next = "&marker=" + (encoded ? mark : percent_encode(mark));
    ++walk.pages;
    between_pages(walk);
  } while (!next.empty() && walk.pages < 3000);
  return walk;
}

Walk walk(const TestServer& server, const std::string& query, bool v2) {
  return walk(server, query, v2, [](const Walk&) {});
}

std::vector<std::string> numbered_keys(size_t count) {
  std::vector<std::string> keys;
  for (size_t i = 0; i < count; ++i) keys.push_back("key" + std::to_string(10000 + i));
  return keys;
}

}  // namespace

TEST_CASE("faults E1: a delimiter with pages of any size shows each prefix once") {
  const TestServer server;
  put_all(server, {"d/1", "d/2", "d/3", "d/4", "d/5", "e", "f/1"});
  for (const bool v2 : {false, true})
    for (const size_t page : std::vector<size_t>{1, 2, 3, 1000}) {
      const Walk found = walk(server, "delimiter=%2F&max-keys=" + std::to_string(page), v2);
      std::vector<std::string> names = found.names;
      std::sort(names.begin(), names.end());
      CHECK(names == std::vector<std::string>{"d/", "e", "f/"});
      CHECK(found.pages == (3 + page - 1) / page);
    }
}

TEST_CASE("faults E1: a page that ends with a prefix goes on behind all that is below it") {
  const TestServer server;
  put_all(server, {"a", "d/", "d/1", "d/\u65e5/x", "d0", "e//", "e//1"});
  for (const bool v2 : {false, true}) {
    CHECK(walk(server, "delimiter=%2F&max-keys=1", v2).names ==
          std::vector<std::string>{"a", "d/", "d0", "e/"});
    CHECK(walk(server, "delimiter=%2F&max-keys=1&prefix=d%2F", v2).names ==
          std::vector<std::string>{"d/", "d/1", "d/\u65e5/"});
    CHECK(walk(server, "delimiter=%2F&max-keys=1&prefix=e", v2).names ==
          std::vector<std::string>{"e/"});
  }
}

TEST_CASE("faults E2: pages of any size give every key once and in order") {
  const TestServer server;
  const auto keys = numbered_keys(1001);
  put_all(server, keys);
  for (const bool v2 : {false, true})
    for (const size_t page : std::vector<size_t>{1, 7, 143, 1000, 1001, 5000}) {
      const Walk found = walk(server, "max-keys=" + std::to_string(page), v2);
      CHECK(found.names == keys);
      const size_t most = std::min<size_t>(page, 1000);
      CHECK(found.pages == (keys.size() + most - 1) / most);
    }
  CHECK(walk(server, "max-keys=1&start-after=key10900", true).pages == 100);
}

TEST_CASE("faults E2: a walk goes on where it was though keys are deleted meanwhile") {
  const TestServer server;
  const auto keys = numbered_keys(100);
  for (const bool v2 : {false, true}) {
    put_all(server, keys);
    const Walk found = walk(server, "max-keys=7", v2, [&](const Walk& so_far) {
      server.remove("/bkt/" + so_far.names.back());
      server.remove("/bkt/" + so_far.names.front());
    });
    CHECK(found.names == keys);
  }
}

TEST_CASE("faults E2: keys that come or go ahead of a walk are in it or not, all others are") {
  const TestServer server;
  const auto keys = numbered_keys(50);
  put_all(server, keys);
  server.put("/bkt/key10049a", "x");
  const Walk found = walk(server, "max-keys=10", true, [&](const Walk& so_far) {
    if (so_far.pages != 1) return;
    server.remove("/bkt/key10049a");
    server.put("/bkt/key10020a", "x");
    server.put("/bkt/a", "x");
  });
  std::vector<std::string> wanted = keys;
  wanted.insert(wanted.begin() + 21, "key10020a");
  CHECK(found.names == wanted);
}

TEST_CASE("faults E2: the continuation token wins over start-after") {
  const TestServer server;
  put_all(server, {"a", "b", "c", "d"});
  const Response first = server.get("/bkt?list-type=2&max-keys=1&start-after=a");
  CHECK(all_between(first.body, "Key") == std::vector<std::string>{"b"});
  CHECK(between(first.body, "StartAfter") == "a");
  const std::string token = percent_encode(between(first.body, "NextContinuationToken"));
  const Response second = server.get("/bkt?list-type=2&start-after=a&continuation-token=" + token);
  CHECK(all_between(second.body, "Key") == std::vector<std::string>{"c", "d"});
  const Response bad = server.get("/bkt?list-type=2&continuation-token=%00garbage");
  CHECK(bad.status == 400);
}

TEST_CASE("faults E2: tokens survive keys of any bytes") {
  const TestServer server;
  const std::vector<std::string> keys = {
      "\x01",   "\t",        "\n", " ", "a\nb", "a%b", "a&b", "a+b", std::string(1024, 'b'),
      "\u65e5", "\U0001F600"};
  put_all(server, keys);
  for (const bool v2 : {false, true}) {
    std::vector<std::string> found;
    for (const std::string& name : walk(server, "max-keys=1&encoding-type=url", v2).names)
      found.push_back(percent_decode(name, true).value_or("bad"));
    CHECK(found == keys);
  }
}

TEST_CASE("faults E2: max-keys of 0, of the number of keys, and of no number") {
  const TestServer server;
  put_all(server, {"a", "b"});
  const Response none = server.get("/bkt?list-type=2&max-keys=0");
  CHECK(none.status == 200);
  CHECK(between(none.body, "IsTruncated") == "false");
  CHECK(all_between(none.body, "Key").empty());
  for (const char* wrong : {"x", "-1", "1.5", "99999999999999999999"})
    CHECK(server.get("/bkt?max-keys=" + std::string(wrong)).code() == "InvalidArgument");
  const Response exact = server.get("/bkt?max-keys=2");
  CHECK(between(exact.body, "IsTruncated") == "false");
  CHECK(exact.body.find("NextMarker") == std::string::npos);
}

TEST_CASE("faults E3: encoding-type=url encodes every name in the answer") {
  const TestServer server;
  put_all(server, {"a b", "a+b", "100%", "x/\u65e5", "x/y z/1", "x/y z/2"});
  const Response all = server.get("/bkt?list-type=2&encoding-type=url");
  CHECK(between(all.body, "EncodingType") == "url");
  CHECK(all_between(all.body, "Key") == std::vector<std::string>{"100%25", "a%20b", "a%2Bb",
                                                                 "x/y%20z/1", "x/y%20z/2",
                                                                 "x/%E6%97%A5"});
  const Response below = server.get(
      "/bkt?list-type=2&encoding-type=url&prefix=x%2Fy%20&delimiter=%2F&start-after=x%2Fa%20b");
  CHECK(between(below.body, "Prefix") == "x/y%20");
  CHECK(between(below.body, "Delimiter") == "/");
  CHECK(between(below.body, "StartAfter") == "x/a%20b");
  CHECK(prefixes_of(below) == std::vector<std::string>{"x/y%20z/"});
  const Response marked = server.get("/bkt?encoding-type=url&marker=a%20b&max-keys=1");
  CHECK(between(marked.body, "Marker") == "a%20b");
  CHECK(between(marked.body, "NextMarker") == "a%2Bb");
  const Response plain = server.get("/bkt?list-type=2");
  CHECK(plain.body.find("EncodingType") == std::string::npos);
  CHECK(plain.body.find("<Key>a b</Key>") != std::string::npos);
  CHECK(server.get("/bkt?encoding-type=none").code() == "InvalidArgument");
}

TEST_CASE("faults E3: a delimiter and a prefix that are encoded come back encoded") {
  const TestServer server;
  put_all(server, {"a b c", "a b d e", "a+b"});
  for (const char* version : {"", "&list-type=2"}) {
    const Response list =
        server.get("/bkt?encoding-type=url&delimiter=%20&prefix=a%20" + std::string(version));
    CHECK(between(list.body, "Prefix") == "a%20");
    CHECK(between(list.body, "Delimiter") == "%20");
    CHECK(prefixes_of(list) == std::vector<std::string>{"a%20b%20"});
  }
}

TEST_CASE("faults E3: versions and uploads in progress have their names encoded too") {
  const TestServer server;
  for (const char* key : {"a%20b", "a%20b%20c", "a%2Bb", "x%2F%E6%97%A5"}) {
    server.put("/bkt/" + std::string(key), "x");
    server.post("/bkt/" + std::string(key) + "?uploads", "");
  }
  for (const std::string& listing :
       {std::string("versions&max-keys"), std::string("uploads&max-uploads")}) {
    CAPTURE(listing);
    const std::string query = "/bkt?encoding-type=url&" + listing;
    const Response all = server.get(query + "=100");
    CHECK(between(all.body, "EncodingType") == "url");
    CHECK(all_between(all.body, "Key") ==
          std::vector<std::string>{"a%20b", "a%20b%20c", "a%2Bb", "x/%E6%97%A5"});
    const Response page = server.get(query + "=1&key-marker=a%20b&prefix=a%20");
    CHECK(between(page.body, "KeyMarker") == "a%20b");
    CHECK(between(page.body, "Prefix") == "a%20");
    CHECK(between(server.get(query + "=1").body, "NextKeyMarker") == "a%20b");
    const Response groups = server.get(query + "=100&delimiter=%20");
    CHECK(between(groups.body, "Delimiter") == "%20");
    CHECK(prefixes_of(groups) == std::vector<std::string>{"a%20"});
  }
}

TEST_CASE("faults E5: prefix and delimiter are plain strings") {
  const TestServer server;
  put_all(server, {"some/dir/a", "some/dir2", "some/dirt", "x--y--z", "x--w"});
  const Response dir = server.get("/bkt?list-type=2&prefix=some%2Fdir&delimiter=%2F");
  CHECK(prefixes_of(dir) == std::vector<std::string>{"some/dir/"});
  CHECK(all_between(dir.body, "Key") == std::vector<std::string>{"some/dir2", "some/dirt"});
  CHECK(between(dir.body, "KeyCount") == "3");
  CHECK(prefixes_of(server.get("/bkt?delimiter=--")) == std::vector<std::string>{"x--"});
  CHECK(prefixes_of(server.get("/bkt?prefix=x--&delimiter=--")) ==
        std::vector<std::string>{"x--y--"});
  const Response empty = server.get("/bkt?delimiter=&prefix=some");
  CHECK(all_between(empty.body, "Key").size() == 3);
  CHECK(prefixes_of(empty).empty());
}

TEST_CASE("faults E5: a delimiter that is in the prefix, and one that no key has") {
  const TestServer server;
  put_all(server, {"/lead", "a/b/c", "a/b/d/e", "a//f"});
  const auto keys_of = [&](const std::string& query) {
    return all_between(server.get("/bkt?list-type=2&" + query).body, "Key");
  };
  const Response below = server.get("/bkt?list-type=2&prefix=a%2Fb%2F&delimiter=%2F");
  CHECK(prefixes_of(below) == std::vector<std::string>{"a/b/d/"});
  CHECK(all_between(below.body, "Key") == std::vector<std::string>{"a/b/c"});
  CHECK(prefixes_of(server.get("/bkt?delimiter=%2F")) == std::vector<std::string>{"/", "a/"});
  CHECK(prefixes_of(server.get("/bkt?delimiter=%2F&prefix=a%2F")) ==
        std::vector<std::string>{"a//", "a/b/"});
  CHECK(keys_of("delimiter=%7C").size() == 4);
  CHECK(keys_of("prefix=none").empty());
  CHECK(keys_of("prefix=a%2Fb%2Fc") == std::vector<std::string>{"a/b/c"});
}

}  // namespace mocks3::test
