#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/reply.hpp"
#include "server/store.hpp"
#include "shared/proto/request_head.hpp"
#include "shared/proto/s3_error.hpp"
#include "shared/proto/s3_xml_configuration.hpp"
#include "shared/proto/uri.hpp"

namespace mocks3::server {

/// The most that one PutObject, UploadPart or copy may hold (S3: 5 GiB).
inline constexpr uint64_t kMaxSingleUpload = uint64_t{5} << 30;
/// Names and values of x-amz-meta-* in all, the names without that prefix (S3: 2 KiB).
inline constexpr size_t kMaxMetadataBytes = 2048;
/// All that is kept of a request's headers but the tags, names and values (S3 takes 8 KiB of
/// headers).
inline constexpr size_t kMaxKeptBytes = 8192;
inline constexpr std::string_view kDefaultContentType = "binary/octet-stream";
/// Name under which tags stand in ObjectHeaders, as tagging_header_of() writes them.
inline constexpr std::string_view kTaggingHeader = "x-amz-tagging";
inline constexpr std::string_view kStorageClassHeader = "x-amz-storage-class";
inline constexpr std::string_view kRedirectHeader = "x-amz-website-redirect-location";

/// What a PutObject, CreateMultipartUpload or replacing copy says of its object; null where that
/// is nothing but defaults. Equal sets are shared where they follow one another on a thread.
/// Metadata that claims a hash of bytes that are not kept is left out (docs/server.md).
/// Errors: MetadataTooLarge, InvalidStorageClass, and those of parse_tags().
S3Result<std::shared_ptr<const ObjectHeaders>> read_object_headers(const RequestHead& head);
/// Shared form of a set of headers; null where it is empty.
std::shared_ptr<const ObjectHeaders> share(ObjectHeaders headers);

/// The value kept under that name, in any letter case; empty where there is none, or `headers` is
/// null.
std::string_view kept_header(const ObjectHeaders* headers, std::string_view name);
std::string_view kept_header(const ObjectRecord& object, std::string_view name);
/// "STANDARD" unless the client chose another.
std::string_view storage_class(const ObjectHeaders* headers);

/// Tags of an x-amz-tagging value ("a=1&b=2", percent-encoded). Errors: InvalidArgument on a bad
/// escape or a repeated key, and check_tags().
S3Result<Tags> parse_tags(std::string_view value);

/// A checksum that came with a body, not verified: what was thrown away cannot be.
struct Checksum {
  std::string name;  ///< "x-amz-checksum-crc32", in lower case
  std::string value;
};

/// Nothing where no checksum of a known algorithm is there. Error: InvalidRequest on one of a wrong
/// length, or two.
S3Result<std::optional<Checksum>> read_header_checksum(const RequestHead& head);

/// What the head of a PutObject or UploadPart promises of its body.
struct UploadHead {
  std::optional<Checksum> checksum;
};
/// Errors: MissingContentLength, EntityTooLarge, InvalidDigest (Content-MD5 that is none),
/// InvalidRequest (checksum of a wrong length, two of them, or another algorithm than
/// x-amz-sdk-checksum-algorithm names), and BodyFraming's.
S3Result<UploadHead> read_upload_head(const RequestHead& head);

/// What a CreateMultipartUpload says of the checksums to come.
struct ChecksumChoice {
  std::string_view algorithm;  ///< "CRC32"; both views are of constants
  std::string_view type;       ///< "COMPOSITE" or "FULL_OBJECT"
};
/// Nothing where no algorithm is named. Without a type it is COMPOSITE, and FULL_OBJECT where the
/// algorithm has only that. Error: InvalidRequest on an unknown algorithm or type, a type that the
/// algorithm does not have, or a type alone.
S3Result<std::optional<ChecksumChoice>> read_checksum_choice(const RequestHead& head);

/// The checksum to echo once the body is there: the head's, else that of the trailers.
/// Error: InvalidRequest.
S3Result<std::optional<Checksum>> received_checksum(const UploadHead& head,
                                                    const ReceivedBody& body);

/// The 16 raw bytes of Content-MD5, nothing where it is absent. Error: InvalidDigest.
S3Result<std::optional<std::string>> read_content_md5(const RequestHead& head);

}  // namespace mocks3::server
