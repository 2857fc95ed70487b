#include "server/cors.hpp"

#include "tests/unit/handler_fixture.hpp"

using namespace mocks3;
using namespace mocks3::server;

namespace {

constexpr char kRules[] =
    "<CORSConfiguration>"
    "<CORSRule><AllowedOrigin>http://*.app</AllowedOrigin><AllowedMethod>GET</AllowedMethod>"
    "<AllowedMethod>PUT</AllowedMethod><AllowedHeader>X-Amz-*</AllowedHeader>"
    "<AllowedHeader>content-type</AllowedHeader><ExposeHeader>ETag</ExposeHeader>"
    "<ExposeHeader>x-amz-id</ExposeHeader><MaxAgeSeconds>30</MaxAgeSeconds></CORSRule>"
    "<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>HEAD</AllowedMethod></CORSRule>"
    "</CORSConfiguration>";

struct CorsFixture : HandlerFixture {
  CorsFixture() {
    put("/bkt/k", 5);
    CHECK(send({.method = "PUT", .target = "/bkt?cors", .body = kRules}).status == 200);
  }
  Reply preflight(const std::string& target, const Headers& headers) {
    return send({.method = "OPTIONS", .target = target, .headers = headers});
  }
};

std::string origin_allowed_by(const Reply& reply) {
  return header_of(reply, "Access-Control-Allow-Origin");
}

}  // namespace

TEST_CASE("cors: a preflight that a rule allows") {
  CorsFixture server;
  const Reply reply = server.preflight(
      "/bkt/new", {{"Origin", "http://my.app"},
                   {"Access-Control-Request-Method", "PUT"},
                   {"Access-Control-Request-Headers", "Content-Type, x-amz-date"}});
  CHECK(reply.status == 200);
  CHECK(origin_allowed_by(reply) == "http://my.app");
  CHECK(header_of(reply, "Access-Control-Allow-Methods") == "GET, PUT");
  CHECK(header_of(reply, "Access-Control-Allow-Headers") == "content-type, x-amz-date");
  CHECK(header_of(reply, "Access-Control-Expose-Headers") == "ETag, x-amz-id");
  CHECK(header_of(reply, "Access-Control-Max-Age") == "30");
  CHECK(header_of(reply, "Access-Control-Allow-Credentials") == "true");
  CHECK(contains(header_of(reply, "Vary"), "Origin"));
}

TEST_CASE("cors: a rule for every origin names none and allows no credentials") {
  CorsFixture server;
  const Reply reply = server.preflight(
      "/bkt", {{"Origin", "http://else"}, {"Access-Control-Request-Method", "HEAD"}});
  CHECK(reply.status == 200);
  CHECK(origin_allowed_by(reply) == "*");
  CHECK(header_of(reply, "Access-Control-Allow-Credentials").empty());
}

TEST_CASE("cors: preflights that are refused") {
  CorsFixture server;
  const auto message = [&server](const std::string& target,
                                 const HandlerFixture::Headers& headers) {
    const Reply reply = server.preflight(target, headers);
    return std::to_string(reply.status) + " " + element(reply, "Code") + " " +
           element(reply, "Message").substr(0, 54);
  };
  const std::pair<std::string, std::string> get = {"Access-Control-Request-Method", "GET"};
  const std::pair<std::string, std::string> origin = {"Origin", "http://my.app"};
  CHECK(message("/bkt/k", {get}) ==
        "400 BadRequest Insufficient information. Origin request header needed");
  CHECK(message("/bkt/k", {origin}) ==
        "400 BadRequest Invalid Access-Control-Request-Method: null");
  CHECK(message("/bkt/k", {origin, {"Access-Control-Request-Method", "PATCH"}}) ==
        "400 BadRequest Invalid Access-Control-Request-Method: PATCH");
  const std::string refused =
      "403 AccessForbidden CORSResponse: This CORS request is not allowed. This i";
  CHECK(message("/bkt/k", {get, {"Origin", "http://my.app.evil"}}) == refused);
  CHECK(message("/bkt/k", {get, {"Origin", "http://"}}) == refused);
  CHECK(message("/bkt/k", {origin, {"Access-Control-Request-Method", "DELETE"}}) == refused);
  CHECK(message("/bkt/k", {origin, get, {"Access-Control-Request-Headers", "x-other"}}) == refused);
  const std::string off = "403 AccessForbidden CORSResponse: CORS is not enabled for this bucket.";
  server.put("/plain", 0);
  CHECK(message("/plain/k", {origin, get}) == off);
  CHECK(message("/none/k", {origin, get}) == off);
  server.del("/bkt?cors");
  CHECK(message("/bkt/k", {origin, get}) == off);
}

TEST_CASE("cors: a request may ask for many headers, but not for any number") {
  CorsFixture server;
  const auto status = [&server](size_t count) {
    std::string names;
    for (size_t n = 0; n < count; ++n) names += "x-amz-" + std::to_string(n) + ",";
    return server
        .preflight("/bkt/k", {{"Origin", "http://my.app"},
                              {"Access-Control-Request-Method", "GET"},
                              {"Access-Control-Request-Headers", names}})
        .status;
  };
  CHECK(status(100) == 200);
  CHECK(status(101) == 403);
}

TEST_CASE("cors: rules are those of the latest document") {
  CorsFixture server;
  const HandlerFixture::Headers origin = {{"Origin", "http://new"}};
  CHECK(origin_allowed_by(server.get("/bkt/k", origin)).empty());
  const std::string rules =
      "<CORSConfiguration><CORSRule><AllowedOrigin>http://new</AllowedOrigin>"
      "<AllowedMethod>GET</AllowedMethod></CORSRule></CORSConfiguration>";
  CHECK(server.send({.method = "PUT", .target = "/bkt?cors", .body = rules}).status == 200);
  CHECK(origin_allowed_by(server.get("/bkt/k", origin)) == "http://new");
  CHECK(origin_allowed_by(server.get("/bkt/k", {{"Origin", "http://my.app"}})).empty());
}

TEST_CASE("cors: answers to requests with an Origin carry the headers, errors too") {
  CorsFixture server;
  const HandlerFixture::Headers origin = {{"Origin", "http://my.app"}};
  CHECK(origin_allowed_by(server.get("/bkt/k", origin)) == "http://my.app");
  CHECK(origin_allowed_by(server.get("/bkt/missing", origin)) == "http://my.app");
  CHECK(origin_allowed_by(server.get("/bkt?list-type=2", origin)) == "http://my.app");
  CHECK(origin_allowed_by(server.put("/bkt/k", 9, origin)) == "http://my.app");
  CHECK(origin_allowed_by(server.head("/bkt/k", origin)) == "*");
  CHECK(origin_allowed_by(server.del("/bkt/k", origin)).empty());
  CHECK(origin_allowed_by(server.get("/bkt/k", {{"Origin", "http://else"}})).empty());
  CHECK(origin_allowed_by(server.get("/bkt/k")).empty());
  CHECK(origin_allowed_by(server.put("/other/k", 9, origin)).empty());
}

TEST_CASE("cors: a request may say which method its page asked for") {
  CorsFixture server;
  CHECK(origin_allowed_by(server.del(
            "/bkt/k", {{"Origin", "http://my.app"}, {"Access-Control-Request-Method", "GET"}})) ==
        "http://my.app");
}
