#include "server/reply.hpp"

#include <algorithm>
#include <charconv>

namespace mocks3::server {

namespace {

/// Of most responses: the headers are written into one allocation.
constexpr size_t kTypicalHeaderBytes = 384;

bool breaks_line(char c) { return c == '\r' || c == '\n' || c == '\0'; }

Reply with_text(std::string body, std::string_view type, unsigned status) {
  Reply reply = Reply::empty(status);
  reply.headers.add("Content-Type", type);
  reply.body = std::move(body);
  return reply;
}

}  // namespace

HeaderBlock& HeaderBlock::add(std::string_view name, std::string_view value) {
  if (wire_.empty()) wire_.reserve(kTypicalHeaderBytes);
  wire_.append(name).append(": ");
  const size_t start = wire_.size();
  wire_.append(value);
  std::replace_if(wire_.begin() + static_cast<std::ptrdiff_t>(start), wire_.end(), breaks_line,
                  ' ');
  wire_.append("\r\n");
  return *this;
}

HeaderBlock& HeaderBlock::add(std::string_view name, uint64_t value) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  return add(name, std::string_view(digits, static_cast<size_t>(end - digits)));
}

HeaderBlock& HeaderBlock::append(const HeaderBlock& more) {
  wire_ += more.wire_;
  return *this;
}

Reply Reply::empty(unsigned status) {
  Reply reply;
  reply.status = status;
  return reply;
}

Reply Reply::xml(std::string body, unsigned status) {
  return with_text(std::move(body), "application/xml", status);
}

Reply Reply::json(std::string body, unsigned status) {
  return with_text(std::move(body), "application/json", status);
}

Reply Reply::error(const S3Error& error, std::string_view resource, std::string_view request_id,
                   bool head_request) {
  const S3CodeInfo& code = info(error.code);
  Reply reply =
      head_request ? empty(code.status) : xml(error_xml(error, resource, request_id), code.status);
  if (head_request) reply.headers.add("Content-Type", "application/xml");
  reply.error_code = code.name;
  return reply;
}

}  // namespace mocks3::server
