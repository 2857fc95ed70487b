#include "shared/net/http_head.hpp"

#include <boost/beast/http/basic_parser.hpp>
#include <charconv>

#include "shared/util/encode.hpp"

namespace mocks3 {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;
using boost::beast::string_view;

std::string_view to_std(string_view text) { return {text.data(), text.size()}; }

/// Calls `each` with every token of a comma-separated header value.
template <class Each>
void for_each_token(std::string_view value, Each each) {
  while (!value.empty()) {
    const size_t comma = value.find(',');
    const std::string_view token = trim(value.substr(0, comma));
    if (!token.empty()) each(token);
    value = comma == value.npos ? std::string_view{} : value.substr(comma + 1);
  }
}

/// Fields that decide where a message ends and whom it is for; refused where two readers could
/// disagree (RFC 9112 section 6.3).
struct Framing {
  std::optional<uint64_t> content_length;
  bool chunked = false;
  bool close = false;
  bool keep_alive = false;
  bool has_host = false;
  std::string_view fault;

  void field(std::string_view name, std::string_view value) {
    if (iequals(name, "content-length")) return take_length(value);
    if (iequals(name, "transfer-encoding")) return take_encoding(value);
    if (iequals(name, "connection")) take_connection(value);
    if (iequals(name, "host")) take_host();
  }
  void take_length(std::string_view value) {
    uint64_t length = 0;
    const char* end = value.data() + value.size();
    const auto parsed = std::from_chars(value.data(), end, length);
    if (content_length) fault = "more than one Content-Length";
    if (value.empty() || parsed.ec != std::errc{} || parsed.ptr != end)
      fault = "bad Content-Length";
    if (chunked) fault = "both Content-Length and Transfer-Encoding";
    content_length = length;
  }
  void take_encoding(std::string_view value) {
    if (chunked || !iequals(value, "chunked")) fault = "a Transfer-Encoding other than chunked";
    if (content_length) fault = "both Content-Length and Transfer-Encoding";
    chunked = true;
  }
  void take_connection(std::string_view value) {
    for_each_token(value, [this](std::string_view token) {
      if (iequals(token, "close")) close = true;
      if (iequals(token, "keep-alive")) keep_alive = true;
    });
  }
  /// RFC 9112 section 3.2: which one a proxy would have taken is unknown.
  void take_host() {
    if (has_host) fault = "more than one Host";
    has_host = true;
  }
  /// RFC 9112 section 6.1: HTTP/1.0 knows no Transfer-Encoding, and a proxy may not have either.
  bool persistent(unsigned minor_version) const {
    return !close && (minor_version >= 1 || (keep_alive && !chunked));
  }
};

/// Beast's grammar with storage of our own: views into the input instead of copies.
template <bool isRequest>
class ViewParser final : public http::basic_parser<isRequest> {
 public:
  ViewParser(std::span<const char> bytes, std::vector<HeaderView>& headers)
      : bytes_(bytes), headers_(headers) {
    // Beast demands that the input is longer than the limit before it says header_limit.
    this->header_limit(static_cast<uint32_t>(kMaxHeadBytes));
    this->body_limit(boost::none);
  }

  Framing framing;
  std::string_view method, target;
  unsigned minor_version = 1;
  unsigned status = 0;

 private:
  void on_request_impl(http::verb, string_view method_text, string_view target_text, int version,
                       error_code&) override {
    method = to_std(method_text);
    target = to_std(target_text);
    minor_version = static_cast<unsigned>(version - 10);
  }
  void on_response_impl(int code, string_view, int version, error_code&) override {
    status = static_cast<unsigned>(code);
    minor_version = static_cast<unsigned>(version - 10);
  }
  void on_field_impl(http::field, string_view name, string_view value, error_code& ec) override {
    if (headers_.size() >= kMaxHeaders) ec = http::error::header_limit;
    // Beast unfolds a folded line into a buffer of its own, to which no view may point.
    if (!value.empty() && !inside(value)) ec = http::error::bad_obs_fold;
    headers_.push_back({to_std(name), to_std(value)});
    framing.field(to_std(name), to_std(value));
    if (!framing.fault.empty()) ec = http::error::bad_value;
  }
  bool inside(string_view text) const {
    return text.data() >= bytes_.data() && text.data() < bytes_.data() + bytes_.size();
  }

