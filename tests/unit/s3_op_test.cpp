#include "shared/proto/s3_op.hpp"

#include <doctest/doctest.h>

#include <set>
#include <vector>

using namespace mocks3;

namespace {

const std::vector<std::string> kDomains = {"s3.mock.test"};

S3Result<S3Request> parse(std::string_view method, std::string_view target,
                          std::vector<HeaderView> headers = {{"Host", "127.0.0.1:8080"}}) {
  RequestHead head;
  head.method = method;
  head.target = target;
  head.headers = std::move(headers);
  return parse_s3_request(head, kDomains);
}

/// The operation's name, the code of an error, or "Unsupported <name>".
std::string op_of(std::string_view method, std::string_view target,
                  std::vector<HeaderView> headers = {{"Host", "127.0.0.1:8080"}}) {
  const auto request = parse(method, target, std::move(headers));
  if (!request) return std::string(info(request.error().code).name);
  if (request->op == S3Op::Unsupported) return "Unsupported " + request->unsupported_name;
  return std::string(name(request->op));
}

std::string key_of(std::string_view target) {
  const auto request = parse("GET", target);
  return request ? request->key : std::string(info(request.error().code).name);
}

}  // namespace

TEST_CASE("s3 op: every operation has its own name") {
  std::set<std::string_view> names;
  for (size_t i = 0; i < kS3OpCount; ++i) names.insert(name(static_cast<S3Op>(i)));
  CHECK(names.size() == kS3OpCount);
  CHECK(names.count("") == 0);
  CHECK(name(S3Op::ListParts) == "ListParts");
  CHECK(name(S3Op::Unsupported) == "Unsupported");
}

TEST_CASE("s3 op: plain operations of service, bucket and object") {
  CHECK(op_of("GET", "/") == "ListBuckets");
  for (const std::string bucket : {"/b", "/b/"}) {
    CAPTURE(bucket);
    CHECK(op_of("PUT", bucket) == "CreateBucket");
    CHECK(op_of("HEAD", bucket) == "HeadBucket");
    CHECK(op_of("DELETE", bucket) == "DeleteBucket");
    CHECK(op_of("GET", bucket) == "ListObjects");
    CHECK(op_of("GET", bucket + "?list-type=2&prefix=") == "ListObjectsV2");
    CHECK(op_of("GET", bucket + "?delimiter=&max-keys=1000&prefix=") == "ListObjects");
    CHECK(op_of("POST", bucket + "?delete") == "DeleteObjects");
    CHECK(op_of("POST", bucket + "?delete=") == "DeleteObjects");
    CHECK(op_of("GET", bucket + "?location=") == "GetBucketLocation");
    CHECK(op_of("GET", bucket + "?versioning=") == "GetBucketVersioning");
    CHECK(op_of("GET", bucket + "?policy") == "GetBucketPolicy");
    CHECK(op_of("GET", bucket + "?cors") == "GetBucketCors");
    CHECK(op_of("GET", bucket + "?acl") == "GetBucketAcl");
    CHECK(parse("GET", bucket)->bucket == "b");
    CHECK(parse("GET", bucket)->key.empty());
  }
  CHECK(op_of("PUT", "/b/k") == "PutObject");
  CHECK(op_of("GET", "/b/k") == "GetObject");
  CHECK(op_of("HEAD", "/b/k") == "HeadObject");
  CHECK(op_of("DELETE", "/b/k") == "DeleteObject");
  CHECK(op_of("GET", "/b/k?acl") == "GetObjectAcl");
  CHECK(op_of("PUT", "/b/k?acl=") == "PutObjectAcl");
  CHECK(op_of("GET", "/b/k?tagging&versionId=null") == "GetObjectTagging");
}

