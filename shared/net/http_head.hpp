#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "shared/proto/request_head.hpp"

namespace mocks3 {

inline constexpr size_t kMaxHeadBytes = 64 * 1024;
inline constexpr size_t kMaxHeaders = 256;

enum class HeadStatus {
  complete,
  incomplete,  ///< read more and call again with all bytes so far
  malformed,   ///< not an acceptable HTTP/1.x head
  too_large,   ///< over kMaxHeadBytes or kMaxHeaders
};

struct HeadResult {
  HeadStatus status = HeadStatus::incomplete;
  size_t head_bytes = 0;    ///< length of the head, leading CRLFs included, where complete
  std::string_view reason;  ///< where malformed: what was wrong, static text
};

/// Parses the request head at the start of `bytes` (Beast's grammar; RFC 9112). Leading CRLFs are
/// skipped. Refused: differing or repeated Content-Length, Content-Length with Transfer-Encoding,
/// a Transfer-Encoding other than chunked, folded lines, versions other than 1.0 and 1.1.
/// `head` holds views into `bytes`.
HeadResult parse_request_head(std::span<const char> bytes, RequestHead& head);

/// The head of a response, for clients; views into the bytes parsed.
struct ResponseHead {
  unsigned status = 0;
  std::vector<HeaderView> headers;
  bool keep_alive = true;
  bool http_chunked = false;
  std::optional<uint64_t> content_length;

  std::string_view header(std::string_view name) const;
};
HeadResult parse_response_head(std::span<const char> bytes, ResponseHead& head);

}  // namespace mocks3
