#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "client/endpoint.hpp"
#include "shared/util/time_text.hpp"

namespace mocks3::client {

/// What a request head is made from; views must live through the call.
struct RequestSpec {
  std::string_view method;
  std::string_view key;    ///< empty: the bucket itself
  std::string_view query;  ///< as sent: encoded, without '?'
  std::optional<uint64_t> content_length;
  std::string_view content_md5;  ///< base64; empty: no such header
  bool ranged = false;           ///< sends Range: bytes=first-last
  uint64_t first = 0, last = 0;
};

/// Makes the heads of path-style S3 requests for one bucket, signed with SigV4 and
/// UNSIGNED-PAYLOAD where there is an access key. The signing key is kept for its day. One thread.
class RequestBuilder {
 public:
  RequestBuilder(const Endpoint& endpoint, const std::string& bucket);

  /// The whole head, blank line included.
  std::string head(const RequestSpec& spec, UnixMillis now);

 private:
  void set_time(UnixMillis now);
  std::string authorization(const RequestSpec& spec, std::string_view path);

  const Endpoint endpoint_;
  const std::string authority_;
  const std::string bucket_path_;
  int64_t second_ = -1;    ///< of timestamp_
  std::string timestamp_;  ///< YYYYMMDDTHHMMSSZ
  std::string key_date_;   ///< day of signing_key_
  std::string signing_key_;
};

/// "partNumber=...&uploadId=...", encoded.
std::string part_query(const std::string& upload_id, uint32_t part_number);
std::string upload_query(const std::string& upload_id);

}  // namespace mocks3::client
