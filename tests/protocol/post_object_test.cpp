#include <doctest/doctest.h>

#include "shared/util/encode.hpp"
#include "tests/protocol/raw_client.hpp"

namespace mocks3::test {
namespace {

const Headers kForm = {{"Content-Type", "multipart/form-data; boundary=XX"}};

std::string field(const std::string& name, const std::string& value) {
  return "--XX\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
}

std::string file(const std::string& bytes) {
  return "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f.txt\"\r\n"
         "Content-Type: text/plain\r\n\r\n" +
         bytes + "\r\n--XX--\r\n";
}

std::string base64(std::string_view text) {
  return base64_encode({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

}  // namespace

TEST_CASE("a form stores its file") {
  const TestServer server;
  const Response done =
      server.post("/bkt",
                  field("key", "up/${filename}") + field("x-amz-meta-a", "b") +
                      field("Content-Type", "image/png") + file("\r\n--XY of nine"),
                  kForm);
  CHECK(done.status == 204);
  CHECK(done.body.empty());
  const Response head = server.head("/bkt/up/f.txt");
  CHECK(head.header("content-length") == "14");
  CHECK(head.header("content-type") == "image/png");
  CHECK(head.header("x-amz-meta-a") == "b");
  CHECK(head.header("etag") == done.header("etag"));
  CHECK(done.header("location").ends_with("/bkt/up/f.txt"));
}

TEST_CASE("a form's tags are XML, and its ACL is one that S3 has") {
  const TestServer server;
  const std::string tags =
      "<Tagging><TagSet><Tag><Key>a b</Key><Value>&amp;</Value></Tag></TagSet></Tagging>";
  CHECK(server
            .post("/bkt",
                  field("key", "k") + field("tagging", tags) + field("acl", "public-read") +
                      file("x"),
                  kForm)
            .status == 204);
  CHECK(server.head("/bkt/k").header("x-amz-tagging-count") == "1");
  const Response got = server.get("/bkt/k?tagging");
  CHECK(between(got.body, "Key") == "a b");
  CHECK(between(got.body, "Value") == "&amp;");
  const auto refused = [&](const std::string& name, const std::string& value) {
    return server.post("/bkt", field("key", "no") + field(name, value) + file("x"), kForm).code();
  };
  CHECK(refused("tagging", "a=b") == "MalformedXML");
  CHECK(refused("acl", "everybody") == "InvalidArgument");
  CHECK(server.size_of("/bkt/no") == "none");
}

TEST_CASE("a form's answer is the one that it asks for") {
  const TestServer server;
  const auto post = [&](const std::string& name, const std::string& value) {
    return server.post("/bkt/", field("key", "a b") + field(name, value) + file("x"), kForm);
  };
  CHECK(post("success_action_status", "200").status == 200);
  CHECK(post("success_action_status", "404").status == 204);
  const Response created = post("success_action_status", "201");
  CHECK(created.status == 201);
  CHECK(between(created.body, "Key") == "a b");
  CHECK(between(created.body, "Bucket") == "bkt");
  CHECK(between(created.body, "Location").ends_with("/bkt/a%20b"));
  CHECK(between(created.body, "ETag") ==
        "&quot;" + created.header("etag").substr(1, created.header("etag").size() - 2) + "&quot;");
  const Response redirected = post("success_action_redirect", "http://here/done?x=1");
  CHECK(redirected.status == 303);
  CHECK(redirected.header("location")
            .starts_with("http://here/done?x=1&bucket=bkt&key=a%20b&etag=%22"));
  CHECK(post("success_action_redirect", "javascript:alert(1)").status == 204);
}

TEST_CASE("a form of any size and split, and on one connection with other requests") {
  const TestServer server;
  const std::string form = field("key", "k") + file(std::string(2'000'000, '\r'));
  RawClient client(server.port());
  for (int i = 0; i < 2; ++i) {
    CHECK(client.request(make_request("POST", "/bkt", kForm, form)).status == 204);
    CHECK(client.request(make_request("HEAD", "/bkt/k"), true).header("content-length") ==
          "2000000");
  }
  RawClient slow(server.port());
  slow.send_bytewise(make_request("POST", "/bkt", kForm, field("key", "slow") + file("abc")));
  CHECK(slow.receive().status == 204);
  CHECK(server.size_of("/bkt/slow") == "3");
}

TEST_CASE("forms that are refused store nothing") {
  const TestServer server;
  CHECK(server.put("/bkt", "").status == 200);
  const auto refused = [&](const std::string& form, const Headers& headers = kForm) {
    const Response response = server.post("/bkt", form, headers);
    return std::to_string(response.status) + ' ' + response.code();
  };
  CHECK(refused("x", {}) == "412 PreconditionFailed");
  CHECK(refused(file("x")) == "400 InvalidArgument");
  CHECK(refused(field("key", "k") + "--XX--") == "400 InvalidArgument");
  CHECK(refused(field("key", std::string(1025, 'k')) + file("x")) == "400 KeyTooLongError");
  CHECK(refused(field("key", "k")) == "400 MalformedPOSTRequest");
  CHECK(refused("no form at all") == "400 MalformedPOSTRequest");
  CHECK(refused(field("key", "k") + field("a", std::string(30'000, 'x')) + file("x")) ==
        "400 MaxPostPreDataLengthExceededError");
  CHECK(refused(field("key", "k") + field("x-amz-meta-a", std::string(3'000, 'x')) + file("x")) ==
        "400 MetadataTooLarge");
  CHECK(refused(field("key", "k") + field("policy", "?") + file("x")) ==
        "400 InvalidPolicyDocument");
  const std::string policy = base64(
      R"({"expiration":"2100-01-01T00:00:00Z","conditions":[{"bucket":"bkt"},["eq","$key","a"]]})");
  CHECK(refused(field("key", "b") + field("policy", policy) + file("x")) == "403 AccessDenied");
  CHECK(server.get("/bkt?list-type=2").body.find("<Contents>") == std::string::npos);
  CHECK(refused(field("key", "a") + field("policy", policy) + file("x")) == "204 ");
  CHECK(server.size_of("/bkt/a") == "1");
}

TEST_CASE("a form into a bucket that is not there") {
  server::Options options = test_options();
  options.strict_buckets = true;
  const TestServer server(options);
  CHECK(server.post("/bkt", field("key", "k") + file("x"), kForm).code() == "NoSuchBucket");
}

TEST_CASE("a form that is cut short stores nothing, and its file counts as received bytes") {
  const TestServer server;
  const std::string whole =
      make_request("POST", "/bkt", kForm, field("key", "k") + file(std::string(5000, 'x')));
  RawClient client(server.port());
  client.send(std::string_view(whole).substr(0, whole.size() - 2000));
  client.shutdown_send();
  CHECK(client.receive().status == 400);
  CHECK(server.size_of("/bkt/k") == "none");
  CHECK(server.post("/bkt", field("key", "k") + file(std::string(5000, 'x')), kForm).status == 204);
  const std::string stats = server.get("/_mock/requests?op=PostObject").body;
  CHECK(stats.find("\"bytes_in\":5000") != std::string::npos);
}

}  // namespace mocks3::test