TEST_CASE("s3 op: multipart uploads and copies") {
  CHECK(op_of("POST", "/b/k?uploads") == "CreateMultipartUpload");
  CHECK(op_of("POST", "/b/k?uploads=") == "CreateMultipartUpload");
  CHECK(op_of("PUT", "/b/k?partNumber=1&uploadId=u") == "UploadPart");
  CHECK(op_of("PUT", "/b/k?x-id=UploadPart&uploadId=u&partNumber=10000") == "UploadPart");
  CHECK(op_of("POST", "/b/k?uploadId=u") == "CompleteMultipartUpload");
  CHECK(op_of("DELETE", "/b/k?uploadId=u") == "AbortMultipartUpload");
  CHECK(op_of("GET", "/b/k?uploadId=u&max-parts=2") == "ListParts");
  CHECK(op_of("HEAD", "/b/k?uploadId=u") == "MethodNotAllowed");
  const std::vector<HeaderView> copy = {{"X-Amz-Copy-Source", "/b/src"}};
  CHECK(op_of("PUT", "/b/k", copy) == "CopyObject");
  CHECK(op_of("PUT", "/b/k?x-id=CopyObject", copy) == "CopyObject");
  CHECK(op_of("PUT", "/b/k?partNumber=2&uploadId=u", copy) == "UploadPartCopy");
  CHECK(op_of("PUT", "/b/k?tagging", copy) == "PutObjectTagging");
  CHECK(op_of("GET", "/b/k", copy) == "GetObject");
  CHECK(op_of("PUT", "/b", copy) == "CreateBucket");
}

TEST_CASE("s3 op: part numbers are 1 to 10000 and given along") {
  CHECK(parse("PUT", "/b/k?partNumber=1&uploadId=u")->part_number == 1);
  CHECK(parse("PUT", "/b/k?partNumber=10000&uploadId=u")->part_number == 10000);
  CHECK(parse("GET", "/b/k?partNumber=3")->part_number == 3);
  CHECK(parse("HEAD", "/b/k?partNumber=1")->part_number == 1);
  CHECK(parse("GET", "/b/k")->part_number == 0);
  for (const std::string number : {"0", "10001", "x", "", "-1", "+1", "1x", "1.0", "%201",
                                   "99999999999999999999999", "18446744073709551617"}) {
    CAPTURE(number);
    CHECK(op_of("PUT", "/b/k?uploadId=u&partNumber=" + number) == "InvalidArgument");
    CHECK(op_of("GET", "/b/k?partNumber=" + number) == "InvalidArgument");
  }
  CHECK(op_of("PUT", "/b/k?uploadId=u") == "InvalidArgument");
  CHECK(op_of("PUT", "/b/k?partNumber=1") == "InvalidArgument");
  const auto refused = parse("PUT", "/b/k?uploadId=u&partNumber=0");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "Part number must be an integer between 1 and 10000, inclusive");
}

TEST_CASE("s3 op: sub-resources never fall through") {
  const std::set<std::string> kPlain = {"ListBuckets", "CreateBucket", "HeadBucket", "DeleteBucket",
                                        "ListObjects", "PostObject",   "PutObject",  "GetObject",
                                        "HeadObject",  "DeleteObject"};
  for (const std::string_view method : {"GET", "PUT", "POST", "DELETE", "HEAD"}) {
    for (const std::string sub :
         {"lifecycle",   "object-lock", "tagging",  "website",      "logging",
          "select",      "restore",     "torrent",  "legal-hold",   "retention",
          "attributes",  "session",     "versions", "policyStatus", "inventory",
          "replication", "encryption",  "append",   "renameObject", "newthing"}) {
      for (const std::string target : {"/?", "/b?", "/b/?", "/b/k?"}) {
        for (const std::string tail : {"", "=", "&x-id=Foo", "&versionId=null"}) {
          CAPTURE(method);
          CAPTURE(target + sub + tail);
          CHECK(kPlain.count(op_of(method, target + sub + tail)) == 0);
        }
      }
    }
  }
  CHECK(op_of("GET", "/b?lifecycle") == "GetBucketLifecycleConfiguration");
  CHECK(op_of("GET", "/b?inventory&id=x") == "GetBucketInventoryConfiguration");
  CHECK(op_of("GET", "/b?uploads") == "ListMultipartUploads");
  CHECK(op_of("GET", "/b/k?attributes") == "GetObjectAttributes");
  CHECK(op_of("POST", "/b/k?select&select-type=2") == "SelectObjectContent");
  CHECK(op_of("GET", "/b/k?policy") == "Unsupported ?policy");
  CHECK(op_of("GET", "/b/k?newthing") == "Unsupported ?newthing");
  CHECK(op_of("POST", "/b?acl") == "MethodNotAllowed");
  CHECK(op_of("POST", "/b") == "PostObject");
  CHECK(op_of("PUT", "/b/k", {{"x-amz-write-offset-bytes", "9"}}) == "AppendObject");
}

