#include "tests/unit/handler_fixture.hpp"

using namespace mocks3;
using namespace mocks3::server;

TEST_CASE("bucket handlers: create, list, delete") {
  HandlerFixture server;
  const Reply created = server.put("/bucket-1", 0);
  CHECK(created.status == 200);
  CHECK(header_of(created, "Location") == "/bucket-1");
  CHECK(server.put("/bucket-1/", 0).status == 200);
  server.put("/abucket", 0);
  const Reply all = server.get("/");
  CHECK(elements(all, "Name") == std::vector<std::string>{"abucket", "bucket-1"});
  CHECK(element(all, "CreationDate") == "2026-01-02T03:04:05.678Z");
  CHECK(element(all, "DisplayName") == "mock-s3");
  CHECK(server.put("/bucket-1/k", 1).status == 200);
  CHECK(server.del("/bucket-1").error_code == "BucketNotEmpty");
  server.del("/bucket-1/k");
  CHECK(server.del("/bucket-1/").status == 204);
  CHECK(server.del("/bucket-1").status == 404);
  for (const char* target : {"/Bad!Name", "/ab", "/-abc"}) {
    CHECK(server.put(target, 0).error_code == "InvalidBucketName");
  }
}

TEST_CASE("bucket handlers: buckets in pages, and those with a prefix") {
  HandlerFixture server;
  for (const char* bucket : {"/a-1", "/a-2", "/a-3", "/b-1"}) server.put(bucket, 0);
  using Names = std::vector<std::string>;
  const Reply first = server.get("/?prefix=a&max-buckets=2");
  CHECK(elements(first, "Name") == Names{"a-1", "a-2"});
  CHECK(element(first, "Prefix") == "a");
  CHECK(element(first, "BucketRegion") == "us-east-1");
  const std::string token = element(first, "ContinuationToken");
  CHECK_FALSE(token.empty());
  server.del("/a-2");
  const Reply last = server.get("/?prefix=a&max-buckets=2&continuation-token=" + token);
  CHECK(elements(last, "Name") == Names{"a-3"});
  CHECK(elements(last, "ContinuationToken").empty());
  CHECK(elements(server.get("/?bucket-region=eu-west-1"), "Name").empty());
  CHECK(elements(server.get("/?bucket-region=us-east-1"), "Name").size() == 3);
  for (const char* bad :
       {"/?max-buckets=0", "/?max-buckets=10001", "/?max-buckets=x", "/?continuation-token=%21"}) {
    CAPTURE(bad);
    CHECK(server.get(bad).error_code == "InvalidArgument");
  }
}

TEST_CASE("bucket handlers: regions") {
  HandlerFixture classic, other(Options{.region = "eu-west-1"});
  const std::string body =
      "<CreateBucketConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
      "<LocationConstraint>eu-west-3</LocationConstraint></CreateBucketConfiguration>";
  const auto create = [&](HandlerFixture& server, const std::string& text) {
    return server.send({.method = "PUT", .target = "/bkt", .body = text});
  };
  CHECK(create(classic, body).status == 200);
  CHECK(create(other, body).status == 200);
  CHECK(create(classic, "").status == 200);
  CHECK(create(other, "").error_code == "BucketAlreadyOwnedByYou");
  CHECK(create(classic, "<nonsense").error_code == "MalformedXML");
  CHECK(header_of(classic.head("/bkt"), "x-amz-bucket-region") == "us-east-1");
  CHECK(header_of(other.head("/bkt"), "x-amz-bucket-region") == "eu-west-1");
  const std::string root =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<LocationConstraint xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">";
  CHECK(text_of(classic.get("/bkt?location")) == root + "</LocationConstraint>");
  CHECK(text_of(other.get("/bkt?location=")) == root + "eu-west-1</LocationConstraint>");
}

