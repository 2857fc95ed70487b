#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "data-gen/object_bytes.hpp"
#include "shared/proto/s3_error.hpp"
#include "shared/proto/s3_op.hpp"

namespace mocks3::server {

/// Response header fields, already in wire form ("Name: value\r\n"...). Values must not hold CR or
/// LF: those are replaced by a space.
class HeaderBlock {
 public:
  HeaderBlock& add(std::string_view name, std::string_view value);
  HeaderBlock& add(std::string_view name, uint64_t value);
  HeaderBlock& append(const HeaderBlock& more);
  std::string_view wire() const { return wire_; }

 private:
  std::string wire_;
};

/// Synthetic object bytes as a response body.
struct GeneratedBody {
  ObjectBytes bytes;
  uint64_t offset = 0;
  uint64_t length = 0;
};

/// A response, complete but for what the session adds: status line, Date, Server,
/// x-amz-request-id, Content-Length, Connection.
struct Reply {
  unsigned status = 200;
  HeaderBlock headers;
  /// Empty, text, or bytes made on the way out.
  std::variant<std::monostate, std::string, GeneratedBody> body;
  /// Content-Length where it is not the body's length (HEAD); never sent with 204 and 304.
  std::optional<uint64_t> content_length;
  /// For the request log: the S3 code of an error reply, else empty.
  std::string_view error_code;
  bool close = false;  ///< close the connection after this reply

  static Reply empty(unsigned status);
  static Reply xml(std::string body, unsigned status = 200);
  static Reply json(std::string body, unsigned status = 200);
  /// The S3 error as XML. `head_request`: only the headers of it.
  static Reply error(const S3Error& error, std::string_view resource, std::string_view request_id,
                     bool head_request);
};

/// What was received as the body of a request.
struct ReceivedBody {
  uint64_t payload_bytes = 0;                                 ///< decoded, without framing
  std::string text;                                           ///< where it was collected
  std::vector<std::pair<std::string, std::string>> trailers;  ///< names in lower case
};

/// A body that is to be read before the reply is known.
struct Sink {
  enum class Kind {
    discard,  ///< only counted: an object's bytes
    collect,  ///< kept in ReceivedBody::text
    decode,   ///< given to `take` as it comes
  };
  Kind kind = Kind::discard;
  uint64_t limit = UINT64_MAX;  ///< more payload than this is EntityTooLarge
  /// Called once, after the whole body came; never where it did not. Runs on the worker's thread.
  std::function<Reply(ReceivedBody&&)> finish = {};
  /// Of `decode`: sees every byte in order; gives how many of them are an object's.
  std::function<uint64_t(std::span<const char>)> take = {};
};

/// A handler's answer to a request head: reply now, or after the body.
using Plan = std::variant<Reply, Sink>;

}  // namespace mocks3::server
