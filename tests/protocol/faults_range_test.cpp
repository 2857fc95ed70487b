#include <doctest/doctest.h>

#include "tests/protocol/framing.hpp"
#include "tests/protocol/multipart_upload.hpp"
#include "tests/protocol/parallel.hpp"

namespace mocks3::test {
namespace {

unsigned put_if(const TestServer& server, const Headers& headers) {
  return server.put("/bkt/c", "1", headers).status;
}

}  // namespace

TEST_CASE("faults D1: ranges are cut to the object") {
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

TEST_CASE("faults D2: ranges that are none of bytes are ignored, those outside are refused") {
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

TEST_CASE("faults D3: ranges of an empty object") {
  const TestServer server;
  CHECK(server.put("/bkt/e", "").header("etag") == "\"d41d8cd98f00b204e9800998ecf8427e\"");
  for (const char* range : {"bytes=0-0", "bytes=0-", "bytes=5-9", "bytes=1-", "bytes=-0"}) {
    CAPTURE(range);
    for (const bool head : {false, true}) {
      const Headers headers = {{"Range", range}};
      const Response answer = head ? server.head("/bkt/e", headers) : server.get("/bkt/e", headers);
      CHECK(answer.status == 416);
      CHECK(answer.header("content-range") == "bytes */0");
      CHECK(answer.code() == (head ? "" : "InvalidRange"));
    }
  }
  for (const char* range : {"bytes=-1", "bytes=-99", "bytes=2-1", "bytes="}) {
    CAPTURE(range);
    const Response answer = server.get("/bkt/e", {{"Range", range}});
    CHECK(answer.status == 200);
    CHECK(answer.header("content-length") == "0");
    CHECK_FALSE(answer.has("content-range"));
  }
}

TEST_CASE("faults D4: completing honours conditions on the object") {
  const TestServer server;
  MultipartUpload upload(server);
  const Part part = upload.put(1, 1);
  CHECK(upload.complete({part}, {{"If-Match", "\"x\""}}).status == 404);
  server.put("/bkt/k", "old");
  CHECK(upload.complete({part}, {{"If-None-Match", "*"}}).status == 412);
  CHECK(upload.complete({part}, {{"If-Match", "\"x\""}}).status == 412);
  CHECK(server.size_of("/bkt/k") == "3");
  const std::string etag = server.head("/bkt/k").header("etag");
  CHECK(upload.complete({part}, {{"If-Match", etag}}).status == 200);
  CHECK(server.size_of("/bkt/k") == "1");
}

TEST_CASE("faults D4: of many creations with If-None-Match exactly one succeeds") {
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

TEST_CASE("faults D4: of many completions with If-None-Match exactly one succeeds") {
  const TestServer server;
  std::vector<std::pair<std::string, std::string>> uploads;  // target and list of parts
  for (int i = 0; i < 50; ++i) {
    const std::string id = between(server.post("/bkt/k?uploads", "").body, "UploadId");
    const std::string target = "/bkt/k?uploadId=" + id;
    const std::string etag = server.put(target + "&partNumber=1", "x").header("etag");
    uploads.emplace_back(target, complete_xml({{1, etag}}));
  }
  std::atomic<int> made{0}, refused{0};
  in_parallel(50, [&](size_t i) {
    const auto& [target, xml] = uploads[i];
    const unsigned status = server.post(target, xml, {{"If-None-Match", "*"}}).status;
    if (status == 200) ++made;
    if (status == 412) ++refused;
  });
  CHECK(made == 1);
  CHECK(refused == 49);
}

TEST_CASE("faults D4: of many replacements of one version exactly one succeeds") {
  const TestServer server;
  const std::string etag = server.put("/bkt/k", "old").header("etag");
  std::atomic<int> made{0}, refused{0};
  in_parallel(50, [&](size_t) {
    const unsigned status = server.put("/bkt/k", "new!", {{"If-Match", etag}}).status;
    if (status == 200) ++made;
    if (status == 412) ++refused;
  });
  CHECK(made == 1);
  CHECK(refused == 49);
  CHECK(server.size_of("/bkt/k") == "4");
}

TEST_CASE("faults D4: writes with If-Match") {
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

TEST_CASE("faults D5: an ETag is understood quoted, bare and weak") {
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

TEST_CASE("faults D5: ETags are quoted wherever they are told") {
  const TestServer server;
  const std::string etag = server.put("/bkt/a", "123").header("etag");
  CHECK(etag.front() == '"');
  CHECK(etag.back() == '"');
  const std::string in_xml = "&quot;" + unquoted(etag) + "&quot;";
  CHECK(server.get("/bkt/a").header("etag") == etag);
  CHECK(server.head("/bkt/a").header("etag") == etag);
  for (const char* list : {"/bkt", "/bkt?list-type=2"}) {
    const std::string told = between(server.get(list).body, "ETag");
    CHECK((told == etag || told == in_xml));
  }
  MultipartUpload upload(server);
  const Part part = upload.put(1, 3);
  CHECK(part.etag.front() == '"');
  const Headers source = {{"x-amz-copy-source", "bkt/a"}};
  const std::string id = upload.id();
  for (const Response& answer : {server.put("/bkt/copy", "", source), upload.copy(2, "bkt/a"),
                                 server.get("/bkt/k?uploadId=" + id), upload.complete({part})}) {
    const std::string told = between(answer.body, "ETag");
    CHECK(told.size() > 34);
    CHECK((told.front() == '"' || told.starts_with("&quot;")));
    CHECK((told.back() == '"' || told.ends_with("&quot;")));
  }
}

TEST_CASE("faults D5: conditions on dates") {
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

TEST_CASE("faults D5: a connection is in step after 304 and 412") {
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

}  // namespace mocks3::test
