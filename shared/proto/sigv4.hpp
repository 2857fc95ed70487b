#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mocks3 {

/// AWS Signature Version 4 for S3 (S3 API reference, "Authenticating Requests: Using the
/// Authorization Header"). Each stage is a function of its arguments; no clock, no transport.
struct Credentials {
  std::string access_key;
  std::string secret_key;
  std::string session_token;  ///< empty: none
};

struct SigningInput {
  std::string_view method;
  std::string_view path;   ///< as sent: encoded once, starts with '/'
  std::string_view query;  ///< as sent, without '?'
  /// Headers to sign, names in any case; must hold Host and x-amz-date.
  std::vector<std::pair<std::string, std::string>> headers;
  std::string_view payload_hash;  ///< hex SHA-256, "UNSIGNED-PAYLOAD" or a STREAMING-* value
};

inline constexpr std::string_view kUnsignedPayload = "UNSIGNED-PAYLOAD";

/// Sorted, lower-case header names joined by ';'.
std::string signed_header_names(const SigningInput& input);
/// Path and query are decoded once and encoded in SigV4's form, so that "a", "%61" and "a=" are
/// signed alike however they were spelt; '+' in a query is a space.
std::string canonical_request(const SigningInput& input);
/// `timestamp` is "YYYYMMDDTHHMMSSZ", `date` its first 8 characters.
std::string string_to_sign(std::string_view canonical_request, std::string_view timestamp,
                           std::string_view region);
/// 32 raw bytes, the same for a day.
std::string signing_key(std::string_view secret_key, std::string_view date,
                        std::string_view region);
/// Hex signature.
std::string signature(std::string_view signing_key, std::string_view string_to_sign);
/// The whole Authorization header value. A session token is signed where `input` has it as the
/// header x-amz-security-token.
std::string authorization_header(const SigningInput& input, const Credentials& credentials,
                                 std::string_view timestamp, std::string_view region);

}  // namespace mocks3
