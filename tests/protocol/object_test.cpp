#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "shared/util/encode.hpp"
#include "tests/protocol/framing.hpp"

namespace mocks3::test {
namespace {

/// Keys that a server which decodes twice, normalises or takes '+' for a space would confuse.
const std::vector<std::string> kKeys = {
    "a b", "a+b",    "a%b",    "a%2Bb", "q?x#y", "x/../y", "\u65e5\u672c", "!*'();:@&=$,[]~",
    "/",   "//lead", "trail/", "x//y",  "."};

std::string target_of(const std::string& key) { return "/bkt/" + percent_encode(key, true); }

}  // namespace

TEST_CASE("awkward keys are distinct objects and come back as they were") {
  const TestServer server;
  for (size_t i = 0; i < kKeys.size(); ++i)
    CHECK(server.put(target_of(kKeys[i]), std::string(i + 1, 'x')).status == 200);
  for (size_t i = 0; i < kKeys.size(); ++i) {
    CAPTURE(kKeys[i]);
    CHECK(server.size_of(target_of(kKeys[i])) == std::to_string(i + 1));
  }
  const Response list = server.get("/bkt?list-type=2&encoding-type=url");
  std::set<std::string> listed;
  for (const std::string& key : all_between(list.body, "Key"))
    listed.insert(percent_decode(key).value_or("bad"));
  CHECK(listed == std::set<std::string>(kKeys.begin(), kKeys.end()));
}

TEST_CASE("a path is decoded once, a plus is literal there, and escapes may be avoided") {
  const TestServer server;
  server.put("/bkt/a+b", "1");
  CHECK(server.size_of("/bkt/a%2Bb") == "1");
  CHECK(server.size_of("/bkt/a%2bb") == "1");
  CHECK(server.size_of("/bkt/a%20b") == "none");
  CHECK(server.size_of("/bkt/a%252Bb") == "none");
  server.put("/bkt/!*'();:@&=$,~", "12");
  CHECK(server.size_of("/bkt/%21%2A%27%28%29%3B%3A%40%26%3D%24%2C%7E") == "2");
  server.put("/bkt/d%2Fe", "123");
  CHECK(server.size_of("/bkt/d/e") == "3");
}

TEST_CASE("a bucket is the same with and without the slash") {
  const TestServer server;
  for (const char* bucket : {"/one", "/two/"}) CHECK(server.put(bucket, "").status == 200);
  server.put("/one/k", "x");
  for (const char* bucket : {"/one", "/one/", "/two", "/two/"}) {
    CHECK(server.head(bucket).status == 200);
    CHECK(server.get(bucket).body.find("<ListBucketResult") != std::string::npos);
  }
  const std::string xml = "<Delete><Object><Key>k</Key></Object></Delete>";
  CHECK(server.post("/one/?delete=", xml).status == 200);
  CHECK(server.post("/one?delete", xml).status == 200);
  for (const char* bucket : {"/one/", "/two"}) CHECK(server.remove(bucket).status == 204);
  CHECK(between(server.get("/").body, "Name").empty());
}

TEST_CASE("host names select buckets only below a configured domain") {
  server::Options options = test_options();
  options.domains = {"s3.example.com"};
  const TestServer server(options);
  server.put("/bkt/k", "123");
  server.put("/my.dot.bkt/k", "12345");
  const auto size_at = [&](const char* host, const char* target) {
    return server.head(target, {{"Host", host}}).header("content-length");
  };
  for (const char* host : {"bkt.s3.example.com", "bkt.s3.example.com:8080", "BKT.s3.example.com",
                           "bkt.localhost:8080", "bkt.s3.localhost"})
    CHECK(size_at(host, "/k") == "3");
  CHECK(size_at("my.dot.bkt.s3.localhost", "/k") == "5");
  CHECK(size_at("my.dot.bkt.s3.example.com", "/k") == "5");
  for (const char* host : {"s3.example.com", "localhost:8080", "127.0.0.1:8080", "[::1]:8080",
                           "s3.us-east-1.localhost", "other.example.org"})
    CHECK(size_at(host, "/bkt/k") == "3");
}

TEST_CASE("ranges are cut to the object") {
  const TestServer server;
  server.put("/bkt/k", std::string(600, 'x'));
  const std::string whole = server.get("/bkt/k").body;
  struct Case {
    const char* range;
    size_t from, length;
  };
  for (const Case& c :
       {Case{"bytes=0-", 0, 600}, Case{"bytes=0-599", 0, 600}, Case{"bytes=0-6000", 0, 600},
        Case{"bytes=500-1000", 500, 100}, Case{"bytes=599-599", 599, 1}, Case{"bytes=-1", 599, 1},
        Case{"bytes=-600", 0, 600}, Case{"bytes=-9999", 0, 600}, Case{"bytes=0-52428799", 0, 600},
        Case{"bytes=1-18446744073709551615", 1, 599}}) {
    CAPTURE(c.range);
    const Response answer = server.get("/bkt/k", {{"Range", c.range}});
    CHECK(answer.status == 206);
    CHECK(answer.body == whole.substr(c.from, c.length));
    CHECK(answer.header("content-range") ==
          "bytes " + std::to_string(c.from) + "-" + std::to_string(c.from + c.length - 1) + "/600");
    const Response head = server.head("/bkt/k", {{"Range", c.range}});
    CHECK(head.status == 206);
    CHECK(head.header("content-length") == std::to_string(c.length));
  }
}

TEST_CASE("ranges that are none of bytes are ignored, those outside are refused") {
  const TestServer server;
  server.put("/bkt/k", std::string(600, 'x'));
  for (const char* range :
       {"bytes=5-2", "bytes=a-b", "lines=0-1", "bytes=0-1,4-5", "bytes=", "-"}) {
    CAPTURE(range);
    const Response answer = server.get("/bkt/k", {{"Range", range}});
    CHECK(answer.status == 200);
    CHECK(answer.body.size() == 600);
    CHECK_FALSE(answer.has("content-range"));
  }
  for (const char* range : {"bytes=600-", "bytes=600-700", "bytes=9999-99999", "bytes=-0"}) {
    CAPTURE(range);
    const Response answer = server.get("/bkt/k", {{"Range", range}});
    CHECK(answer.status == 416);
    CHECK(answer.code() == "InvalidRange");
    CHECK(answer.header("content-range") == "bytes */600");
    CHECK(between(answer.body, "RangeRequested") == range);
    CHECK(between(answer.body, "ActualObjectSize") == "600");
  }
}

TEST_CASE("ranges of an empty object") {
  const TestServer server;
  CHECK(server.put("/bkt/e", "").header("etag") == "\"d41d8cd98f00b204e9800998ecf8427e\"");
  for (const char* range : {"bytes=0-0", "bytes=0-", "bytes=5-9"})
    CHECK(server.get("/bkt/e", {{"Range", range}}).status == 416);
  const Response answer = server.get("/bkt/e", {{"Range", "bytes=-1"}});
  CHECK(answer.status == 200);
  CHECK(answer.header("content-length") == "0");
  CHECK_FALSE(answer.has("content-range"));
}

TEST_CASE("an ETag is understood quoted, bare and weak") {
  const TestServer server;
  const std::string quoted = server.put("/bkt/k", "123").header("etag");
  const std::string bare = quoted.substr(1, quoted.size() - 2);
  for (const std::string& spelling :
       {quoted, bare, "W/" + quoted, "\"other\", " + quoted, std::string("*")}) {
    CAPTURE(spelling);
    CHECK(server.get("/bkt/k", {{"If-Match", spelling}}).status == 200);
    const Response unchanged = server.get("/bkt/k", {{"If-None-Match", spelling}});
    CHECK(unchanged.status == 304);
    CHECK(unchanged.header("etag") == quoted);
    CHECK(server.head("/bkt/k", {{"If-None-Match", spelling}}).status == 304);
  }
  CHECK(server.get("/bkt/k", {{"If-Match", "\"other\""}}).code() == "PreconditionFailed");
  CHECK(server.head("/bkt/k", {{"If-Match", "\"other\""}}).status == 412);
  CHECK(server.get("/bkt/k", {{"If-None-Match", "\"other\""}}).status == 200);
}

TEST_CASE("conditions on dates") {
  const TestServer server;
  server.put("/bkt/k", "123");
  const std::string modified = server.head("/bkt/k").header("last-modified");
  const std::string old = "Wed, 21 Oct 2015 07:28:00 GMT";
  CHECK(server.get("/bkt/k", {{"If-Modified-Since", modified}}).status == 304);
  CHECK(server.get("/bkt/k", {{"If-Modified-Since", old}}).status == 200);
  CHECK(server.get("/bkt/k", {{"If-Modified-Since", "yesterday"}}).status == 200);
  CHECK(server.get("/bkt/k", {{"If-Unmodified-Since", modified}}).status == 200);
  CHECK(server.get("/bkt/k", {{"If-Unmodified-Since", old}}).status == 412);
}

TEST_CASE("a connection is in step after 304 and 412") {
  const TestServer server;
  const std::string etag = server.put("/bkt/k", "123").header("etag");
  RawClient client(server.port());
  for (int i = 0; i < 3; ++i) {
    CHECK(client.request(make_request("GET", "/bkt/k", {{"If-None-Match", etag}})).status == 304);
    CHECK(client.request(make_request("HEAD", "/bkt/k", {{"If-Match", "x"}}), true).status == 412);
    CHECK(client.request(make_request("PUT", "/bkt/k", {{"If-Match", "x"}}, "1234")).status == 412);
    CHECK(client.request(make_request("DELETE", "/bkt/none")).status == 204);
    CHECK(client.request(make_request("GET", "/bkt/k")).body.size() == 3);
  }
}

TEST_CASE("metadata comes back, and too much of it is refused") {
  const TestServer server;
  const std::string day = "\u65e5\u672c";
  const Headers headers = {{"x-amz-meta-name", day},
                           {"x-amz-meta-a", "1"},
                           {"x-amz-meta-a", "2"},
                           {"x-amz-meta-mtime", "1700000000.5"},
                           {"Cache-Control", "no-cache"},
                           {"Content-Disposition", "inline"},
                           {"x-amz-acl", "private"},
                           {"x-amz-storage-class", "STANDARD"},
                           {"x-amz-server-side-encryption", "AES256"},
                           {"x-amz-request-payer", "requester"}};
  CHECK(server.put("/bkt/k", "x", headers).status == 200);
  const Response head = server.head("/bkt/k");
  const std::string name = head.header("x-amz-meta-name");
  CHECK((name == day || name == "=?UTF-8?B?5pel5pys?="));
  CHECK((head.header("x-amz-meta-a") == "1,2" || head.header("x-amz-meta-a") == "1, 2"));
  CHECK(head.header("x-amz-meta-mtime") == "1700000000.5");
  CHECK(head.header("cache-control") == "no-cache");
  CHECK(head.header("content-disposition") == "inline");
  const Response answer = server.put("/bkt/k", "x", {{"x-amz-meta-big", std::string(2100, 'm')}});
  CHECK(answer.code() == "MetadataTooLarge");
  CHECK(server.get("/bkt/k", {{"x", "y"}}).header("x-amz-meta-mtime") == "1700000000.5");
}

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