TEST_CASE("s3 op: two sub-resources exclude each other, one given twice does not") {
  CHECK(op_of("GET", "/b?acl&policy") == "InvalidArgument");
  CHECK(op_of("POST", "/b/k?uploads&uploadId=u") == "InvalidArgument");
  CHECK(op_of("GET", "/b?acl&acl=") == "GetBucketAcl");
}

TEST_CASE("s3 op: unknown parameters and the marks of SDKs are ignored") {
  CHECK(op_of("PUT", "/b/k?x-id=PutObject") == "PutObject");
  CHECK(op_of("GET", "/b?metadata=true&fetch-owner=true&list-type=2&extra=1") == "ListObjectsV2");
  CHECK(op_of("GET",
              "/b/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=k%2F2026&X-Amz-Date=d"
              "&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Security-Token="
              "&X-Amz-Signature=00") == "GetObject");
  CHECK(op_of("GET", "/b/k?AWSAccessKeyId=k&Signature=a%2Bb%3D&Expires=1") == "GetObject");
  CHECK(op_of("GET", "/b/k?response-content-type=&versionId=null") == "GetObject");
}

TEST_CASE("s3 op: list types") {
  for (const std::string_view type : {"", "1", "3", "two", "02"}) {
    CAPTURE(type);
    CHECK(op_of("GET", "/b?list-type=" + std::string(type)) == "ListObjects");
  }
  CHECK(op_of("GET", "/b/k?list-type=9") == "GetObject");
}

TEST_CASE("s3 op: keys are decoded once and never normalised") {
  CHECK(key_of("/b/a%20b") == "a b");
  CHECK(key_of("/b/a+b") == "a+b");
  CHECK(key_of("/b/a%2Bb") == "a+b");
  CHECK(key_of("/b/a%25b") == "a%b");
  CHECK(key_of("/b/a%252Bb") == "a%2Bb");
  CHECK(key_of("/b/q%3Fx%23y") == "q?x#y");
  CHECK(key_of("/b/x/../y") == "x/../y");
  CHECK(key_of("/b/./x") == "./x");
  CHECK(key_of("/b//x") == "/x");
  CHECK(key_of("/b//") == "/");
  CHECK(key_of("/b/x//y/") == "x//y/");
  CHECK(key_of("/b/%2Fx") == "/x");
  CHECK(key_of("/b/%E6%97%A5%E6%9C%AC") == "\xE6\x97\xA5\xE6\x9C\xAC");
  CHECK(key_of("/b/!*'();:@&=$,[]~") == "!*'();:@&=$,[]~");
  CHECK(key_of("/b/%0A%0D%01") == "\n\r\x01");
}

TEST_CASE("s3 op: keys and targets that cannot be") {
  CHECK(key_of("/b/%") == "InvalidURI");
  CHECK(key_of("/b/a%2") == "InvalidURI");
  CHECK(key_of("/b/a%zz") == "InvalidURI");
  CHECK(key_of("/b/a%00b") == "InvalidURI");
  CHECK(key_of("/b/%FF") == "InvalidURI");
  CHECK(key_of("/b/%C0%AF") == "InvalidURI");
  CHECK(key_of("/b/k?x=%zz") == "InvalidURI");
  CHECK(key_of("b/k") == "InvalidURI");
  CHECK(key_of("") == "InvalidURI");
  CHECK(key_of("*") == "InvalidURI");
  CHECK(key_of("/b/" + std::string(1024, 'k')) == std::string(1024, 'k'));
  CHECK(key_of("/b/" + std::string(1025, 'k')) == "KeyTooLongError");
  std::string encoded = "/b/";
  for (int i = 0; i < 1024; ++i) encoded += "%6B";
  CHECK(key_of(encoded) == std::string(1024, 'k'));
  CHECK(key_of(encoded + "k") == "KeyTooLongError");
}

