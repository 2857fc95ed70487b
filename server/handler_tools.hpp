#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "server/handlers.hpp"
#include "server/reply.hpp"
#include "shared/proto/s3_error.hpp"
#include "shared/proto/s3_xml.hpp"

namespace mocks3::server {

/// The one owner of everything.
inline constexpr std::string_view kOwnerId =
    "75aa57f09aa0c8caeab4f8c24e99d10f8e7faeebf76c078efc7c6caea54ba06a";
inline constexpr std::string_view kOwnerName = "mock-s3";
void append_owner(XmlWriter& xml, std::string_view element = "Owner");

/// What of a request outlives its head: for Sink::finish and for error replies.
struct Target {
  std::string bucket, key, request_id;
  bool head_request = false;

  explicit Target(const RequestContext& request);
  Reply error(const S3Error& error) const;
};
Reply fail(const RequestContext& request, const S3Error& error);

/// The address under which the request came, as a URL without query.
std::string address_of(const RequestHead& head);

/// InvalidArgument that names the parameter and its value.
S3Error invalid_argument(std::string message, std::string_view name, std::string_view value);

/// The version of every object: buckets have no others.
inline constexpr std::string_view kNullVersion = "null";
/// Nothing for "null". NoSuchVersion for what looks like another version's id, InvalidArgument for
/// what does not.
std::optional<S3Error> version_error(std::string_view key, std::string_view version);
/// The same of a request's versionId; nothing where it has none.
std::optional<S3Error> foreign_version(const S3Request& request);

/// `text` as a whole number, `otherwise` where it is empty. Error: InvalidArgument, as S3 words it
/// for the parameter or header `name`, where it is no number, below 0 or over `most`.
S3Result<uint64_t> read_number(std::string_view name, std::string_view text, uint64_t otherwise,
                               uint64_t most);
/// The same of a number in the query.
S3Result<uint64_t> number_parameter(const Query& query, std::string_view name, uint64_t otherwise,
                                    uint64_t most);

/// Collects an XML body of at most `limit` bytes, and verifies what the request says of its hash
/// (BodyDigests). Over the limit: MaxMessageLengthExceeded where the head tells.
Plan collect(const RequestContext& request, uint64_t limit,
             std::function<Reply(const std::string& body)> finish);

/// The most that is read of a configuration, an ACL or a set of tags.
inline constexpr uint64_t kMaxConfigurationBytes = 64 * 1024;
/// A document of S3's namespace, of content that is XML already.
std::string configuration_document(std::string_view root, std::string_view content);

/// The most parts that a page of them shows.
inline constexpr uint64_t kMaxPartsPage = 1000;

/// NoSuchBucket.
std::optional<S3Error> missing_bucket(const HandlerContext& server, const RequestContext& request);
/// NoSuchBucket, NoSuchKey, or foreign_version()'s.
std::optional<S3Error> missing_object(const HandlerContext& server, const RequestContext& request);

}  // namespace mocks3::server
