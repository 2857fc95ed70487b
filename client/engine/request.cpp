#include "client/engine/request.hpp"

#include <fmt/format.h>

#include "shared/util/encode.hpp"
#include "shared/util/version.hpp"

namespace mocks3::client {

RequestBuilder::RequestBuilder(const Endpoint& endpoint, const std::string& bucket)
    : endpoint_(endpoint),
      authority_(endpoint.authority()),
      bucket_path_(fmt::format("/{}", percent_encode(bucket))) {}

void RequestBuilder::set_time(UnixMillis now) {
  if (now.value / 1000 == second_) return;
  second_ = now.value / 1000;
  timestamp_ = basic_iso8601(now);
  const std::string date = timestamp_.substr(0, 8);
  if (date == key_date_) return;
  key_date_ = date;
  signing_key_ = signing_key(endpoint_.credentials.secret_key, date, endpoint_.region);
}

std::string RequestBuilder::authorization(const RequestSpec& spec, std::string_view path) {
  SigningInput input;
  input.method = spec.method;
  input.path = path;
  input.query = spec.query;
  input.headers = {{"host", authority_},
                   {"x-amz-content-sha256", std::string(kUnsignedPayload)},
                   {"x-amz-date", timestamp_}};
  if (!endpoint_.credentials.session_token.empty())
    input.headers.emplace_back("x-amz-security-token", endpoint_.credentials.session_token);
  input.payload_hash = kUnsignedPayload;
  const std::string to_sign =
      string_to_sign(canonical_request(input), timestamp_, endpoint_.region);
  return fmt::format(
      "AWS4-HMAC-SHA256 Credential={}/{}/{}/s3/aws4_request, SignedHeaders={}, Signature={}",
      endpoint_.credentials.access_key, key_date_, endpoint_.region, signed_header_names(input),
      signature(signing_key_, to_sign));
}

std::string RequestBuilder::head(const RequestSpec& spec, UnixMillis now) {
  std::string path = bucket_path_;
  if (!spec.key.empty()) {
    path += '/';
    path += percent_encode(spec.key, /*keep_slash=*/true);
  }
  std::string head =
      fmt::format("{} {}{}{} HTTP/1.1\r\nHost: {}\r\nUser-Agent: s3-bench/{}\r\n", spec.method,
                  path, spec.query.empty() ? "" : "?", spec.query, authority_, version());
  if (spec.content_length) head += fmt::format("Content-Length: {}\r\n", *spec.content_length);
  if (!spec.content_md5.empty()) head += fmt::format("Content-MD5: {}\r\n", spec.content_md5);
  if (spec.ranged) head += fmt::format("Range: bytes={}-{}\r\n", spec.first, spec.last);
  if (!endpoint_.credentials.access_key.empty()) {
    set_time(now);
    head +=
        fmt::format("x-amz-date: {}\r\nx-amz-content-sha256: {}\r\n", timestamp_, kUnsignedPayload);
    if (!endpoint_.credentials.session_token.empty())
      head += fmt::format("x-amz-security-token: {}\r\n", endpoint_.credentials.session_token);
    head += fmt::format("Authorization: {}\r\n", authorization(spec, path));
  }
  return head + "\r\n";
}

std::string part_query(const std::string& upload_id, uint32_t part_number) {
  return fmt::format("partNumber={}&uploadId={}", part_number, percent_encode(upload_id));
}

std::string upload_query(const std::string& upload_id) {
  return "uploadId=" + percent_encode(upload_id);
}

}  // namespace mocks3::client
