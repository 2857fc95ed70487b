#include <doctest/doctest.h>

#include "server/metrics.hpp"
#include "tests/protocol/framing.hpp"

namespace mocks3::test {
namespace {

struct Upload {
  const char* name;
  Headers headers;
  std::string body;  ///< whole
};

/// One upload of 100,000 bytes in each framing.
std::vector<Upload> uploads() {
  const std::string payload(100'000, 'x');
  const std::string framed = aws_chunked(payload, 65536);
  const Headers chunked = {{"Transfer-Encoding", "chunked"}};
  return {{"identity", {}, payload},
          {"aws-chunked", streaming_headers(payload.size()), framed},
          {"chunked", chunked, http_chunked(payload, 65536)},
          {"nested", with(streaming_headers(payload.size()), chunked), http_chunked(framed, 8192)}};
}

std::string request_of(const Upload& upload, std::string_view target) {
  return make_request("PUT", target, upload.headers, upload.body);
}

/// Where to cut a request: in the body's first bytes, in its middle, and before its last byte.
std::vector<size_t> cuts(const std::string& request) {
  const size_t body = request.find("\r\n\r\n") + 4;
  return {body, body + 1, body + 3, body + 70'000, request.size() - 1};
}

void check_old_object(const TestServer& server, const std::string& etag) {
  const Response head = server.head("/bkt/k");
  CHECK(head.header("content-length") == "3");
  CHECK(head.header("etag") == etag);
}

}  // namespace

TEST_CASE("faults A11: a body that ends too early is an error and leaves the old object") {
  const TestServer server;
  const std::string etag = server.put("/bkt/k", "old").header("etag");
  for (const Upload& upload : uploads()) {
    const std::string request = request_of(upload, "/bkt/k");
    for (const size_t cut : cuts(request)) {
      CAPTURE(upload.name);
      CAPTURE(cut);
      RawClient client(server.port());
      client.send(std::string_view(request).substr(0, cut));
      client.shutdown_send();
      const Response answer = client.receive();
      CHECK(answer.status == 400);
      CHECK(answer.code() == "IncompleteBody");
      CHECK(answer.header("connection") == "close");
      CHECK(client.closed_within(2000));
      check_old_object(server, etag);
    }
  }
}

TEST_CASE(
    "faults A11: a connection lost during an upload leaves the old object and nothing else"
    "else") {
  TestServer server;
  const std::string etag = server.put("/bkt/k", "old").header("etag");
  for (const Upload& upload : uploads()) {
    const std::string request = request_of(upload, "/bkt/k");
    for (const size_t cut : cuts(request)) {
      RawClient client(server.port());
      client.send(std::string_view(request).substr(0, cut));
      if (cut % 2 == 0) client.abort();
      RawClient(server.port()).send(request_of(upload, "/bkt/new").substr(0, cut));
    }
  }
  auto& open = server.server().metrics().connections_open;
  CHECK(eventually([&] { return open.load() == 0; }));
  check_old_object(server, etag);
  CHECK(server.size_of("/bkt/new") == "none");
}

TEST_CASE("faults A11: a multipart part that is cut short leaves the part that was there") {
  const TestServer server;
  const std::string id = between(server.post("/bkt/k?uploads", "").body, "UploadId");
  const std::string target = "/bkt/k?partNumber=1&uploadId=" + id;
  const std::string etag = server.put(target, "old").header("etag");
  for (const Upload& upload : uploads()) {
    CAPTURE(upload.name);
    const std::string request = request_of(upload, target);
    RawClient client(server.port());
    client.send(std::string_view(request).substr(0, request.size() - 1));
    client.shutdown_send();
    CHECK(client.receive().code() == "IncompleteBody");
    const std::string part = between(server.get("/bkt/k?uploadId=" + id).body, "Part");
    CHECK(between(part, "Size") == "3");
    CHECK((between(part, "ETag") == etag || between(part, "ETag").find(etag.substr(1, 32)) == 6));
  }
}

TEST_CASE("faults A11: a decoded length that disagrees with the framing is refused") {
  const TestServer server;
  const std::string etag = server.put("/bkt/k", "old").header("etag");
  for (const char* claimed : {"0", "8", "10", "58", "9000000000"}) {
    CAPTURE(claimed);
    const Response answer =
        server.put("/bkt/k", kFramedNine,
                   {{"x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"},
                    {"x-amz-decoded-content-length", claimed}});
    CHECK(answer.status == 400);
    CHECK_FALSE(answer.code().empty());
    check_old_object(server, etag);
  }
  for (const char* unreadable : {"x", "-1", "9 9", "99999999999999999999"})
    CHECK(
        server.put("/bkt/k", kFramedNine, {{"x-amz-decoded-content-length", unreadable}}).status ==
        400);
  check_old_object(server, etag);
}

TEST_CASE("faults A11: bytes that are no framing are refused and the connection ends") {
  const TestServer server;
  const std::string etag = server.put("/bkt/k", "old").header("etag");
  for (const std::string& body :
       {std::string("zz\r\n123456789\r\n0\r\n\r\n"), std::string("9\r\n123456789XX0\r\n\r\n"),
        std::string("-9\r\n123456789\r\n0\r\n\r\n"), std::string("ffffffffffffffffff\r\n1\r\n"),
        std::string("\r\n\r\n\r\n"), std::string(70'000, '1'), std::string(5000, ' '),
        "9;" + std::string(70'000, 'e') + "\r\n123456789\r\n0\r\n\r\n",
        "0\r\n" + std::string(70'000, 't') + ": 1\r\n\r\n"}) {
    CAPTURE(body.substr(0, 20));
    for (const Headers& headers : {Headers{{"Transfer-Encoding", "chunked"}},
                                   Headers{{"Content-Encoding", "aws-chunked"}}}) {
      RawClient client(server.port());
      const Response answer = client.request(make_request("PUT", "/bkt/k", headers, body));
      CHECK(answer.status == 400);
      CHECK_FALSE(answer.code().empty());
      CHECK(answer.header("connection") == "close");
      client.shutdown_send();
      CHECK(client.closed_within(2000));
      check_old_object(server, etag);
    }
  }
}

}  // namespace mocks3::test
