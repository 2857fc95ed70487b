#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace mocks3 {

struct HeaderView {
  std::string_view name;
  std::string_view value;
};

/// The head of an HTTP/1.x request as views into the bytes that were read: valid only while the
/// connection's buffer is. Filled by shared/net/http_head; this layer knows no socket.
struct RequestHead {
  std::string_view method;  ///< as sent: "GET", "PUT", ...
  std::string_view target;  ///< as sent: origin-form, or absolute-form through a proxy
  unsigned minor_version = 1;
  std::vector<HeaderView> headers;  ///< in the order received, values trimmed

  bool keep_alive = true;
  bool http_chunked = false;               ///< Transfer-Encoding: chunked
  std::optional<uint64_t> content_length;  ///< absent where there is none
  bool expect_continue = false;            ///< Expect: 100-continue, any letter case

  /// First header of that name (any letter case); empty where there is none.
  std::string_view header(std::string_view name) const;
  bool has_header(std::string_view name) const;
  void clear();
};

}  // namespace mocks3
