#include "server/handlers.hpp"

#include "server/upload.hpp"
#include "tests/unit/handler_fixture.hpp"

using namespace mocks3;
using namespace mocks3::server;

namespace {

constexpr const char* kModified = "Fri, 02 Jan 2026 03:04:05 GMT";

}  // namespace

TEST_CASE("handlers: what is not served is named") {
  HandlerFixture server;
  server.put("/bkt/k", 1);
  const Reply torrent = server.get("/bkt/k?torrent");
  CHECK(torrent.status == 501);
  CHECK(element(torrent, "Code") == "NotImplemented");
  CHECK(contains(torrent, "GetObjectTorrent"));
  CHECK(server.post("/bkt/k?restore", "").status == 501);
  CHECK(server.put("/bkt/k", 5, {{"x-amz-write-offset-bytes", "1"}}).status == 501);
  CHECK(contains(server.get("/bkt/k?nonsense"), "?nonsense is not implemented"));
}

TEST_CASE("handlers: PUT, then HEAD and GET of the same object") {
  HandlerFixture server;
  const Reply put = server.put("/bkt/dir/k", 600, {{"Content-Type", "text/plain"}});
  CHECK(put.status == 200);
  CHECK_FALSE(server.answered_from_head);
  const std::string etag = header_of(put, "ETag");
  CHECK(etag.size() == 36);
  CHECK(etag.ends_with("-1\""));
  const Reply head = server.head("/bkt/dir/k");
  CHECK(head.status == 200);
  CHECK(head.content_length == 600);
  CHECK(std::holds_alternative<std::monostate>(head.body));
  const Reply get = server.get("/bkt/dir/k");
  CHECK(get.status == 200);
  CHECK(generated_bytes(get) == 600);
  CHECK_FALSE(get.content_length);
  for (const Reply* reply : {&head, &get}) {
    CHECK(header_of(*reply, "ETag") == etag);
    CHECK(header_of(*reply, "Last-Modified") == kModified);
    CHECK(header_of(*reply, "Accept-Ranges") == "bytes");
    CHECK(header_of(*reply, "Content-Type") == "text/plain");
    CHECK_FALSE(contains(std::string(reply->headers.wire()), "x-amz-version-id"));
  }
}

TEST_CASE("handlers: GET serves the bytes of bucket, key and offset") {
  HandlerFixture server;
  server.put("/bkt/k", 1000);
  const Reply reply = server.get("/bkt/k", {{"Range", "bytes=500-599"}});
  const auto& body = std::get<GeneratedBody>(reply.body);
  CHECK(body.offset == 500);
  CHECK(body.length == 100);
  std::vector<uint8_t> expected(100), served(100);
  ObjectBytes("bkt", "k").copy(500, expected);
  body.bytes.copy(body.offset, served);
  CHECK(served == expected);
}

TEST_CASE("handlers: an empty object") {
  HandlerFixture server;
  CHECK(header_of(server.put("/bkt/e", 0), "ETag") == "\"d41d8cd98f00b204e9800998ecf8427e\"");
  const Reply get = server.get("/bkt/e");
  CHECK(get.status == 200);
  CHECK(generated_bytes(get) == 0);
  CHECK(server.get("/bkt/e", {{"Range", "bytes=0-0"}}).status == 416);
  CHECK(server.get("/bkt/e", {{"Range", "bytes=-1"}}).status == 200);
  CHECK(server.get("/bkt/e?partNumber=1").status == 200);
}

