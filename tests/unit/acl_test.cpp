#include "server/acl.hpp"

#include "tests/unit/handler_fixture.hpp"

using namespace mocks3;
using namespace mocks3::server;

namespace {

constexpr char kPolicy[] =
    "<AccessControlPolicy "
    "xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Owner><ID>o</ID></Owner>"
    "<AccessControlList><Grant><Grantee xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
    "xsi:type=\"CanonicalUser\"><ID>someone</ID></Grantee><Permission>READ</Permission></Grant>"
    "</AccessControlList></AccessControlPolicy>";

Reply put_acl(HandlerFixture& server, const std::string& target,
              const HandlerFixture::Headers& headers, const std::string& body = "") {
  return server.send({.method = "PUT", .target = target, .headers = headers, .body = body});
}

}  // namespace

TEST_CASE("acl: a bucket's is the owner's until one is put, and comes back then") {
  HandlerFixture server;
  CHECK(server.get("/bkt?acl").error_code == "NoSuchBucket");
  CHECK(put_acl(server, "/bkt?acl", {}, kPolicy).error_code == "NoSuchBucket");
  server.put("/bkt", 0);
  const Reply initial = server.get("/bkt?acl");
  CHECK(elements(initial, "Permission") == std::vector<std::string>{"FULL_CONTROL"});
  CHECK(contains(initial, "xsi:type=\"CanonicalUser\""));
  CHECK(put_acl(server, "/bkt?acl", {}, kPolicy).status == 200);
  CHECK(contains(server.get("/bkt?acl"), kPolicy));
  CHECK(put_acl(server, "/bkt?acl", {{"x-amz-acl", "public-read-write"}}).status == 200);
  const Reply open = server.get("/bkt?acl");
  CHECK(elements(open, "Permission") == std::vector<std::string>{"FULL_CONTROL", "READ", "WRITE"});
  CHECK(elements(open, "URI") ==
        std::vector<std::string>(2, "http://acs.amazonaws.com/groups/global/AllUsers"));
  server.del("/bkt");
  server.put("/bkt", 0);
  CHECK(text_of(server.get("/bkt?acl")) == text_of(initial));
}

TEST_CASE("acl: grants in headers") {
  HandlerFixture server;
  server.put("/bkt", 0);
  CHECK(put_acl(server, "/bkt?acl",
                {{"x-amz-grant-read", "uri=\"http://u/x\", id=\"a<b\""},
                 {"x-amz-grant-write-acp", "emailAddress=\"e@x\""}})
            .status == 200);
  const Reply acl = server.get("/bkt?acl");
  CHECK(elements(acl, "Permission") == std::vector<std::string>{"READ", "READ", "WRITE_ACP"});
  CHECK(element(acl, "URI") == "http://u/x");
  CHECK(elements(acl, "ID").back() == "a&lt;b");
  CHECK(element(acl, "EmailAddress") == "e@x");
}

TEST_CASE("acl: what S3 refuses") {
  HandlerFixture server;
  server.put("/bkt/k", 1);
  for (const std::string target : {"/bkt?acl", "/bkt/k?acl"}) {
    CAPTURE(target);
    const auto code = [&](const HandlerFixture::Headers& headers, const std::string& body = "") {
      return put_acl(server, target, headers, body).error_code;
    };
    CHECK(code({}) == "MissingSecurityHeader");
    CHECK(code({}, "<AccessControlPolicy") == "MalformedACLError");
    CHECK(code({}, "<AccessControlPolicy/>") == "MalformedACLError");
    CHECK(code({}, "<Other/>") == "MalformedACLError");
    CHECK(code({{"x-amz-acl", "public"}}) == "InvalidArgument");
    CHECK(code({{"x-amz-grant-read", "name=\"x\""}}) == "InvalidArgument");
    CHECK(code({{"x-amz-acl", "private"}, {"x-amz-grant-read", "id=\"x\""}}) == "InvalidRequest");
  }
}

TEST_CASE("acl: at most a hundred grants") {
  HandlerFixture server;
  server.put("/bkt", 0);
  const auto in_head = [&server](size_t read, size_t write) {
    const auto ids = [](size_t count) {
      std::string list;
      for (size_t n = 0; n < count; ++n) list += (n == 0 ? "id=a" : ",id=a");
      return list;
    };
    return put_acl(server, "/bkt?acl",
                   {{"x-amz-grant-read", ids(read)}, {"x-amz-grant-write", ids(write)}})
        .error_code;
  };
  CHECK(in_head(60, 40).empty());
  CHECK(in_head(60, 41) == "MalformedACLError");
  const auto in_body = [&server](size_t count) {
    std::string grants;
    for (size_t n = 0; n < count; ++n) {
      grants += "<Grant><Grantee/><Permission>READ</Permission></Grant>";
    }
    return put_acl(server, "/bkt?acl", {},
                   "<AccessControlPolicy><AccessControlList>" + grants +
                       "</AccessControlList></AccessControlPolicy>")
        .error_code;
  };
  CHECK(in_body(100).empty());
  CHECK(in_body(0).empty());
  CHECK(in_body(101) == "MalformedACLError");
}

TEST_CASE("acl: an object's is accepted and stays the owner's") {
  HandlerFixture server;
  server.put("/bkt/k", 1);
  CHECK(put_acl(server, "/bkt/k?acl", {{"x-amz-acl", "public-read"}}).status == 200);
  CHECK(put_acl(server, "/bkt/k?acl", {}, kPolicy).status == 200);
  CHECK(elements(server.get("/bkt/k?acl"), "Permission") ==
        std::vector<std::string>{"FULL_CONTROL"});
  CHECK(server.get("/bkt/missing?acl").error_code == "NoSuchKey");
  CHECK(put_acl(server, "/bkt/missing?acl", {{"x-amz-acl", "private"}}).error_code == "NoSuchKey");
  CHECK(server.get("/none/k?acl").error_code == "NoSuchBucket");
}
