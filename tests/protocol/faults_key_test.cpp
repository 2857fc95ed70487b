#include <doctest/doctest.h>

#include <set>

#include "shared/util/encode.hpp"
#include "tests/protocol/framing.hpp"
#include "tests/protocol/multipart_upload.hpp"

namespace mocks3::test {
namespace {

/// Keys that a server which decodes twice, normalises or takes '+' for a space would confuse.
const std::vector<std::string> kKeys = {
    "a b", "a+b",    "a%b",    "a%2Bb", "q?x#y", "x/../y", "\u65e5\u672c", "!*'();:@&=$,[]~",
    "/",   "//lead", "trail/", "x//y",  "."};

std::string target_of(const std::string& key) { return "/bkt/" + percent_encode(key, true); }

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
    {"PUT", "/bkt/k?acl", 400, "MissingSecurityHeader"},
    {"GET", "/bkt?lifecycle", 404, "NoSuchLifecycleConfiguration"},
    {"GET", "/bkt?object-lock", 404, "ObjectLockConfigurationNotFoundError"},
    {"GET", "/bkt?encryption", 200, "<ServerSideEncryptionConfiguration"},
    {"GET", "/bkt?replication", 404, "ReplicationConfigurationNotFoundError"},
    {"GET", "/bkt?website", 404, "NoSuchWebsiteConfiguration"},
    {"GET", "/bkt?tagging", 404, "NoSuchTagSet"},
    {"GET", "/bkt?notification", 200, "<NotificationConfiguration"},
    {"GET", "/bkt?logging", 200, "<BucketLoggingStatus"},
    {"GET", "/bkt?versions", 200, "<ListVersionsResult"},
    {"GET", "/bkt?uploads", 200, "<ListMultipartUploadsResult"},
    {"GET", "/bkt?somethingnew", 501, "?somethingnew"},
    {"PUT", "/bkt?lifecycle", 400, "MissingRequestBodyError"},
    {"PUT", "/bkt?versioning", 400, "MissingRequestBodyError"},
    {"PUT", "/bkt?policy", 400, "MissingRequestBodyError"},
    {"DELETE", "/bkt?policy", 204, ""},
    {"DELETE", "/bkt?lifecycle", 204, ""},
    {"GET", "/bkt/k?torrent", 501, "GetObjectTorrent"},
    {"GET", "/bkt/k?retention", 400, "InvalidRequest"},
    {"GET", "/bkt/k?legal-hold", 400, "InvalidRequest"},
    {"GET", "/bkt/k?attributes", 400, "x-amz-object-attributes"},
    {"PUT", "/bkt/k?tagging", 400, "MalformedXML"},
    {"PUT", "/bkt/k?retention", 400, "InvalidRequest"},
    {"DELETE", "/bkt/k?tagging", 204, ""},
    {"POST", "/bkt/k?restore", 501, "RestoreObject"},
    {"POST", "/bkt/k?select&select-type=2", 501, "SelectObjectContent"},
    {"PUT", "/bkt/k?somethingnew", 501, "?somethingnew"},
};

/// Every sub-resource that S3 has, and some that it has not.
const std::string_view kNames[] = {"abac",
                                   "accelerate",
                                   "acl",
                                   "analytics",
                                   "append",
                                   "attributes",
                                   "cors",
                                   "encryption",
                                   "intelligent-tiering",
                                   "inventory",
                                   "legal-hold",
                                   "lifecycle",
                                   "location",
                                   "logging",
                                   "metadataConfiguration",
                                   "metadataInventoryTable",
                                   "metadataJournalTable",
                                   "metadataTable",
                                   "metrics",
                                   "notification",
                                   "object-lock",
                                   "ownershipControls",
                                   "policy",
                                   "policyStatus",
                                   "publicAccessBlock",
                                   "renameObject",
                                   "replication",
                                   "requestPayment",
                                   "restore",
                                   "retention",
                                   "select",
                                   "session",
                                   "tagging",
                                   "torrent",
                                   "unheard-of",
                                   "uploads",
                                   "versioning",
                                   "versions",
                                   "website"};

}  // namespace