TEST_CASE("bucket handlers: what CreateBucket's headers and body configure") {
  HandlerFixture server;
  const auto create = [&server](const std::string& target, const HandlerFixture::Headers& headers,
                                const std::string& body = "") {
    return server.send({.method = "PUT", .target = target, .headers = headers, .body = body});
  };
  CHECK(create("/bkt",
               {{"x-amz-bucket-object-lock-enabled", "true"},
                {"x-amz-object-ownership", "ObjectWriter"},
                {"x-amz-acl", "public-read"}},
               "<CreateBucketConfiguration><Tags><Tag><Key>a</Key><Value>1</Value></Tag></Tags>"
               "</CreateBucketConfiguration>")
            .status == 200);
  CHECK(element(server.get("/bkt?object-lock"), "ObjectLockEnabled") == "Enabled");
  CHECK(element(server.get("/bkt?versioning"), "Status") == "Enabled");
  CHECK(element(server.get("/bkt?ownershipControls"), "ObjectOwnership") == "ObjectWriter");
  CHECK(elements(server.get("/bkt?acl"), "Permission") ==
        std::vector<std::string>{"FULL_CONTROL", "READ"});
  CHECK(element(server.get("/bkt?tagging"), "Key") == "a");
  // A bucket that is there stays as it is.
  CHECK(create("/bkt", {{"x-amz-object-ownership", "BucketOwnerPreferred"}}).status == 200);
  CHECK(element(server.get("/bkt?ownershipControls"), "ObjectOwnership") == "ObjectWriter");
  CHECK(create("/other", {{"x-amz-object-ownership", "Nobody"}}).error_code == "InvalidArgument");
  CHECK(create("/other", {{"x-amz-acl", "nobody"}}).error_code == "InvalidArgument");
  CHECK(create("/other", {},
               "<CreateBucketConfiguration><Tags><Tag><Key>aws:a</Key><Value>1</Value></Tag></Tags>"
               "</CreateBucketConfiguration>")
            .error_code == "InvalidTag");
  CHECK(server.head("/other").status == 404);
}

TEST_CASE("bucket handlers: DeleteObjects") {
  HandlerFixture server;
  CHECK(server.post("/bkt?delete", "<Delete/>").error_code == "NoSuchBucket");
  CHECK(server.answered_from_head);
  for (const char* key : {"/bkt/a", "/bkt/%20b", "/bkt/R%26D", "/bkt/A%0Ab"}) server.put(key, 1);
  const Reply reply = server.post(
      "/bkt/?delete=",
      "<Delete><Object><Key>a</Key></Object><Object><Key> b</Key></Object>"
      "<Object><Key>R&#38;D</Key></Object><Object><Key>never there</Key></Object></Delete>",
      {{"x-amz-checksum-crc32", "7gevdw=="}});
  CHECK(reply.status == 200);
  CHECK(elements(reply, "Key") == std::vector<std::string>{"a", " b", "R&amp;D", "never there"});
  CHECK(server.get("/bkt/a").status == 404);
  CHECK(server.get("/bkt/%20b").status == 404);
  const Reply quiet =
      server.post("/bkt?delete",
                  "<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                  "<Quiet>true</Quiet><Object><Key>A&#10;b</Key></Object></Delete>");
  CHECK(elements(quiet, "Key").empty());
  CHECK(contains(quiet, "<DeleteResult xmlns="));
  CHECK(elements(server.get("/bkt"), "Key").empty());
}

TEST_CASE("bucket handlers: DeleteObjects that cannot be read") {
  HandlerFixture server;
  server.put("/bkt/a", 1);
  std::string many = "<Delete>";
  for (int n = 0; n <= 1000; ++n) many += "<Object><Key>a</Key></Object>";
  CHECK(server.post("/bkt?delete", many + "</Delete>").error_code == "MalformedXML");
  CHECK(server.post("/bkt?delete", "").error_code == "MalformedXML");
  const Reply large =
      server.send({.method = "POST", .target = "/bkt?delete", .pretended_bytes = 9 * 1024 * 1024});
  CHECK(large.error_code == "MaxMessageLengthExceeded");
  CHECK(server.answered_from_head);
  const std::string one = "<Delete><Object><Key>a</Key></Object></Delete>";
  CHECK(server.post("/bkt?delete", one, {{"Content-MD5", "JfnnlDI7RTiF9RgfG2JNCw=="}}).error_code ==
        "BadDigest");
  CHECK(server.post("/bkt?delete", one, {{"Content-MD5", "x"}}).error_code == "InvalidDigest");
  CHECK(server.get("/bkt/a").status == 200);
}