TEST_CASE("handlers: ranges") {
  HandlerFixture server;
  server.put("/bkt/k", 600);
  const auto ranged = [&](const std::string& range) {
    return server.get("/bkt/k", {{"Range", range}});
  };
  for (const auto& [range, content_range, length] :
       std::vector<std::tuple<std::string, std::string, uint64_t>>{
           {"bytes=0-", "bytes 0-599/600", 600},
           {"bytes=0-599", "bytes 0-599/600", 600},
           {"bytes=0-6000", "bytes 0-599/600", 600},
           {"bytes=500-1000", "bytes 500-599/600", 100},
           {"bytes=-100", "bytes 500-599/600", 100}}) {
    const Reply reply = ranged(range);
    CHECK(reply.status == 206);
    CHECK(header_of(reply, "Content-Range") == content_range);
    CHECK(generated_bytes(reply) == length);
    const Reply head = server.head("/bkt/k", {{"Range", range}});
    CHECK(head.status == 206);
    CHECK(head.content_length == length);
  }
  CHECK(ranged("bytes=0-1,5-6").status == 200);
  const Reply outside = ranged("bytes=600-");
  CHECK(outside.status == 416);
  CHECK(outside.error_code == "InvalidRange");
  CHECK(header_of(outside, "Content-Range") == "bytes */600");
  CHECK(element(outside, "RangeRequested") == "bytes=600-");
  CHECK(element(outside, "ActualObjectSize") == "600");
  const std::string etag = header_of(ranged("bytes=0-0"), "ETag");
  CHECK(server.get("/bkt/k", {{"Range", "bytes=0-0"}, {"If-Range", etag}}).status == 206);
  CHECK(server.get("/bkt/k", {{"Range", "bytes=0-0"}, {"If-Range", "\"x\""}}).status == 200);
}

TEST_CASE("handlers: part numbers of a read") {
  HandlerFixture server;
  server.put("/bkt/k", 600);
  const Reply first = server.get("/bkt/k?partNumber=1");
  CHECK(first.status == 206);
  CHECK(header_of(first, "Content-Range") == "bytes 0-599/600");
  const Reply second = server.get("/bkt/k?partNumber=2");
  CHECK(second.status == 416);
  CHECK(second.error_code == "InvalidPartNumber");
  CHECK(server.get("/bkt/k?partNumber=x").status == 400);
  CHECK(server.get("/bkt/k?partNumber=1", {{"Range", "bytes=0-1"}}).error_code == "InvalidRequest");
}

TEST_CASE("handlers: conditional reads") {
  HandlerFixture server;
  const std::string etag = header_of(server.put("/bkt/k", 6), "ETag");
  const std::string bare = etag.substr(1, etag.size() - 2);
  for (const std::string& spelling : {etag, bare, "W/" + etag}) {
    CHECK(server.get("/bkt/k", {{"If-Match", spelling}}).status == 200);
    const Reply same = server.get("/bkt/k", {{"If-None-Match", spelling}});
    CHECK(same.status == 304);
    CHECK(header_of(same, "ETag") == etag);
    CHECK(std::holds_alternative<std::monostate>(same.body));
  }
  const Reply failed = server.get("/bkt/k", {{"If-Match", "\"x\""}});
  CHECK(failed.status == 412);
  CHECK(element(failed, "Condition") == "If-Match");
  const Reply head = server.head("/bkt/k", {{"If-Match", "\"x\""}});
  CHECK(head.status == 412);
  CHECK(std::holds_alternative<std::monostate>(head.body));
  CHECK(server.get("/bkt/k", {{"If-Modified-Since", kModified}}).status == 304);
  CHECK(server.get("/bkt/missing", {{"If-Match", "\"x\""}}).status == 404);
}

TEST_CASE("handlers: headers come back, and the query may replace them") {
  HandlerFixture server;
  server.put("/bkt/k", 5,
             {{"Content-Type", "text/plain"},
              {"Content-Encoding", "aws-chunked,gzip"},
              {"x-amz-meta-Name", "日本"},
              {"x-amz-tagging", "a=1&b=2"},
              {"x-amz-meta-md5chksum", "JfnnlDI7RTiF9RgfG2JNCw=="},
              {"x-amz-storage-class", "GLACIER"}});
  const Reply plain = server.get("/bkt/k");
  CHECK(header_of(plain, "Content-Encoding") == "gzip");
  CHECK(header_of(plain, "x-amz-meta-name") == "日本");
  CHECK(header_of(plain, "x-amz-tagging-count") == "2");
  CHECK(header_of(plain, "x-amz-tagging").empty());
  CHECK(header_of(plain, "x-amz-meta-md5chksum").empty());
  CHECK(header_of(plain, "x-amz-storage-class") == "GLACIER");
  const Reply replaced = server.get(
      "/bkt/k?response-content-type=a%0d%0aX:%20y&response-content-disposition=attachment&x-id=1");
  CHECK(header_of(replaced, "Content-Type") == "a  X: y");
  CHECK(header_of(replaced, "Content-Disposition") == "attachment");
  CHECK(header_of(replaced, "Content-Encoding") == "gzip");
  server.put("/bkt/plain", 5);
  CHECK(header_of(server.get("/bkt/plain"), "Content-Type") == "binary/octet-stream");
  CHECK(header_of(server.get("/bkt/plain?response-content-type=x"), "Content-Type") == "x");
}

