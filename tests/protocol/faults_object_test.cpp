#include <doctest/doctest.h>

#include "shared/util/encode.hpp"
#include "tests/protocol/framing.hpp"
#include "tests/protocol/multipart_upload.hpp"

namespace mocks3::test {
namespace {

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

TEST_CASE("faults F4: a copy source may be spelled in several ways") {
  const TestServer server;
  const std::string key = "a b+c/\u65e5";
  const std::string encoded = "bkt/a%20b%2Bc/%E6%97%A5";
  server.put("/" + encoded, "1234", {{"x-amz-meta-a", "1"}, {"Content-Type", "text/x-test"}});
  for (const std::string& source :
       {encoded, "/" + encoded, percent_encode("bkt/" + key), percent_encode("/bkt/" + key),
        "/bkt/" + key, encoded + "?versionId=null", "/" + encoded + "?versionId=null",
        percent_encode("/bkt/" + key) + "?versionId=null"}) {
    CAPTURE(source);
    CHECK(copied_size(server, source) == "4");
  }
  const Response head = server.head("/bkt/copy");
  CHECK(head.header("x-amz-meta-a") == "1");
  CHECK(head.header("content-type") == "text/x-test");
}

TEST_CASE("faults F4: a copy source is decoded once") {
  const TestServer server;
  server.put("/bkt/a%2Bb", "1");     // a+b
  server.put("/bkt/a%252Bb", "12");  // a%2Bb
  server.put("/bkt/q%3Fx", "123");   // q?x
  CHECK(copied_size(server, "bkt/a%2Bb") == "1");
  CHECK(copied_size(server, "bkt/a+b") == "1");
  CHECK(copied_size(server, "bkt/a%252Bb") == "2");
  CHECK(copied_size(server, "bkt/q%3Fx") == "3");
  CHECK(server.put("/bkt/c", "", {{"x-amz-copy-source", "bkt/a%20b"}}).code() == "NoSuchKey");
}

TEST_CASE("faults F4: copies from what is not there, or not as demanded") {
  const TestServer server;
  server.put("/bkt/k", "1234");
  const auto code = [&](const Headers& headers) {
    return server.put("/bkt/c", "", headers).code();
  };
  CHECK(code({{"x-amz-copy-source", "bkt/none"}}) == "NoSuchKey");
  CHECK(code({{"x-amz-copy-source", "none/k"}}) == "NoSuchBucket");
  CHECK(code({{"x-amz-copy-source", "bkt"}}) == "InvalidArgument");
  CHECK(code({{"x-amz-copy-source", "bkt/%zz"}}) == "InvalidArgument");
  CHECK(code({{"x-amz-copy-source", "bkt/k?versionId=x"}}) == "InvalidArgument");
  CHECK(code({{"x-amz-copy-source", "bkt/k?versionId=" + std::string(32, 'v')}}) ==
        "NoSuchVersion");
  CHECK(code({{"x-amz-copy-source", "bkt/k"}, {"x-amz-copy-source-if-match", "x"}}) ==
        "PreconditionFailed");
  CHECK(server.size_of("/bkt/c") == "none");
}

TEST_CASE("faults F5: DeleteObjects deletes exact keys") {
  const TestServer server;
  const std::vector<std::pair<std::string, std::string>> keys = {{"a<b", "a&lt;b"},
                                                                 {"c&d", "c&#38;d"},
                                                                 {"eAf", "e&#x41;f"},
                                                                 {" lead", " lead"},
                                                                 {"n\nl", "n&#10;l"},
                                                                 {"g>h", "<![CDATA[g>h]]>"},
                                                                 {"tail ", "tail "},
                                                                 {" ", " "},
                                                                 {"h\"i", "h&quot;i"},
                                                                 {"j'k", "j&apos;k"},
                                                                 {"l&lt;m", "l&amp;lt;m"},
                                                                 {"n\ro", "n&#13;o"},
                                                                 {"p\tq", "p\tq"},
                                                                 {"\u65e5", "&#x65e5;"},
                                                                 {"\U0001F600", "&#x1F600;"},
                                                                 {"r%20s", "r%20s"},
                                                                 {"t+u", "t+u"}};
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

TEST_CASE("faults F5: DeleteObjects: missing keys, quiet, empty, too many, no XML") {
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
  CHECK(quiet.body.find("<Deleted>") == std::string::npos);
  std::string many = "<Delete>";
  for (int i = 0; i < 1000; ++i) many += "<Object><Key>k" + std::to_string(i) + "</Key></Object>";
  CHECK(server.post("/bkt?delete", many + "</Delete>").status == 200);
  many += "<Object><Key>one more</Key></Object></Delete>";
  for (const std::string& wrong : {many, std::string("<Delete></Delete>"), std::string("<Delete>"),
                                   std::string("no xml"), std::string()})
    CHECK(server.post("/bkt?delete", wrong).code() == "MalformedXML");
}

TEST_CASE("faults F5: deletes succeed whether or not the key is there") {
  const TestServer server;
  server.put("/bkt/k", "x");
  for (int i = 0; i < 2; ++i) {
    const Response answer = server.remove("/bkt/k");
    CHECK(answer.status == 204);
    CHECK_FALSE(answer.has("content-length"));
  }
  CHECK(server.remove("/none/k").code() == "NoSuchBucket");
}

TEST_CASE("faults F6: tags of an upload come back decoded, and are counted") {
  const TestServer server;
  CHECK(server.put("/bkt/k", "x", {{"x-amz-tagging", "a=1&b%20c=%2B"}}).status == 200);
  const Response tags = server.get("/bkt/k?tagging");
  CHECK(all_between(tags.body, "Key") == std::vector<std::string>{"a", "b c"});
  CHECK(all_between(tags.body, "Value") == std::vector<std::string>{"1", "+"});
  CHECK(server.head("/bkt/k").header("x-amz-tagging-count") == "2");
  CHECK(server.get("/bkt/k").header("x-amz-tagging-count") == "2");
  CHECK(server.put("/bkt/k", "x", {{"x-amz-tagging", "a=1&a=2"}}).status == 400);
  CHECK(server.put("/bkt/k", "x", {{"x-amz-tagging", "%zz=1"}}).status == 400);
  CHECK(server.put("/bkt/none", "x", {{"x-amz-tagging", ""}}).status == 200);
  CHECK_FALSE(server.head("/bkt/none").has("x-amz-tagging-count"));
}

TEST_CASE("faults F6: tags go with a copy unless they are replaced, and with a multipart upload") {
  const TestServer server;
  server.put("/bkt/k", "x", {{"x-amz-tagging", "a=1"}});
  const auto keys_of = [&](const char* target) {
    return all_between(server.get(target).body, "Key");
  };
  const Headers copy = {{"x-amz-copy-source", "bkt/k"}};
  server.put("/bkt/same", "", copy);
  CHECK(keys_of("/bkt/same?tagging") == std::vector<std::string>{"a"});
  server.put("/bkt/other", "",
             with(copy, {{"x-amz-tagging-directive", "REPLACE"}, {"x-amz-tagging", "b=2&c"}}));
  CHECK(keys_of("/bkt/other?tagging") == std::vector<std::string>{"b", "c"});
  server.put("/bkt/bare", "", with(copy, {{"x-amz-tagging-directive", "REPLACE"}}));
  CHECK(keys_of("/bkt/bare?tagging").empty());
  MultipartUpload upload(server, {{"x-amz-tagging", "d=4"}});
  CHECK(upload.complete({upload.put(1, 1)}).status == 200);
  CHECK(keys_of("/bkt/k?tagging") == std::vector<std::string>{"d"});
}

TEST_CASE("faults F5: DeleteObjects with versions deletes none but the one there is") {
  const TestServer server;
  for (const char* key : {"a", "b", "c"}) server.put("/bkt/" + std::string(key), "x");
  const Response answer = server.post(
      "/bkt?delete",
      "<Delete><Quiet>true</Quiet><Object><Key>a</Key><VersionId>null</VersionId></Object>"
      "<Object><Key>b</Key><VersionId>" +
          std::string(32, 'v') + "</VersionId></Object></Delete>");
  CHECK(answer.status == 200);
  CHECK(all_between(answer.body, "Key") == std::vector<std::string>{"b"});
  CHECK(between(answer.body, "Code") == "NoSuchVersion");
  CHECK(all_between(server.get("/bkt").body, "Key") == std::vector<std::string>{"b", "c"});
}

TEST_CASE("faults F6: tags may be set and deleted later, in any spelling of the XML") {
  const TestServer server;
  const std::string etag = server.put("/bkt/k", "x", {{"x-amz-tagging", "old=1"}}).header("etag");
  const std::string xml =
      "<?xml version=\"1.0\"?>\n<Tagging "
      "xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\n<TagSet>"
      "<Tag>\n<Key>b c</Key><Value>&#43;</Value></Tag><Tag><Key><![CDATA[d]]></Key><Value/></Tag>"
      "</TagSet></Tagging>";
  CHECK(server.put("/bkt/k?tagging", xml).status == 200);
  const Response tags = server.get("/bkt/k?tagging=");
  CHECK(all_between(tags.body, "Key") == std::vector<std::string>{"b c", "d"});
  CHECK(between(tags.body, "Value") == "+");
  const Response head = server.head("/bkt/k");
  CHECK(head.header("x-amz-tagging-count") == "2");
  CHECK(head.header("etag") == etag);
  CHECK(server.put("/bkt/k?tagging", xml, {{"x-amz-checksum-crc32", "y/Q5Jg=="}}).code() ==
        "BadDigest");
  CHECK(server.remove("/bkt/k?tagging").status == 204);
  CHECK_FALSE(server.head("/bkt/k").has("x-amz-tagging-count"));
  CHECK(server.get("/bkt/k?tagging").status == 200);
}

TEST_CASE("faults F6: tags that were not set are an empty set") {
  const TestServer server;
  server.put("/bkt/k", "x");
  const Response tags = server.get("/bkt/k?tagging");
  CHECK(tags.status == 200);
  CHECK(tags.body.find("<Tag>") == std::string::npos);
  CHECK_FALSE(server.head("/bkt/k").has("x-amz-tagging-count"));
}

}  // namespace mocks3::test
