#include "client/engine/request.hpp"

#include <doctest/doctest.h>

using namespace mocks3;
using namespace mocks3::client;

namespace {

constexpr UnixMillis kTime{1767323045000};  // 2026-01-02T03:04:05Z

Endpoint endpoint_with(const char* access_key, const char* token = "") {
  Endpoint endpoint;
  endpoint.host = "h";
  endpoint.port = 8080;
  endpoint.region = "eu-west-1";
  endpoint.credentials = {access_key, "secret", token};
  return endpoint;
}

bool has_line(const std::string& head, const std::string& line) {
  return head.find("\r\n" + line + "\r\n") != std::string::npos;
}

/// The value of a header.
std::string value_of(const std::string& head, const std::string& name) {
  const size_t at = head.find("\r\n" + name + ": ");
  REQUIRE(at != std::string::npos);
  const size_t from = at + name.size() + 4;
  return head.substr(from, head.find("\r\n", from) - from);
}

}  // namespace

TEST_CASE("a head has what was asked for, and ends once") {
  RequestBuilder builder(endpoint_with(""), "bkt");
  RequestSpec spec;
  spec.method = "GET";
  spec.key = "dir/a b+c%\xc3\xa4";
  spec.ranged = true;
  spec.first = 5;
  spec.last = 9;
  const std::string head = builder.head(spec, kTime);
  CHECK(head.starts_with("GET /bkt/dir/a%20b%2Bc%25%C3%A4 HTTP/1.1\r\n"));
  CHECK(has_line(head, "Host: h:8080"));
  CHECK(has_line(head, "Range: bytes=5-9"));
  CHECK(head.find("Content-Length") == std::string::npos);
  CHECK(head.find("uthorization") == std::string::npos);
  CHECK(head.find("\r\n\r\n") == head.size() - 4);
}

TEST_CASE("the signature is that of the signed request") {
  const Endpoint endpoint = endpoint_with("AK", "TOKEN");
  RequestBuilder builder(endpoint, "bkt");
  RequestSpec spec;
  spec.method = "PUT";
  spec.key = "k";
  const std::string query = part_query("a+b", 7);
  CHECK(query == "partNumber=7&uploadId=a%2Bb");
  spec.query = query;
  spec.content_length = 0;
  SigningInput input;
  input.method = "PUT";
  input.path = "/bkt/k";
  input.query = query;
  input.headers = {{"host", "h:8080"},
                   {"x-amz-content-sha256", "UNSIGNED-PAYLOAD"},
                   {"x-amz-date", "20260102T030405Z"},
                   {"x-amz-security-token", "TOKEN"}};
  input.payload_hash = kUnsignedPayload;
  const std::string head = builder.head(spec, kTime);
  CHECK(head.starts_with("PUT /bkt/k?partNumber=7&uploadId=a%2Bb HTTP/1.1\r\n"));
  CHECK(has_line(head, "Content-Length: 0"));
  CHECK(has_line(head, "x-amz-date: 20260102T030405Z"));
  CHECK(has_line(head, "x-amz-security-token: TOKEN"));
  CHECK(value_of(head, "Authorization") ==
        authorization_header(input, endpoint.credentials, "20260102T030405Z", "eu-west-1"));

  // A new day has a new key.
  const UnixMillis next_day{kTime.value + 86'400'000};
  input.headers[2].second = "20260103T030405Z";
  CHECK(value_of(builder.head(spec, next_day), "Authorization") ==
        authorization_header(input, endpoint.credentials, "20260103T030405Z", "eu-west-1"));
}