TEST_CASE("handlers: versions") {
  HandlerFixture server;
  server.put("/bkt/k", 5);
  CHECK(server.head("/bkt/k?versionId=null").status == 200);
  const std::string other(32, 'a');
  CHECK(server.get("/bkt/k?versionId=" + other).error_code == "NoSuchVersion");
  CHECK(server.head("/bkt/k?versionId=" + other).status == 404);
  for (const char* wrong :
       {"", "abc", "NULL", "3sL4kqtJlcpXroDTDmJ+rmSpXd3dIbrHY/MTRCxf3vjVBH40"}) {
    CAPTURE(wrong);
    CHECK(server.get("/bkt/k?versionId=" + std::string(wrong)).error_code == "InvalidArgument");
    CHECK(server.del("/bkt/k?versionId=" + std::string(wrong)).error_code == "InvalidArgument");
  }
  CHECK(server.del("/bkt/k?versionId=" + other).status == 204);
  CHECK(server.head("/bkt/k").status == 200);
  CHECK(server.del("/bkt/k?versionId=null").status == 204);
  CHECK(server.get("/bkt/k").status == 404);
}

TEST_CASE("handlers: checksums are echoed on the upload, never on a read") {
  HandlerFixture server;
  const Reply header = server.put("/bkt/k", 9, {{"x-amz-checksum-crc32", "y/Q5Jg=="}});
  CHECK(header_of(header, "x-amz-checksum-crc32") == "y/Q5Jg==");
  CHECK(header_of(header, "x-amz-checksum-type") == "FULL_OBJECT");
  const Reply trailer = server.send({.method = "PUT",
                                     .target = "/bkt/k",
                                     .headers = {{"x-amz-trailer", "x-amz-checksum-crc64nvme"}},
                                     .body = "123456789",
                                     .trailers = {{"x-amz-checksum-crc64nvme", "rosUhgp5mIg="}}});
  CHECK(header_of(trailer, "x-amz-checksum-crc64nvme") == "rosUhgp5mIg=");
  for (const Reply& read : {server.get("/bkt/k", {{"x-amz-checksum-mode", "ENABLED"}}),
                            server.head("/bkt/k", {{"x-amz-checksum-mode", "ENABLED"}})}) {
    CHECK_FALSE(contains(std::string(read.headers.wire()), "checksum"));
  }
}

TEST_CASE("handlers: a bad trailer leaves the old object") {
  HandlerFixture server;
  server.put("/bkt/k", 7);
  const Reply reply = server.send({.method = "PUT",
                                   .target = "/bkt/k",
                                   .body = "123456789",
                                   .trailers = {{"x-amz-checksum-crc32", "?"}}});
  CHECK(reply.status == 400);
  CHECK(server.head("/bkt/k").content_length == 7);
}

