#include "server/page_token.hpp"
#include "tests/unit/handler_fixture.hpp"

using namespace mocks3;
using namespace mocks3::server;
using Names = std::vector<std::string>;

namespace {

struct KeysFixture : HandlerFixture {
  explicit KeysFixture(const Names& encoded) {
    for (const std::string& key : encoded) REQUIRE(put("/bkt/" + key, 7).status == 200);
  }
};

Names common_prefixes(const Reply& reply) {
  Names names = elements(reply, "Prefix");
  if (!names.empty()) names.erase(names.begin());  // the listing's own prefix
  return names;
}

/// Walks all pages; gives keys and common prefixes in the order in which they came.
Names walk(HandlerFixture& server, const std::string& query, bool v2) {
  Names seen;
  std::string position;
  for (int page = 0; page < 2000; ++page) {
    const Reply reply = server.get("/bkt?" + query + (v2 ? "&list-type=2" : "") + position);
    REQUIRE(reply.status == 200);
    for (const auto& key : elements(reply, "Key")) seen.push_back(key);
    for (const auto& prefix : common_prefixes(reply)) seen.push_back(prefix);
    const bool truncated = element(reply, "IsTruncated") == "true";
    const auto next = elements(reply, v2 ? "NextContinuationToken" : "NextMarker");
    REQUIRE(next.size() == (truncated ? 1 : 0));
    if (!truncated) return seen;
    position = (v2 ? "&continuation-token=" : "&marker=") + next[0];
  }
  FAIL("the listing does not end");
  return seen;
}

}  // namespace

