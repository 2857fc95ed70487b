#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "shared/proto/request_head.hpp"
#include "shared/proto/s3_error.hpp"
#include "shared/proto/s3_op_list.hpp"
#include "shared/proto/uri.hpp"

namespace mocks3 {

/// Every S3 operation, served or not: shared/proto/s3_op_list.hpp.
#define MOCKS3_ENUMERATOR(operation) operation,
enum class S3Op : uint8_t { MOCKS3_FOR_EACH_OPERATION(MOCKS3_ENUMERATOR) };
#undef MOCKS3_ENUMERATOR
inline constexpr size_t kS3OpCount = static_cast<size_t>(S3Op::Unsupported) + 1;
/// "GetObject"
std::string_view name(S3Op op);

inline constexpr uint32_t kMaxPartNumber = 10000;

/// What a request asks for, owning its text.
struct S3Request {
  S3Op op = S3Op::Unsupported;
  std::string unsupported_name;  ///< "?subresource" of an Unsupported operation
  uint32_t part_number = 0;      ///< ?partNumber of UploadPart, UploadPartCopy (1..10000, always
                                 ///< there), GetObject and HeadObject (0: absent)
  std::string bucket;            ///< empty for ListBuckets
  std::string key;  ///< decoded once, never normalised; for Admin the path below /_mock/
  Query query;
};

/// Reads operation, bucket, key and query out of a request head.
/// `domains`: base domains of virtual-host style; "b.<domain>[:port]" is bucket b, while a bare
/// domain, "localhost", an IP address, or any other host is path style. "localhost" always counts
/// as one of the domains. Below /_mock everything is Admin, whatever method and Host.
/// A sub-resource (?acl, ?policy, ?lifecycle, ...) never falls through to another operation; an
/// unknown parameter without a value is taken for one. Other unknown parameters and SDK marks
/// (x-id, X-Amz-*, AWSAccessKeyId, Signature, Expires, response-*) are ignored.
/// Bucket names are held to S3's characters and 63 bytes; shorter than 3 they still address a
/// bucket. Any ?versionId is left to the handler.
/// OPTIONS of a bucket or an object is a Preflight, whatever its query.
/// Errors: InvalidURI (bad escape, no target form, NUL or invalid UTF-8 in the key, too many
/// parameters), KeyTooLongError (over 1024 bytes), MethodNotAllowed, InvalidBucketName,
/// InvalidArgument (part number outside 1..10000, two sub-resources at once).
S3Result<S3Request> parse_s3_request(const RequestHead& head, std::span<const std::string> domains);

/// S3's rules for the name of a new bucket: 3-63 of a-z 0-9 . -, first and last a letter or digit,
/// no dot beside a dot or hyphen, not like an IPv4 address, no reserved prefix or suffix.
bool valid_bucket_name(std::string_view name);

/// What is wrong with a key: KeyTooLongError (over 1024 bytes), InvalidURI (NUL, invalid UTF-8).
std::optional<S3Error> key_fault(std::string_view key);

struct CopySource {
  std::string bucket;
  std::string key;
  std::optional<std::string> version;  ///< what stands behind "?versionId="
};
/// x-amz-copy-source: leading slash optional, decoded once. Errors: InvalidArgument,
/// InvalidBucketName, KeyTooLongError.
S3Result<CopySource> parse_copy_source(std::string_view value);

}  // namespace mocks3