TEST_CASE("s3 op: bucket names") {
  CHECK(op_of("PUT", "/My_old.Bucket-1") == "CreateBucket");
  CHECK(parse("GET", "/my%2Dbucket/k")->bucket == "my-bucket");
  for (const std::string_view target :
       {"//k", "/_b", "/-b/k", "/.b", "/b%2Fc/k", "/b%00", "/b%20c", "/%E6%97%A5", "/..", "/b:c"}) {
    CAPTURE(target);
    CHECK(op_of("PUT", target) == "InvalidBucketName");
  }
  CHECK(op_of("PUT", "/" + std::string(63, 'b')) == "CreateBucket");
  CHECK(op_of("PUT", "/" + std::string(64, 'b')) == "InvalidBucketName");
  CHECK(valid_bucket_name("abc"));
  CHECK(valid_bucket_name(std::string(63, '9')));
  CHECK_FALSE(valid_bucket_name("ab"));
  CHECK_FALSE(valid_bucket_name(std::string(64, 'b')));
  for (const char* bad :
       {"a b", "192.168.5.123", "foo_bar", "Foo", "foo-", "foo.", ".foo", "-foo", "foo..bar",
        "foo.-bar", "foo-.bar", "xn--foo", "sthree-x", "x-s3alias", "x--ol-s3", "x.mrap"}) {
    CAPTURE(bad);
    CHECK_FALSE(valid_bucket_name(bad));
  }
  for (const char* good : {"a.b-c", "1.2.3", "192.168.5.1234x", "a--b"})
    CHECK(valid_bucket_name(good));
  CHECK_FALSE(valid_bucket_name(""));
}

TEST_CASE("s3 op: methods that S3 does not have") {
  for (const std::string_view method : {"PATCH", "TRACE", "CONNECT", "get", "PROPFIND"}) {
    CAPTURE(method);
    CHECK(op_of(method, "/b/k") == "MethodNotAllowed");
    CHECK(op_of(method, "/b") == "MethodNotAllowed");
    CHECK(op_of(method, "/") == "MethodNotAllowed");
  }
  CHECK(op_of("OPTIONS", "*") == "MethodNotAllowed");
  CHECK(op_of("OPTIONS", "/") == "MethodNotAllowed");
  CHECK(op_of("POST", "/b/k") == "MethodNotAllowed");
  for (const std::string_view method : {"PUT", "POST", "DELETE", "HEAD"}) {
    CAPTURE(method);
    CHECK(op_of(method, "/") == "MethodNotAllowed");
  }
  const auto refused = parse("PATCH", "/b/k");
  REQUIRE_FALSE(refused);
  REQUIRE(refused.error().details.size() == 2);
  CHECK(refused.error().details[0].second == "PATCH");
  CHECK(refused.error().details[1].second == "OBJECT");
}

TEST_CASE("s3 op: a preflight may be for any operation") {
  for (const std::string target : {"/b", "/b/", "/b/k", "/b?list-type=2", "/b?acl",
                                   "/b/k?partNumber=1&uploadId=u", "/b/k?newthing"}) {
    CAPTURE(target);
    CHECK(op_of("OPTIONS", target) == "Preflight");
  }
  CHECK(op_of("POST", "/WriteGetObjectResponse") == "WriteGetObjectResponse");
}