TEST_CASE("handlers: uploads that fail are answered from the head") {
  HandlerFixture server(Options{.strict_buckets = true});
  CHECK(server.put("/bkt/k", 7).error_code == "NoSuchBucket");
  CHECK(server.answered_from_head);
  server.put("/bkt", 0);
  CHECK(server.put("/bkt/k", kMaxSingleUpload).status == 200);
  CHECK(server.put("/bkt/k", kMaxSingleUpload + 1).error_code == "EntityTooLarge");
  CHECK(server.answered_from_head);
  CHECK(server.put("/bkt/k", 7, {{"If-None-Match", "*"}}).status == 412);
  CHECK(server.answered_from_head);
  CHECK(server.put("/bkt/k", 7, {{"If-Match", "\"x\""}}).status == 412);
  CHECK(server.put("/bkt/other", 7, {{"If-Match", "\"x\""}}).status == 404);
  CHECK(server.put("/bkt/k", 7, {{"If-None-Match", "\"x\""}}).status == 501);
  CHECK(server.put("/bkt/k", 7, {{"Content-MD5", "x"}}).error_code == "InvalidDigest");
  const Reply unknown = server.send({.method = "PUT", .target = "/bkt/k", .without_length = true});
  CHECK(unknown.status == 411);
  CHECK(server.send({.method = "PUT", .target = "/bkt/k", .body = "1", .http_chunked = true})
            .status == 200);
}

TEST_CASE("handlers: a conditional write is checked again when the body is there") {
  HandlerFixture server;
  RequestHead head;
  head.method = "PUT";
  head.target = "/bkt/k";
  head.content_length = 3;
  head.headers = {{"If-None-Match", "*"}};
  const auto request = parse_s3_request(head, {});
  REQUIRE(request.ok());
  Plan plan = handle({server.options, server.store, server.metrics}, {head, *request, "1", {}});
  REQUIRE(std::holds_alternative<Sink>(plan));
  server.put("/bkt/k", 99);
  CHECK(std::get<Sink>(plan).finish({3, {}, {}}).status == 412);
  CHECK(server.head("/bkt/k").content_length == 99);
}

TEST_CASE("handlers: errors name what was asked for") {
  HandlerFixture server;
  const Reply reply = server.get("/bkt/R%26D%20%3C1%3E");
  CHECK(reply.status == 404);
  CHECK(element(reply, "Code") == "NoSuchBucket");
  CHECK(element(reply, "Resource") == "/bkt/R&amp;D &lt;1&gt;");
  CHECK(element(reply, "RequestId") == "ID");
  const Reply head = server.head("/bkt/k");
  CHECK(head.status == 404);
  CHECK(std::holds_alternative<std::monostate>(head.body));
}

TEST_CASE("handlers: deletes succeed whether there was something or not") {
  HandlerFixture server;
  CHECK(server.del("/bkt/k").error_code == "NoSuchBucket");
  const std::string etag = header_of(server.put("/bkt/k", 5), "ETag");
  CHECK(server.del("/bkt/k", {{"If-Match", "\"x\""}}).status == 412);
  CHECK(server.del("/bkt/k", {{"If-Match", etag}}).status == 204);
  CHECK(server.del("/bkt/k").status == 204);
}

TEST_CASE("handlers: tags that came with an object") {
  HandlerFixture server;
  server.put("/bkt/k", 5, {{"x-amz-tagging", "a=1&b%20c=%2B"}});
  server.put("/bkt/plain", 5);
  const Reply tags = server.get("/bkt/k?tagging");
  CHECK(elements(tags, "Key") == std::vector<std::string>{"a", "b c"});
  CHECK(elements(tags, "Value") == std::vector<std::string>{"1", "+"});
  CHECK(contains(server.get("/bkt/plain?tagging"), "<TagSet></TagSet>"));
  CHECK(server.get("/bkt/missing?tagging").error_code == "NoSuchKey");
}

