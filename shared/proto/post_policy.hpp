#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "shared/proto/s3_error.hpp"
#include "shared/util/time_text.hpp"

namespace mocks3 {

/// A form as its policy sees it: fields with names in lower case, values after ${filename} was
/// replaced.
using FormFields = std::span<const std::pair<std::string, std::string>>;

/// Holds a browser's POST to the policy document in its field "policy" (S3 API, "POST policy"):
/// base64 of JSON with "expiration" and "conditions" (exact match, eq, starts-with,
/// content-length-range). Every field but policy, file, the signature and x-ignore-* has to be
/// covered by a condition, and so has the bucket.
/// Nothing where all is met. Errors: InvalidPolicyDocument; AccessDenied (expired, a condition not
/// met, a field without one); EntityTooLarge, EntityTooSmall.
std::optional<S3Error> check_post_policy(std::string_view policy_base64, std::string_view bucket,
                                         FormFields fields, uint64_t file_bytes, UnixMillis now);

}  // namespace mocks3