TEST_CASE("s3 op: virtual-host style") {
  const std::vector<HeaderView> host = {{"HOST", "my.dot.b.s3.mock.test:8080"}};
  CHECK(parse("GET", "/", host)->bucket == "my.dot.b");
  CHECK(op_of("GET", "/", host) == "ListObjects");
  CHECK(op_of("GET", "/?list-type=2", host) == "ListObjectsV2");
  CHECK(op_of("PUT", "/", host) == "CreateBucket");
  CHECK(op_of("POST", "/?delete", host) == "DeleteObjects");
  const auto object = parse("PUT", "/x/y%20z", host);
  REQUIRE(object);
  CHECK(object->bucket == "my.dot.b");
  CHECK(object->key == "x/y z");
  CHECK(object->op == S3Op::PutObject);
  CHECK(parse("GET", "//x", host)->key == "/x");
  CHECK(parse("GET", "/k", {{"Host", "b.localhost:8080"}})->bucket == "b");
  CHECK(parse("GET", "/b/k", {{"Host", "s3.us-east-1.localhost"}})->bucket == "b");
  CHECK(parse("GET", "/b/k", {})->bucket == "b");
  CHECK(op_of("GET", "/k", {{"Host", "_x.localhost"}}) == "InvalidBucketName");
}

TEST_CASE("s3 op: the authority of an absolute target counts, not the Host header") {
  const auto request = parse("PUT", "http://b.localhost:8080/k", {{"Host", "127.0.0.1"}});
  REQUIRE(request);
  CHECK(request->bucket == "b");
  CHECK(request->key == "k");
  CHECK(parse("PUT", "http://127.0.0.1:8080/b/k")->key == "k");
}

TEST_CASE("s3 op: everything below /_mock is for the administrator, whatever the host") {
  for (const std::string_view host : {"127.0.0.1:8080", "b.localhost"}) {
    const auto request = parse("POST", "/_mock/requests/a%20b?limit=5", {{"Host", host}});
    REQUIRE(request);
    CHECK(request->op == S3Op::Admin);
    CHECK(request->key == "requests/a b");
    CHECK(request->bucket.empty());
    CHECK(request->query.get("limit") == "5");
  }
  CHECK(op_of("GET", "/_mock") == "Admin");
  CHECK(parse("GET", "/_mock")->key.empty());
  CHECK(parse("GET", "/_mock/")->key.empty());
  CHECK(op_of("PATCH", "/_mock/stats") == "Admin");
  CHECK(op_of("GET", "/_mock/%zz") == "InvalidURI");
  CHECK(op_of("PUT", "/_mocks/k") == "InvalidBucketName");
}

TEST_CASE("copy source: decoded once, leading slash optional, version dropped") {
  const auto check = [](std::string_view value, std::string_view bucket, std::string_view key) {
    CAPTURE(value);
    const auto source = parse_copy_source(value);
    REQUIRE(source);
    CHECK(source->bucket == bucket);
    CHECK(source->key == key);
  };
  check("b/k", "b", "k");
  check("/b/k", "b", "k");
  check("/b/a%20b%2Bc/%E6%97%A5", "b", "a b+c/\xE6\x97\xA5");
  check("b%2Fa%2Fc", "b", "a/c");
  check("%2Fb%2Fa", "b", "a");
  check("b/a+b", "b", "a+b");
  check("b/a%252Fb", "b", "a%2Fb");
  check("b/k?versionId=null", "b", "k");
  check("b/k%3FversionId=1?versionId=abc", "b", "k?versionId=1");
  CHECK(parse_copy_source("b/k?versionId=abc")->version == "abc");
  CHECK_FALSE(parse_copy_source("b/k")->version);
  check("b/q?x", "b", "q?x");
  check("b//k", "b", "/k");
}

TEST_CASE("copy source: what names no object") {
  for (const std::string_view value :
       {"", "/", "b", "/b", "b/", "/b/", "b/%zz", "b/%00", "b/%FF"}) {
    CAPTURE(value);
    const auto source = parse_copy_source(value);
    REQUIRE_FALSE(source);
    CHECK(source.error().code == S3Code::InvalidArgument);
  }
  CHECK(parse_copy_source("//k").error().code == S3Code::InvalidBucketName);
  CHECK(parse_copy_source("b/" + std::string(1025, 'k')).error().code == S3Code::KeyTooLongError);
}