TEST_CASE("list handlers: tokens") {
  for (const PageEnd& end :
       {PageEnd{"k", false}, PageEnd{"d/", true}, PageEnd{std::string("\xff\0\n+/=", 6), false},
        PageEnd{std::string(1024, 'k'), false}}) {
    const std::string token = end.token();
    CHECK(token.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789-_") == std::string::npos);
    const auto back = PageEnd::of_token(token);
    REQUIRE(back);
    CHECK(back->key == end.key);
    CHECK(back->prefix == end.prefix);
  }
  for (const std::string& token :
       {std::string(), std::string("k"), std::string("AWs="), std::string("!!!!"),
        PageEnd{"", false}.token(), PageEnd{std::string(1025, 'k'), false}.token(),
        PageEnd{"k", false}.token() + "A", std::string(100'000, 'A')}) {
    CHECK_FALSE(PageEnd::of_token(token));
  }
}

TEST_CASE("list handlers: the fields of a V2 page") {
  KeysFixture server({"a", "d/1", "d/2"});
  const Reply reply = server.get("/bkt?list-type=2&delimiter=%2F&start-after=0&prefix=");
  CHECK(text_of(reply).starts_with("<?xml"));
  CHECK(contains(reply, "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"));
  CHECK(element(reply, "Name") == "bkt");
  CHECK(element(reply, "KeyCount") == "2");
  CHECK(element(reply, "MaxKeys") == "1000");
  CHECK(element(reply, "Delimiter") == "/");
  CHECK(element(reply, "StartAfter") == "0");
  CHECK(element(reply, "IsTruncated") == "false");
  CHECK(elements(reply, "Key") == Names{"a"});
  CHECK(common_prefixes(reply) == Names{"d/"});
  CHECK(element(reply, "LastModified") == "2026-01-02T03:04:05.678Z");
  CHECK(element(reply, "Size") == "7");
  CHECK(element(reply, "StorageClass") == "STANDARD");
  CHECK(element(reply, "ETag").ends_with("-1&quot;"));
  CHECK(elements(reply, "Owner").empty());
  CHECK(elements(reply, "EncodingType").empty());
  CHECK(elements(server.get("/bkt?list-type=2&fetch-owner=true"), "Owner").size() == 3);
}

TEST_CASE("list handlers: the fields of a V1 page") {
  KeysFixture server({"a", "b", "c"});
  const Reply reply = server.get("/bkt?delimiter=&max-keys=2&marker=a");
  CHECK(elements(reply, "Key") == Names{"b", "c"});
  CHECK(element(reply, "Marker") == "a");
  CHECK(element(reply, "IsTruncated") == "false");
  CHECK(elements(reply, "NextMarker").empty());
  CHECK(elements(reply, "KeyCount").empty());
  CHECK(element(server.get("/bkt?delimiter=&max-keys=2"), "NextMarker") == "b");
  CHECK(element(server.get("/bkt/"), "DisplayName") == "mock-s3");
}

TEST_CASE("list handlers: every key and prefix once, whatever the page size") {
  KeysFixture server({"d/1", "d/2", "d/3", "d/4", "d/5", "e", "f/1"});
  for (const bool v2 : {false, true}) {
    CHECK(walk(server, "delimiter=/&max-keys=1", v2) == Names{"d/", "e", "f/"});
    CHECK(walk(server, "max-keys=1", v2).size() == 7);
    CHECK(walk(server, "max-keys=3&prefix=d/", v2).size() == 5);
  }
  HandlerFixture large;
  for (int n = 0; n < 1001; ++n) large.put("/bkt/" + std::to_string(n), 1);
  for (const char* size : {"1", "7", "1000"}) {
    for (const bool v2 : {false, true}) {
      CHECK(walk(large, std::string("max-keys=") + size, v2).size() == 1001);
    }
  }
}

TEST_CASE("list handlers: deletes while paging") {
  KeysFixture server({"a", "b", "c", "d"});
  const Reply first = server.get("/bkt?list-type=2&max-keys=2");
  server.del("/bkt/b");
  server.del("/bkt/c");
  const std::string token = element(first, "NextContinuationToken");
  const Reply second =
      server.get("/bkt?list-type=2&max-keys=2&start-after=c&continuation-token=" + token);
  CHECK(elements(second, "Key") == Names{"d"});
  CHECK(element(second, "ContinuationToken") == token);
  CHECK(elements(server.get("/bkt?list-type=2&start-after=a&continuation-token=" +
                            PageEnd{"0", false}.token()),
                 "Key") == Names{"a", "d"});
}

TEST_CASE("list handlers: an empty token is the start") {
  KeysFixture server({"a", "b"});
  const Reply reply = server.get("/bkt?list-type=2&continuation-token=");
  CHECK(elements(reply, "Key") == Names{"a", "b"});
  CHECK(element(reply, "ContinuationToken").empty());
  CHECK(elements(server.get("/bkt?list-type=2"), "ContinuationToken").empty());
}

TEST_CASE("list handlers: encoding-type=url") {
  KeysFixture server({"a%20b", "a%2Bb", "100%25", "x/%E6%97%A5"});
  const Reply encoded =
      server.get("/bkt?list-type=2&encoding-type=url&start-after=%20&delimiter=%C3%A9&prefix=");
  CHECK(element(encoded, "EncodingType") == "url");
  CHECK(elements(encoded, "Key") == Names{"100%25", "a%20b", "a%2Bb", "x/%E6%97%A5"});
  CHECK(element(encoded, "StartAfter") == "%20");
  CHECK(element(encoded, "Delimiter") == "%C3%A9");
  const Reply groups = server.get("/bkt?encoding-type=url&delimiter=/&prefix=x&marker=a%20");
  CHECK(elements(groups, "Prefix") == Names{"x", "x/"});
  CHECK(element(groups, "Marker") == "a%20");
  const Reply marker = server.get("/bkt?encoding-type=url&max-keys=2");
  CHECK(element(marker, "NextMarker") == "a%20b");
  CHECK(elements(server.get("/bkt"), "Key") == Names{"100%", "a b", "a+b", "x/日"});
}

TEST_CASE("list handlers: keys that are hard on XML") {
  KeysFixture server({"R%26D%20%3C1%3E%22%27.txt"});
  CHECK(elements(server.get("/bkt"), "Key") == Names{"R&amp;D &lt;1&gt;&quot;&apos;.txt"});
}

TEST_CASE("list handlers: prefixes and delimiters are plain strings") {
  KeysFixture server({"some/dir/1", "some/dir2", "some/di", "xabcy", "xabcz"});
  const Reply reply = server.get("/bkt?prefix=some/dir&delimiter=/");
  CHECK(common_prefixes(reply) == Names{"some/dir/"});
  CHECK(elements(reply, "Key") == Names{"some/dir2"});
  CHECK(common_prefixes(server.get("/bkt?prefix=x&delimiter=abc")) == Names{"xabc"});
  CHECK(elements(server.get("/bkt?prefix=none"), "Key").empty());
}

TEST_CASE("list handlers: a marker inside a group ends it, a start-after does not") {
  KeysFixture server({"d/1", "d/2", "e"});
  const std::string v2 = "/bkt?list-type=2&delimiter=/&start-after=";
  CHECK(common_prefixes(server.get(v2 + "d/1")) == Names{"d/"});
  CHECK(common_prefixes(server.get(v2 + "d/")).empty());
  for (const std::string marker : {"d/", "d/1", "d/2"}) {
    const Reply reply = server.get("/bkt?delimiter=/&marker=" + marker);
    CHECK(common_prefixes(reply).empty());
    CHECK(elements(reply, "Key") == Names{"e"});
  }
  CHECK(elements(server.get("/bkt?prefix=d/&delimiter=/&marker=d/"), "Key") == Names{"d/1", "d/2"});
  CHECK(elements(server.get("/bkt?marker=d/"), "Key") == Names{"d/1", "d/2", "e"});
}

TEST_CASE("list handlers: max-keys") {
  KeysFixture server({"a", "b"});
  const Reply none = server.get("/bkt?list-type=2&max-keys=0");
  CHECK(element(none, "IsTruncated") == "false");
  CHECK(element(none, "KeyCount") == "0");
  CHECK(element(none, "MaxKeys") == "0");
  CHECK(elements(none, "Key").empty());
  CHECK(element(server.get("/bkt?max-keys=5000"), "MaxKeys") == "1000");
  CHECK(element(server.get("/bkt?max-keys="), "MaxKeys") == "1000");
  CHECK(element(server.get("/bkt?max-keys=-0"), "MaxKeys") == "0");
  CHECK(element(server.get("/bkt?max-keys=000000000001"), "MaxKeys") == "1");
  for (const char* wrong : {"x", "1.5", "%205", "2147483648", "99999999999999999999"}) {
    CAPTURE(wrong);
    const Reply reply = server.get(std::string("/bkt?max-keys=") + wrong);
    CHECK(reply.error_code == "InvalidArgument");
    CHECK(element(reply, "Message") == "Provided max-keys not an integer or within integer range");
    CHECK(element(reply, "ArgumentName") == "max-keys");
  }
  CHECK(element(server.get("/bkt?max-keys=-1"), "Message") ==
        "Argument maxKeys must be an integer between 0 and 2147483647");
}

TEST_CASE("list handlers: what cannot be listed") {
  KeysFixture server({"a"});
  CHECK(server.get("/none?list-type=2").error_code == "NoSuchBucket");
  CHECK(server.get("/bkt?list-type=2&continuation-token=zzz").error_code == "InvalidArgument");
  CHECK(server.get("/bkt?encoding-type=base64").error_code == "InvalidArgument");
  CHECK(server.get("/bkt?continuation-token=").error_code == "InvalidArgument");
  CHECK(server.get("/bkt?start-after=a").error_code == "InvalidArgument");
  CHECK(server.get("/bkt?list-type=2&marker=a").error_code == "InvalidArgument");
  CHECK(server.get("/bkt?list-type=1&marker=").status == 200);
}

TEST_CASE("list handlers: the storage class of each object") {
  HandlerFixture server;
  server.put("/bkt/cold", 1, {{"x-amz-storage-class", "GLACIER"}});
  CHECK(element(server.get("/bkt"), "StorageClass") == "GLACIER");
}

TEST_CASE("list handlers: an object is its one version") {
  KeysFixture server({"a", "d/1", "d/2", "e"});
  const Reply reply = server.get("/bkt?versions&delimiter=/&prefix=");
  CHECK(contains(reply, "<ListVersionsResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"));
  CHECK(element(reply, "Name") == "bkt");
  CHECK(element(reply, "KeyMarker").empty());
  CHECK(element(reply, "VersionIdMarker").empty());
  CHECK(element(reply, "MaxKeys") == "1000");
  CHECK(element(reply, "Delimiter") == "/");
  CHECK(element(reply, "IsTruncated") == "false");
  CHECK(elements(reply, "Key") == Names{"a", "e"});
  CHECK(elements(reply, "VersionId") == Names{"null", "null"});
  CHECK(elements(reply, "IsLatest") == Names{"true", "true"});
  CHECK(element(reply, "Size") == "7");
  CHECK(element(reply, "StorageClass") == "STANDARD");
  CHECK(elements(reply, "Owner").size() == 2);
  CHECK(common_prefixes(reply) == Names{"d/"});
  CHECK(elements(reply, "NextKeyMarker").empty());
  CHECK(server.get("/none?versions").error_code == "NoSuchBucket");
}

TEST_CASE("list handlers: versions page by page") {
  KeysFixture server({"a%20b", "d/1", "d/2", "e"});
  Names seen;
  std::string position;
  for (int page = 0; page < 3; ++page) {
    const Reply reply =
        server.get("/bkt?versions&encoding-type=url&delimiter=/&max-keys=1" + position);
    for (const auto& key : elements(reply, "Key")) seen.push_back(key);
    for (const auto& prefix : common_prefixes(reply)) seen.push_back(prefix);
    CHECK(element(reply, "IsTruncated") == (page < 2 ? "true" : "false"));
    CHECK(elements(reply, "NextVersionIdMarker").size() == (page == 0 ? 1 : 0));
    position = "&key-marker=" + element(reply, "NextKeyMarker");
    if (page == 0) position += "&version-id-marker=null";
  }
  CHECK(seen == Names{"a%20b", "d/", "e"});
}

TEST_CASE("list handlers: markers of versions that S3 refuses") {
  KeysFixture server({"a", "b"});
  const auto message = [&](const std::string& query) {
    const Reply reply = server.get("/bkt?versions&" + query);
    CHECK(reply.error_code == "InvalidArgument");
    return element(reply, "Message");
  };
  const std::string without_key = "A version-id marker cannot be specified without a key marker.";
  CHECK(message("version-id-marker=null") == without_key);
  CHECK(message("version-id-marker=") == without_key);
  CHECK(message("key-marker=a&version-id-marker=") == "A version-id marker cannot be empty.");
  CHECK(message("key-marker=a&version-id-marker=x&encoding-type=bad") ==
        "Invalid version id specified");
  CHECK(message("encoding-type=bad") == "Invalid Encoding Method specified in Request");
  CHECK(message("max-keys=abc&version-id-marker=x") ==
        "Provided max-keys not an integer or within integer range");
  CHECK(elements(server.get("/bkt?versions&key-marker=a"), "Key") == Names{"b"});
  CHECK(elements(server.get("/bkt?versions&key-marker=0"), "Key") == Names{"a", "b"});
  CHECK(element(server.get("/bkt?versions&max-keys=0"), "IsTruncated") == "false");
}
