#include <doctest/doctest.h>

#include "shared/util/encode.hpp"
#include "tests/protocol/framing.hpp"
#include "tests/protocol/parallel.hpp"

namespace mocks3::test {
namespace {

struct SubResource {
  const char* method;
  const char* target;
  unsigned status;   ///< 0: 404 or 501
  const char* mark;  ///< stands in the body
};

const SubResource kSubResources[] = {
    {"GET", "/bkt?acl", 200, "<AccessControlPolicy"},
    {"GET", "/bkt/?acl=", 200, "<AccessControlPolicy"},
    {"GET", "/bkt?versioning", 200, "<VersioningConfiguration"},
    {"GET", "/bkt?location", 200, "<LocationConstraint"},
    {"GET", "/bkt?policy", 404, "NoSuchBucketPolicy"},
    {"GET", "/bkt?cors=", 404, "NoSuchCORSConfiguration"},
    {"GET", "/bkt/k?acl", 200, "<AccessControlPolicy"},
    {"GET", "/bkt/k?acl=", 200, "<AccessControlPolicy"},
    {"GET", "/bkt/k?tagging", 200, "<TagSet"},
    {"PUT", "/bkt/k?acl", 200, ""},
    {"GET", "/bkt?lifecycle", 0, "<Error>"},
    {"GET", "/bkt?object-lock", 0, "<Error>"},
    {"GET", "/bkt?encryption", 0, "<Error>"},
    {"GET", "/bkt?replication", 0, "<Error>"},
    {"GET", "/bkt?website", 0, "<Error>"},
    {"GET", "/bkt?tagging", 0, "<Error>"},
    {"GET", "/bkt?notification", 0, "<Error>"},
    {"GET", "/bkt?logging", 0, "<Error>"},
    {"GET", "/bkt?versions", 0, "<Error>"},
    {"GET", "/bkt?uploads", 0, "<Error>"},
    {"GET", "/bkt?somethingnew", 0, "<Error>"},
    {"PUT", "/bkt?lifecycle", 0, "<Error>"},
    {"PUT", "/bkt?versioning", 0, "<Error>"},
    {"PUT", "/bkt?policy", 0, "<Error>"},
    {"DELETE", "/bkt?policy", 0, "<Error>"},
    {"DELETE", "/bkt?lifecycle", 0, "<Error>"},
    {"GET", "/bkt/k?torrent", 0, "<Error>"},
    {"GET", "/bkt/k?retention", 0, "<Error>"},
    {"GET", "/bkt/k?legal-hold", 0, "<Error>"},
    {"GET", "/bkt/k?attributes", 0, "<Error>"},
    {"PUT", "/bkt/k?tagging", 0, "<Error>"},
    {"PUT", "/bkt/k?retention", 0, "<Error>"},
    {"DELETE", "/bkt/k?tagging", 0, "<Error>"},
    {"POST", "/bkt/k?restore", 0, "<Error>"},
    {"POST", "/bkt/k?select&select-type=2", 0, "<Error>"},
    {"PUT", "/bkt/k?somethingnew", 0, "<Error>"},
};

unsigned put_if(const TestServer& server, const Headers& headers) {
  return server.put("/bkt/c", "1", headers).status;
}

std::string copied_size(const TestServer& server, const std::string& source) {
  server.remove("/bkt/copy");
  const Response answer = server.put("/bkt/copy", "", {{"x-amz-copy-source", source}});
  CHECK(answer.status == 200);
  CHECK(answer.body.find("<CopyObjectResult") != std::string::npos);
  CHECK_FALSE(between(answer.body, "ETag").empty());
  CHECK_FALSE(between(answer.body, "LastModified").empty());
  return server.size_of("/bkt/copy");
}

}  // namespace

TEST_CASE("a sub-resource never falls through to the object or the listing") {
  const TestServer server;
  const std::string etag = server.put("/bkt/k", "abc").header("etag");
  for (const SubResource& c : kSubResources) {
    CAPTURE(c.method);
    CAPTURE(c.target);
    RawClient client(server.port());
    const Response answer = client.request(make_request(c.method, c.target));
    CHECK(
        (c.status != 0 ? answer.status == c.status : answer.status == 404 || answer.status == 501));
    CHECK(answer.body.find(c.mark) != std::string::npos);
    CHECK(answer.body.find("ListBucketResult") == std::string::npos);
  }
  CHECK(server.head("/bkt/k").header("etag") == etag);
  CHECK(server.head("/bkt").status == 200);
}

TEST_CASE("of many creations with If-None-Match exactly one succeeds") {
  const TestServer server;
  for (int round = 0; round < 5; ++round) {
    const std::string target = "/bkt/only" + std::to_string(round);
    std::atomic<int> made{0}, refused{0};
    in_parallel(50, [&](size_t) {
      const unsigned status = server.put(target, "x", {{"If-None-Match", "*"}}).status;
      ++(status == 200 ? made : refused);
      if (status != 200 && status != 412) refused += 1000;
    });
    CHECK(made == 1);
    CHECK(refused == 49);
  }
}

TEST_CASE("writes with If-Match") {
  const TestServer server;
  CHECK(put_if(server, {{"If-Match", "\"x\""}}) == 404);
  CHECK(put_if(server, {}) == 200);
  const std::string etag = server.head("/bkt/c").header("etag");
  CHECK(put_if(server, {{"If-Match", "\"x\""}}) == 412);
  CHECK(put_if(server, {{"If-None-Match", "*"}}) == 412);
  CHECK(server.head("/bkt/c").header("etag") == etag);
  CHECK(put_if(server, {{"If-Match", etag}}) == 200);
  CHECK(put_if(server, {{"If-Match", etag}}) == 412);
}

TEST_CASE("a refused write with a large body is answered and the connection goes on") {
  const TestServer server;
  server.put("/bkt/c", "1");
  RawClient client(server.port());
  const std::string request =
      make_request("PUT", "/bkt/c", {{"If-None-Match", "*"}}, std::string(8 << 20, 'x'));
  for (int i = 0; i < 3; ++i) CHECK(client.request(request).status == 412);
  CHECK(client.request(make_request("HEAD", "/bkt/c"), true).header("content-length") == "1");
}

TEST_CASE("a copy source may be spelled in several ways") {
  const TestServer server;
  const std::string key = "a b+c/\u65e5";
  const std::string encoded = "bkt/a%20b%2Bc/%E6%97%A5";
  server.put("/" + encoded, "1234", {{"x-amz-meta-a", "1"}, {"Content-Type", "text/x-test"}});
  for (const std::string& source :
       {encoded, "/" + encoded, percent_encode("bkt/" + key), percent_encode("/bkt/" + key),
        "/bkt/" + key, encoded + "?versionId=null"}) {
    CAPTURE(source);
    CHECK(copied_size(server, source) == "4");
  }
  const Response head = server.head("/bkt/copy");
  CHECK(head.header("x-amz-meta-a") == "1");
  CHECK(head.header("content-type") == "text/x-test");
}

TEST_CASE("a copy may replace metadata, and must say so to copy onto itself") {
  const TestServer server;
  server.put("/bkt/k", "1234", {{"x-amz-meta-a", "1"}});
  const Headers replace = {{"x-amz-copy-source", "bkt/k"},
                           {"x-amz-metadata-directive", "REPLACE"},
                           {"x-amz-meta-b", "2"}};
  CHECK(server.put("/bkt/k", "", {{"x-amz-copy-source", "bkt/k"}}).code() == "InvalidRequest");
  CHECK(server.put("/bkt/k", "", replace).status == 200);
  const Response head = server.head("/bkt/k");
  CHECK(head.header("content-length") == "4");
  CHECK(head.header("x-amz-meta-b") == "2");
  CHECK_FALSE(head.has("x-amz-meta-a"));
}

TEST_CASE("copies from what is not there, or not as demanded") {
  const TestServer server;
  server.put("/bkt/k", "1234");
  const auto code = [&](const Headers& headers) {
    return server.put("/bkt/c", "", headers).code();
  };
  CHECK(code({{"x-amz-copy-source", "bkt/none"}}) == "NoSuchKey");
  CHECK(code({{"x-amz-copy-source", "none/k"}}) == "NoSuchBucket");
  CHECK(code({{"x-amz-copy-source", "bkt"}}) == "InvalidArgument");
  CHECK(code({{"x-amz-copy-source", "bkt/%zz"}}) == "InvalidArgument");
  CHECK(code({{"x-amz-copy-source", "bkt/k"}, {"x-amz-copy-source-if-match", "x"}}) ==
        "PreconditionFailed");
  CHECK(server.size_of("/bkt/c") == "none");
}

TEST_CASE("DeleteObjects deletes exact keys") {
  const TestServer server;
  const std::vector<std::pair<std::string, std::string>> keys = {
      {"a<b", "a&lt;b"},   {"c&d", "c&#38;d"},         {"eAf", "e&#x41;f"}, {" lead", " lead"},
      {"n\nl", "n&#10;l"}, {"g>h", "<![CDATA[g>h]]>"}, {"tail ", "tail "},  {" ", " "}};
  std::string xml =
      "<?xml version=\"1.0\"?>\n<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\n";
  for (const auto& [key, spelled] : keys) {
    CHECK(server.put("/bkt/" + percent_encode(key), "x").status == 200);
    xml += " <Object>\n <Key>" + spelled + "</Key> </Object>\n";
  }
  server.put("/bkt/stays", "x");
  const Response answer = server.post("/bkt?delete", xml + "</Delete>\n");
  CHECK(answer.status == 200);
  CHECK(all_between(answer.body, "Deleted").size() == keys.size());
  CHECK(all_between(server.get("/bkt?list-type=2").body, "Key") ==
        std::vector<std::string>{"stays"});
}

TEST_CASE("DeleteObjects: missing keys, quiet, empty, too many, no XML") {
  const TestServer server;
  server.put("/bkt/k", "x");
  const std::string objects = "<Object><Key>k</Key></Object><Object><Key>none</Key></Object>";
  const Response loud = server.post("/bkt?delete", "<Delete>" + objects + "</Delete>");
  CHECK(all_between(loud.body, "Key") == std::vector<std::string>{"k", "none"});
  const Response quiet =
      server.post("/bkt?delete", "<Delete><Quiet>true</Quiet>" + objects + "</Delete>");
  CHECK(quiet.status == 200);
  CHECK(quiet.body.find("<DeleteResult") != std::string::npos);
  CHECK(quiet.body.find("<Key>") == std::string::npos);
  std::string many = "<Delete>";
  for (int i = 0; i < 1000; ++i) many += "<Object><Key>k" + std::to_string(i) + "</Key></Object>";
  CHECK(server.post("/bkt?delete", many + "</Delete>").status == 200);
  many += "<Object><Key>one more</Key></Object></Delete>";
  for (const std::string& wrong : {many, std::string("<Delete></Delete>"), std::string("<Delete>"),
                                   std::string("no xml"), std::string()})
    CHECK(server.post("/bkt?delete", wrong).code() == "MalformedXML");
}

TEST_CASE("deletes succeed whether or not the key is there") {
  const TestServer server;
  server.put("/bkt/k", "x");
  for (int i = 0; i < 2; ++i) {
    const Response answer = server.remove("/bkt/k");
    CHECK(answer.status == 204);
    CHECK_FALSE(answer.has("content-length"));
  }
  CHECK(server.remove("/none/k").code() == "NoSuchBucket");
}

TEST_CASE("tags of an upload come back decoded, and are counted") {
  const TestServer server;
  CHECK(server.put("/bkt/k", "x", {{"x-amz-tagging", "a=1&b%20c=%2B"}}).status == 200);
  const Response tags = server.get("/bkt/k?tagging");
  CHECK(all_between(tags.body, "Key") == std::vector<std::string>{"a", "b c"});
  CHECK(all_between(tags.body, "Value") == std::vector<std::string>{"1", "+"});
  CHECK(server.head("/bkt/k").header("x-amz-tagging-count") == "2");
  CHECK(server.put("/bkt/k", "x", {{"x-amz-tagging", "a=1&a=2"}}).status == 400);
}

TEST_CASE("tags that were not set are an empty set") {
  const TestServer server;
  server.put("/bkt/k", "x");
  const Response tags = server.get("/bkt/k?tagging");
  CHECK(tags.status == 200);
  CHECK(tags.body.find("<Tag>") == std::string::npos);
  CHECK_FALSE(server.head("/bkt/k").has("x-amz-tagging-count"));
}

}  // namespace mocks3::test
