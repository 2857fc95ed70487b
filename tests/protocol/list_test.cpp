#include <doctest/doctest.h>

#include <algorithm>
#include <pugixml.hpp>
#include <set>

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
template <class BetweenPages>
Walk walk(const TestServer& server, const std::string& query, bool v2, BetweenPages between_pages) {
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
    next = truncated ? (v2 ? "&continuation-token=" : "&marker=") + percent_encode(mark) : "";
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

TEST_CASE("a delimiter with pages of one shows each prefix once") {
  const TestServer server;
  put_all(server, {"d/1", "d/2", "d/3", "d/4", "d/5", "e", "f/1"});
  for (const bool v2 : {false, true}) {
    const Walk found = walk(server, "delimiter=%2F&max-keys=1", v2);
    CHECK(found.names == std::vector<std::string>{"d/", "e", "f/"});
    CHECK(found.pages == 3);
  }
}

TEST_CASE("pages of any size give every key once and in order") {
  const TestServer server;
  const auto keys = numbered_keys(1001);
  put_all(server, keys);
  for (const bool v2 : {false, true})
    for (const size_t page : std::vector<size_t>{7, 143, 1000, 5000}) {
      const Walk found = walk(server, "max-keys=" + std::to_string(page), v2);
      CHECK(found.names == keys);
      const size_t most = std::min<size_t>(page, 1000);
      CHECK(found.pages == (keys.size() + most - 1) / most);
    }
  CHECK(walk(server, "max-keys=1&start-after=key10900", true).pages == 100);
}

TEST_CASE("a walk goes on where it was though keys are deleted meanwhile") {
  const TestServer server;
  const auto keys = numbered_keys(100);
  put_all(server, keys);
  const Walk found = walk(server, "max-keys=7", true, [&](const Walk& so_far) {
    server.remove("/bkt/" + so_far.names.back());
    server.remove("/bkt/" + so_far.names.front());
  });
  CHECK(found.names == keys);
}

TEST_CASE("the continuation token wins over start-after") {
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

TEST_CASE("tokens survive keys of any bytes") {
  const TestServer server;
  const std::vector<std::string> keys = {" ", "a\nb", "a%b", "a&b", "a+b", "\u65e5", "\U0001F600"};
  put_all(server, keys);
  std::vector<std::string> found;
  for (const std::string& name : walk(server, "max-keys=1&encoding-type=url", true).names)
    found.push_back(percent_decode(name, true).value_or("bad"));
  CHECK(found == keys);
}

TEST_CASE("encoding-type=url encodes every name in the answer") {
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

TEST_CASE("any XML reader can read a listing and an error with awkward names") {
  const TestServer server;
  const std::string key = "R&D <1>\"'.txt";
  put_all(server, {key,
                   "a\x01"
                   "b"});
  pugi::xml_document list, error;
  CHECK(list.load_string(server.get("/bkt?prefix=R").body.c_str()));
  CHECK(list.child("ListBucketResult").child("Contents").child_value("Key") == key);
  CHECK(list.load_string(server.get("/bkt").body.c_str()));
  const Response missing = server.get("/bkt/" + percent_encode(key + "x"));
  CHECK(error.load_string(missing.body.c_str()));
  CHECK(std::string(error.child("Error").child_value("Key")) == key + "x");
}

TEST_CASE("prefix and delimiter are plain strings") {
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

TEST_CASE("max-keys") {
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

TEST_CASE("every answer in XML starts with the declaration and names S3's namespace") {
  const TestServer server;
  server.put("/bkt/k", "x");
  const std::string id = between(server.post("/bkt/k?uploads", "").body, "UploadId");
  const Headers copy = {{"x-amz-copy-source", "bkt/k"}};
  for (const Response& answer :
       {server.get("/"), server.get("/bkt"), server.get("/bkt?list-type=2"),
        server.get("/bkt?location"), server.get("/bkt?versioning"), server.get("/bkt?acl"),
        server.get("/bkt/k?tagging"), server.put("/bkt/c", "", copy),
        server.post("/bkt/k?uploads", ""), server.get("/bkt/k?uploadId=" + id),
        server.post("/bkt?delete", "<Delete><Object><Key>n</Key></Object></Delete>")}) {
    CAPTURE(answer.body);
    CHECK(answer.status == 200);
    CHECK(answer.header("content-type") == "application/xml");
    CHECK(answer.body.substr(0, 14) == "<?xml version=");
    CHECK(answer.body.find(" xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"") < 120);
    CHECK(pugi::xml_document().load_string(answer.body.c_str()));
  }
  const Response error = server.get("/bkt/none");
  CHECK(error.body.substr(0, 14) == "<?xml version=");
  CHECK(error.body.find("xmlns") == std::string::npos);
}

TEST_CASE("dates in XML are ISO 8601 and as late as the upload") {
  const TestServer server;
  server.put("/bkt/k", "x");
  const std::string date = between(server.get("/bkt").body, "LastModified");
  CHECK(date.size() == 24);
  CHECK(date[10] == 'T');
  CHECK(date[19] == '.');
  CHECK(date.back() == 'Z');
}

TEST_CASE("buckets: location, region, and creating twice") {
  const TestServer server;
  CHECK(server.put("/made", "").header("location") == "/made");
  CHECK(server.put("/made", "").status == 200);
  CHECK(server.head("/made").header("x-amz-bucket-region") == "us-east-1");
  const std::string location = server.get("/made?location=").body;
  CHECK(location.find("<LocationConstraint") != std::string::npos);
  CHECK(between(location, "LocationConstraint").empty());
  const std::string elsewhere =
      "<CreateBucketConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
      "<LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>";
  const unsigned status = server.put("/other", elsewhere).status;
  CHECK((status == 200 || status == 400));
  CHECK(server.put("/broken", "<CreateBucket").code() == "MalformedXML");
  for (const char* name : {"/-abc", "/a..b%00", "/sp%20ace"})
    CHECK(server.put(name, "").code() == "InvalidBucketName");
  CHECK(server.get("/unknown").code() == "NoSuchBucket");
  server.put("/made/k", "x");
  CHECK(server.remove("/made").code() == "BucketNotEmpty");
  CHECK(server.remove("/unknown").code() == "NoSuchBucket");
  CHECK(all_between(server.get("/").body, "Name").front() == "made");
}

TEST_CASE("a region other than us-east-1") {
  server::Options options = test_options();
  options.region = "eu-west-1";
  const TestServer server(options);
  CHECK(server.put("/made", "").status == 200);
  CHECK(server.put("/made", "").code() == "BucketAlreadyOwnedByYou");
  CHECK(server.head("/made").header("x-amz-bucket-region") == "eu-west-1");
  CHECK(server.get("/made?location").body.find(">eu-west-1</LocationConstraint>") !=
        std::string::npos);
}

}  // namespace mocks3::test
