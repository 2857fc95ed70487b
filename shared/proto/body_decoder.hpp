#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/proto/chunked_decoder.hpp"
#include "shared/proto/request_head.hpp"
#include "shared/proto/s3_error.hpp"

namespace mocks3 {

/// How the payload of a request is framed on the wire.
struct BodyFraming {
  std::optional<uint64_t> http_length;     ///< Content-Length; absent with http_chunked
  bool http_chunked = false;               ///< Transfer-Encoding: chunked
  bool aws_chunked = false;                ///< aws-chunked inside it
  std::optional<uint64_t> decoded_length;  ///< x-amz-decoded-content-length

  /// aws-chunked is told by any one of: x-amz-content-sha256 STREAMING-*, the aws-chunked token in
  /// Content-Encoding, or x-amz-decoded-content-length.
  /// Error: InvalidArgument on an unparsable decoded length.
  static S3Result<BodyFraming> of(const RequestHead& head);

  bool has_body() const { return http_chunked || http_length.value_or(0) > 0; }
  /// Payload bytes where they are known beforehand.
  std::optional<uint64_t> payload_length() const;
};

/// `content_encoding` without its aws-chunked tokens, which are framing and no property of the
/// object: "aws-chunked,gzip" -> "gzip", "aws-chunked" -> "".
std::string strip_aws_chunked(std::string_view content_encoding);

/// Push decoder of a request body through both layers of framing. Never sees a socket: the caller
/// feeds it what was read, or asks how much may be thrown away unseen.
/// A body without bytes is done from the start. aws-chunked may lack its last CRLF where the outer
/// layer ends, and may be followed there by CR and LF only.
class BodyDecoder {
 public:
  enum class State { more, done, failed };
  struct Step {
    size_t consumed = 0;            ///< wire bytes used up, payload included
    std::span<const char> payload;  ///< inside the consumed input; may be empty
    State state = State::more;
  };

  explicit BodyDecoder(const BodyFraming& framing);

  /// Takes framing up to and including at most one run of payload; call again with the rest.
  Step feed(std::span<const char> input);

  /// Wire bytes that are now due as pure payload, and may be discarded unseen and reported with
  /// skip(). 0 while framing is due.
  uint64_t discardable() const;
  /// REQUIRES bytes <= discardable().
  void skip(uint64_t bytes);

  State state() const { return state_; }
  uint64_t payload_bytes() const { return payload_; }
  /// Why the state is `failed`: a framing fault, or payload bytes that disagree with
  /// x-amz-decoded-content-length.
  std::string_view reason() const { return reason_; }
  /// Trailers of the inner framing (aws-chunked where used, else HTTP chunked).
  const std::vector<std::pair<std::string, std::string>>& trailers() const;

 private:
  uint64_t outer_due() const;
  void take_outer_framing(std::span<const char> input, Step& step);
  void take_content(std::span<const char> content, Step& step);
  void take_after_end(std::span<const char> content, Step& step);
  void advance_outer(uint64_t bytes);
  void check_declared_length();
  void check_end();
  void fail(std::string_view reason);

  BodyFraming framing_;
  uint64_t length_left_ = 0;  ///< of Content-Length
  ChunkedDecoder outer_;      ///< of HTTP chunked framing
  ChunkedDecoder inner_{ChunkedDecoder::Dialect::aws};
  uint64_t payload_ = 0;
  State state_ = State::more;
  std::string_view reason_;
};

}  // namespace mocks3
