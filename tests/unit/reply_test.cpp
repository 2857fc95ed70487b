#include "server/reply.hpp"

#include <doctest/doctest.h>

using namespace mocks3;
using namespace mocks3::server;

TEST_CASE("reply: headers stand in wire form, in order") {
  HeaderBlock headers;
  headers.add("ETag", "\"x\"").add("Content-Length", uint64_t{18446744073709551615U});
  CHECK(headers.wire() == "ETag: \"x\"\r\nContent-Length: 18446744073709551615\r\n");
  CHECK(HeaderBlock().wire().empty());
}

TEST_CASE("reply: a value cannot start another header") {
  HeaderBlock headers;
  headers.add("Content-Type", "a\r\nSet-Cookie: b\nc\rd");
  headers.add("X", std::string_view("\0", 1));
  CHECK(headers.wire() == "Content-Type: a  Set-Cookie: b c d\r\nX:  \r\n");
}

TEST_CASE("reply: text bodies carry their type") {
  const Reply xml = Reply::xml("<a/>", 409);
  CHECK(xml.status == 409);
  CHECK(xml.headers.wire() == "Content-Type: application/xml\r\n");
  CHECK(std::get<std::string>(xml.body) == "<a/>");
  const Reply json = Reply::json("{}");
  CHECK(json.status == 200);
  CHECK(json.headers.wire() == "Content-Type: application/json\r\n");
  CHECK(std::holds_alternative<std::monostate>(Reply::empty(204).body));
}

TEST_CASE("reply: an error has status, code and body, to a HEAD no body") {
  S3Error error(S3Code::NoSuchKey);
  error.details.emplace_back("Key", "R&D <1>");
  const Reply reply = Reply::error(error, "/b/R&D <1>", "ID7", false);
  CHECK(reply.status == 404);
  CHECK(reply.error_code == "NoSuchKey");
  const std::string xml = std::get<std::string>(reply.body);
  CHECK(xml.starts_with("<?xml"));
  CHECK(xml.find("<Resource>/b/R&amp;D &lt;1&gt;</Resource>") != std::string::npos);
  CHECK(xml.find("<RequestId>ID7</RequestId>") != std::string::npos);

  const Reply head = Reply::error(error, "/b/k", "ID7", true);
  CHECK(head.status == 404);
  CHECK(head.error_code == "NoSuchKey");
  CHECK(std::holds_alternative<std::monostate>(head.body));
}
