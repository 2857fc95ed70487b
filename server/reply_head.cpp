#include "server/reply_head.hpp"

#include <array>
#include <charconv>

namespace mocks3::server {

namespace {

std::string_view reason_phrase(unsigned status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 204:
      return "No Content";
    case 206:
      return "Partial Content";
    case 303:
      return "See Other";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 409:
      return "Conflict";
    case 411:
      return "Length Required";
    case 412:
      return "Precondition Failed";
    case 416:
      return "Range Not Satisfiable";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Slow Down";
    default:
      return "Other";
  }
}

void append_number(std::string& out, uint64_t value) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

uint64_t body_bytes(const Reply& reply) {
  if (const auto* text = std::get_if<std::string>(&reply.body)) return text->size();
  if (const auto* made = std::get_if<GeneratedBody>(&reply.body)) return made->length;
  return 0;
}

}  // namespace

void append_reply_head(std::string& out, const Reply& reply, const ReplyHeadFacts& facts) {
  out += "HTTP/1.1 ";
  append_number(out, reply.status);
  out += ' ';
  out += reason_phrase(reply.status);
  out += "\r\nDate: ";
  out += facts.date;
  out += "\r\nServer: mock-s3\r\nx-amz-request-id: ";
  out += facts.request_id;
  out += "\r\n";
  out += reply.headers.wire();
  // RFC 9110 section 8.6: none with 204; with 304 it would have to be that of the whole object.
  if (reply.status != 204 && reply.status != 304) {
    out += "Content-Length: ";
    append_number(out, reply.content_length.value_or(body_bytes(reply)));
    out += "\r\n";
  }
  if (!facts.keep_alive)
    out += "Connection: close\r\n";
  else if (facts.minor_version == 0)
    out += "Connection: keep-alive\r\n";
  out += "\r\n";
}

}  // namespace mocks3::server