TEST_CASE("handlers: a copy takes size and headers along") {
  HandlerFixture server;
  const std::string etag = header_of(server.put("/src/a b+c/%E6%97%A5", 77,
                                                {{"Content-Type", "text/plain"},
                                                 {"x-amz-meta-a", "1"},
                                                 {"x-amz-tagging", "t=1"},
                                                 {"x-amz-storage-class", "GLACIER"}}),
                                     "ETag");
  server.now.value += 60'000;
  for (const char* source : {"/src/a%20b%2Bc/%E6%97%A5", "src/a%20b%2Bc/%E6%97%A5",
                             "src%2Fa%20b%2Bc%2F%E6%97%A5", "/src/a%20b%2Bc/日?versionId=null"}) {
    const Reply reply = server.put("/dst/k", 0, {{"x-amz-copy-source", source}});
    CHECK(reply.status == 200);
    CHECK(element(reply, "LastModified") == "2026-01-02T03:05:05.678Z");
    CHECK(element(reply, "ETag").ends_with("-1&quot;"));
    CHECK_FALSE(contains(reply, etag.substr(1, 32)));
  }
  const Reply head = server.head("/dst/k");
  CHECK(head.content_length == 77);
  CHECK(header_of(head, "Content-Type") == "text/plain");
  CHECK(header_of(head, "x-amz-meta-a") == "1");
  CHECK(header_of(head, "x-amz-tagging-count") == "1");
  CHECK(header_of(head, "x-amz-storage-class").empty());
}

TEST_CASE("handlers: a copy that replaces") {
  HandlerFixture server;
  server.put("/src/k", 77, {{"x-amz-meta-a", "1"}, {"x-amz-tagging", "t=1"}});
  const auto copy = [&](HandlerFixture::Headers headers) {
    headers.push_back({"x-amz-copy-source", "src/k"});
    return server.put("/dst/k", 0, headers);
  };
  copy({{"x-amz-metadata-directive", "REPLACE"}, {"x-amz-meta-b", "2"}});
  CHECK(header_of(server.head("/dst/k"), "x-amz-meta-a").empty());
  CHECK(header_of(server.head("/dst/k"), "x-amz-meta-b") == "2");
  CHECK(header_of(server.head("/dst/k"), "x-amz-tagging-count") == "1");
  copy({{"x-amz-tagging-directive", "REPLACE"},
        {"x-amz-tagging", "a=1&b=1"},
        {"x-amz-meta-b", "2"}});
  CHECK(header_of(server.head("/dst/k"), "x-amz-meta-a") == "1");
  CHECK(header_of(server.head("/dst/k"), "x-amz-meta-b").empty());
  CHECK(header_of(server.head("/dst/k"), "x-amz-tagging-count") == "2");
  CHECK(copy({{"x-amz-metadata-directive", "MERGE"}}).error_code == "InvalidArgument");
}

TEST_CASE("handlers: copies that are refused") {
  HandlerFixture server;
  const std::string etag = header_of(server.put("/src/k", 77), "ETag");
  const auto copy = [&](const std::string& source, HandlerFixture::Headers headers = {}) {
    headers.push_back({"x-amz-copy-source", source});
    return server.put("/src/k", 0, headers);
  };
  CHECK(copy("none/k").error_code == "NoSuchBucket");
  CHECK(copy("src/none").error_code == "NoSuchKey");
  CHECK(copy("src").error_code == "InvalidArgument");
  CHECK(copy("src/k").error_code == "InvalidRequest");
  CHECK(copy("src/k", {{"x-amz-metadata-directive", "REPLACE"}}).status == 200);
  CHECK(copy("src/k", {{"x-amz-storage-class", "GLACIER"}}).status == 200);
  CHECK(header_of(server.head("/src/k"), "x-amz-storage-class") == "GLACIER");
  const auto conditional = [&](const std::string& name, const std::string& value) {
    return server
        .put("/src/copy", 0, {{"x-amz-copy-source", "src/k"}, {"x-amz-copy-source-" + name, value}})
        .status;
  };
  CHECK(conditional("if-match", "\"x\"") == 412);
  CHECK(conditional("if-none-match", "*") == 412);
  CHECK(conditional("if-modified-since", kModified) == 412);
  CHECK(conditional("if-unmodified-since", kModified) == 200);
  CHECK(
      server.put("/src/copy", 0, {{"x-amz-copy-source", "src/k"}, {"If-None-Match", "*"}}).status ==
      412);
  server.put("/src/large", kMaxSingleUpload);
  CHECK(server.put("/src/c", 0, {{"x-amz-copy-source", "src/large"}}).status == 200);
}