  void on_header_impl(error_code&) override {}
  void on_body_init_impl(const boost::optional<uint64_t>&, error_code&) override {}
  size_t on_body_impl(string_view, error_code&) override { return 0; }
  void on_chunk_header_impl(uint64_t, string_view, error_code&) override {}
  size_t on_chunk_body_impl(uint64_t, string_view, error_code&) override { return 0; }
  void on_finish_impl(error_code&) override {}

  std::span<const char> bytes_;
  std::vector<HeaderView>& headers_;
};

/// What Beast calls the fault, in words that live for ever.
std::string_view describe(const error_code& ec) {
  switch (static_cast<http::error>(ec.value())) {
    case http::error::bad_method:
      return "bad method";
    case http::error::bad_target:
      return "bad request target";
    case http::error::bad_version:
      return "bad HTTP version or request line";
    case http::error::bad_field:
      return "bad header name";
    case http::error::bad_value:
      return "bad header value";
    case http::error::bad_line_ending:
      return "bad line ending";
    case http::error::bad_content_length:
      return "bad Content-Length";
    case http::error::bad_transfer_encoding:
      return "bad Transfer-Encoding";
    case http::error::bad_obs_fold:
      return "a folded header line";
    default:
      return "not an HTTP/1.1 message head";
  }
}

/// RFC 9112 section 2.2: a server should ignore empty lines before the request line.
size_t leading_line_ends(std::span<const char> bytes) {
  size_t count = 0;
  while (count + 1 < bytes.size() && bytes[count] == '\r' && bytes[count + 1] == '\n') count += 2;
  return count;
}

template <bool isRequest>
HeadResult parse(ViewParser<isRequest>& parser, std::span<const char> bytes, size_t skipped) {
  error_code ec;
  const size_t used = parser.put(boost::asio::buffer(bytes.data(), bytes.size()), ec);
  if (ec == http::error::need_more) {
    const bool full = bytes.size() >= kMaxHeadBytes;
    return {full ? HeadStatus::too_large : HeadStatus::incomplete, 0, {}};
  }
  if (ec == http::error::header_limit || ec == http::error::buffer_overflow)
    return {HeadStatus::too_large, 0, {}};
  if (!parser.framing.fault.empty()) return {HeadStatus::malformed, 0, parser.framing.fault};
  if (ec) return {HeadStatus::malformed, 0, describe(ec)};
  return {HeadStatus::complete, skipped + used, {}};
}

}  // namespace

HeadResult parse_request_head(std::span<const char> bytes, RequestHead& head) {
  head.clear();
  const size_t skipped = leading_line_ends(bytes);
  bytes = bytes.subspan(skipped);
  if (bytes.empty() || (bytes.size() == 1 && bytes[0] == '\r'))
    return {skipped >= kMaxHeadBytes ? HeadStatus::too_large : HeadStatus::incomplete, 0, {}};
  ViewParser<true> parser(bytes, head.headers);
  const HeadResult result = parse(parser, bytes, skipped);
  head.method = parser.method;
  head.target = parser.target;
  head.minor_version = parser.minor_version;
  head.keep_alive = parser.framing.persistent(parser.minor_version);
  head.http_chunked = parser.framing.chunked;
  head.content_length = parser.framing.content_length;
  for_each_token(head.header("expect"), [&head](std::string_view token) {
    if (iequals(token, "100-continue")) head.expect_continue = head.minor_version >= 1;
  });
  return result;
}

HeadResult parse_response_head(std::span<const char> bytes, ResponseHead& head) {
  head = ResponseHead{};
  if (bytes.empty()) return {};
  ViewParser<false> parser(bytes, head.headers);
  const HeadResult result = parse(parser, bytes, 0);
  head.status = parser.status;
  head.keep_alive = parser.framing.persistent(parser.minor_version);
  head.http_chunked = parser.framing.chunked;
  head.content_length = parser.framing.content_length;
  return result;
}

std::string_view ResponseHead::header(std::string_view name) const {
  for (const HeaderView& field : headers)
    if (iequals(field.name, name)) return field.value;
  return {};
}

}  // namespace mocks3