TEST_CASE("faults C1: awkward keys are distinct objects and come back as they were") {
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

TEST_CASE("faults C1: a path is decoded once, its plus is literal, and escapes may be avoided") {
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

TEST_CASE("faults C2: a bucket is the same with and without the slash") {
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

TEST_CASE("faults C3: a sub-resource never falls through to the object or the listing") {
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

TEST_CASE("faults C3: no method with any sub-resource reads or changes what is behind it") {
  const TestServer server;
  const std::string etag = server.put("/bkt/k", std::string(600, 'x')).header("etag");
  const std::string bytes = server.get("/bkt/k").body;
  RawClient client(server.port());
  for (const std::string_view name : kNames)
    for (const char* method : {"GET", "HEAD", "PUT", "POST", "DELETE"})
      for (const char* path : {"/bkt?", "/bkt/?", "/bkt/k?"})
        for (const char* value : {"", "="}) {
          const std::string target = std::string(path) + std::string(name) + value;
          CAPTURE(method);
          CAPTURE(target);
          const bool head = std::string_view(method) == "HEAD";
          const Response answer = client.request(make_request(method, target), head);
          REQUIRE((answer.status < 500 || answer.status == 501));
          REQUIRE(answer.body.find("<ListBucketResult") == std::string::npos);
          REQUIRE(answer.body != bytes);
          // No one sub-resource is there for HEAD.
          if (head) REQUIRE(answer.status >= 400);
          REQUIRE(server.head("/bkt/k").header("etag") == etag);
        }
}

TEST_CASE("faults C3: two sub-resources at once are refused") {
  const TestServer server;
  server.put("/bkt/k", "x");
  CHECK(server.get("/bkt?acl&policy").code() == "InvalidArgument");
  CHECK(server.get("/bkt/k?acl&tagging").code() == "InvalidArgument");
}

TEST_CASE("faults C4: headers that ask for what has no effect here are accepted") {
  const TestServer server;
  for (const Headers& headers :
       std::vector<Headers>{{{"x-amz-acl", "private"}},
                            {{"x-amz-acl", "public-read"}},
                            {{"x-amz-acl", "bucket-owner-full-control"}},
                            {{"x-amz-storage-class", "STANDARD"}},
                            {{"x-amz-storage-class", "STANDARD_IA"}},
                            {{"x-amz-storage-class", "GLACIER"}},
                            {{"x-amz-server-side-encryption", "AES256"}},
                            {{"x-amz-server-side-encryption", "aws:kms"},
                             {"x-amz-server-side-encryption-aws-kms-key-id", "key"},
                             {"x-amz-server-side-encryption-bucket-key-enabled", "true"}},
                            {{"x-amz-request-payer", "requester"}},
                            {{"x-amz-expected-bucket-owner", "111122223333"}},
                            {{"x-amz-website-redirect-location", "/other"}}}) {
    CAPTURE(headers.front().first);
    CAPTURE(headers.front().second);
    CHECK(server.put("/bkt/k", "123", headers).status == 200);
    CHECK(server.size_of("/bkt/k") == "3");
    CHECK(server.post("/bkt/m?uploads", "", headers).status == 200);
    CHECK(server.put("/bkt/c", "", with(headers, {{"x-amz-copy-source", "bkt/k"}})).status == 200);
    CHECK(server.get("/bkt/k", headers).status == 200);
    CHECK(server.put("/bkt/k", "123").status == 200);
  }
  CHECK(server.put("/made", "", {{"x-amz-acl", "public-read"}}).status == 200);
  server.put("/bkt/cold", "1", {{"x-amz-storage-class", "STANDARD_IA"}});
  CHECK(server.head("/bkt/cold").header("x-amz-storage-class") == "STANDARD_IA");
  CHECK_FALSE(server.head("/bkt/k").has("x-amz-storage-class"));
}

// No keys are configured, so that any signature passes; what counts is that the parameters of it
// select nothing, and that the Host is understood with its port.
TEST_CASE("faults C6: presigned addresses with a port are served") {
  const TestServer server;
  const std::string host = "localhost:" + std::to_string(server.port());
  const std::string v4 =
      "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=k%2F20260102%2Fus-east-1%2Fs3%2F"
      "aws4_request&X-Amz-Date=20260102T030405Z&X-Amz-Expires=3600&X-Amz-SignedHeaders=host"
      "&X-Amz-Signature=" +
      std::string(64, 'a');
  for (const std::string& query :
       {v4, "x-id=GetObject&" + v4, v4 + "&X-Amz-Content-Sha256=UNSIGNED-PAYLOAD&x-id=PutObject",
        std::string("AWSAccessKeyId=k&Signature=a%2Bb%3D&Expires=1767322800")})
    for (const std::string& path : {std::string("/bkt/a%20b"), std::string("/bkt/%E6%97%A5")}) {
      CAPTURE(query);
      const std::string target = path + "?" + query;
      const Headers from = {{"Host", host}, {"Origin", "http://example.com"}};
      CHECK(server.put(target, "1234", from).status == 200);
      CHECK(server.head(target, from).header("content-length") == "4");
      CHECK(server.get(target, with(from, {{"Range", "bytes=1-2"}})).body.size() == 2);
      CHECK(server.size_of(path) == "4");
      CHECK(server.remove(target, from).status == 204);
      CHECK(server.size_of(path) == "none");
    }
  CHECK(server.get("/bkt?list-type=2&" + v4).body.find("<ListBucketResult") != std::string::npos);
}

TEST_CASE("faults C6: an address made of the Host keeps its port") {
  const TestServer server;
  for (const char* host : {"localhost:8080", "127.0.0.1:80", "example.com"}) {
    const Headers headers = {{"Host", host}};
    const std::string id = between(server.post("/bkt/a%20b?uploads", "", headers).body, "UploadId");
    const std::string target = "/bkt/a%20b?uploadId=" + id;
    const std::string etag = server.put(target + "&partNumber=1", "x", headers).header("etag");
    const Response done = server.post(target, complete_xml({{1, etag}}), headers);
    CHECK(between(done.body, "Location") == "http://" + std::string(host) + "/bkt/a%20b");
  }
}

TEST_CASE("faults C7: host names select buckets only below a configured domain") {
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

TEST_CASE("faults C8: metadata and headers of an upload come back") {
  const TestServer server;
  const std::string day = "\u65e5\u672c";
  const Headers headers = {
      {"x-amz-meta-name", day},        {"x-amz-meta-encoded", "=?UTF-8?B?5pel5pys?="},
      {"x-amz-meta-latin", "caf\xe9"}, {"x-amz-meta-a", "1"},
      {"X-Amz-Meta-A", "2"},           {"x-amz-meta-mtime", "1700000000.5"},
      {"Cache-Control", "no-cache"},   {"Content-Disposition", "inline; filename=\"" + day + "\""},
      {"Content-Language", "ja"},      {"Expires", "0"}};
  CHECK(server.put("/bkt/k", "x", headers).status == 200);
  for (const Response& answer : {server.head("/bkt/k"), server.get("/bkt/k")}) {
    const std::string name = answer.header("x-amz-meta-name");
    CHECK((name == day || name == "=?UTF-8?B?5pel5pys?="));
    CHECK(answer.header("x-amz-meta-encoded") == "=?UTF-8?B?5pel5pys?=");
    CHECK(answer.header("x-amz-meta-latin") == "caf\xe9");
    CHECK((answer.header("x-amz-meta-a") == "1,2" || answer.header("x-amz-meta-a") == "1, 2"));
    CHECK(answer.header("x-amz-meta-mtime") == "1700000000.5");
    CHECK(answer.header("cache-control") == "no-cache");
    CHECK(answer.header("content-disposition") == "inline; filename=\"" + day + "\"");
    CHECK(answer.header("content-language") == "ja");
    CHECK(answer.header("expires") == "0");
  }
}

TEST_CASE("faults C8: more than 2 KiB of metadata is refused wherever it may be set") {
  const TestServer server;
  server.put("/bkt/k", "old");
  // Names count without their prefix.
  const auto metadata = [](size_t bytes) {
    return Headers{{"x-amz-meta-half", std::string(1000, 'm')},
                   {"x-amz-meta-rest", std::string(bytes - 1008, 'm')}};
  };
  const Headers replace = {{"x-amz-copy-source", "bkt/k"}, {"x-amz-metadata-directive", "REPLACE"}};
  CHECK(server.put("/bkt/k", "fits", metadata(2048)).status == 200);
  CHECK(server.put("/bkt/k", "", with(replace, metadata(2048))).status == 200);
  CHECK(server.post("/bkt/k?uploads", "", metadata(2048)).status == 200);
  for (const Response& refused : {server.put("/bkt/k", "too much", metadata(2049)),
                                  server.put("/bkt/k", "", with(replace, metadata(2049))),
                                  server.post("/bkt/k?uploads", "", metadata(2049))}) {
    CHECK(refused.status == 400);
    CHECK(refused.code() == "MetadataTooLarge");
  }
  CHECK(server.size_of("/bkt/k") == "4");
}

}  // namespace mocks3::test
