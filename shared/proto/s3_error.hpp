#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/util/result.hpp"

namespace mocks3 {

/// The S3 error codes that this project sends. Code, status and default message of each stand in
/// one table in s3_error.cpp (S3 API reference, "Error responses").
enum class S3Code {
  AccessDenied,
  AccessForbidden,
  BadDigest,
  BadRequest,
  BucketAlreadyOwnedByYou,
  BucketNotEmpty,
  EntityTooLarge,
  EntityTooSmall,
  IllegalLocationConstraintException,
  IllegalVersioningConfigurationException,
  IncompleteBody,
  InternalError,
  InvalidArgument,
  InvalidBucketName,
  InvalidBucketState,
  InvalidDigest,
  InvalidPart,
  InvalidPartNumber,
  InvalidPartOrder,
  InvalidPolicyDocument,
  InvalidRange,
  InvalidRequest,
  InvalidTag,
  InvalidStorageClass,
  InvalidURI,
  KeyTooLongError,
  MalformedACLError,
  MalformedPOSTRequest,
  MalformedPolicy,
  MalformedXML,
  MaxMessageLengthExceeded,
  MaxPostPreDataLengthExceededError,
  MetadataConfigurationNotFound,
  MetadataTooLarge,
  MethodNotAllowed,
  MissingContentLength,
  MissingRequestBodyError,
  MissingSecurityHeader,
  NoSuchBucket,
  NoSuchBucketPolicy,
  NoSuchCORSConfiguration,
  NoSuchConfiguration,
  NoSuchKey,
  NoSuchLifecycleConfiguration,
  NoSuchObjectLockConfiguration,
  NoSuchPublicAccessBlockConfiguration,
  NoSuchTagSet,
  NoSuchUpload,
  NoSuchVersion,
  NoSuchWebsiteConfiguration,
  NotImplemented,
  ObjectLockConfigurationNotFoundError,
  OwnershipControlsNotFoundError,
  PreconditionFailed,
  ReplicationConfigurationNotFoundError,
  RequestHeaderSectionTooLarge,
  RequestTimeout,
  ServiceUnavailable,
  SlowDown,
  TooManyConfigurations,
};

struct S3CodeInfo {
  std::string_view name;     ///< as in <Code>
  unsigned status;           ///< HTTP status
  std::string_view message;  ///< default <Message>
};
const S3CodeInfo& info(S3Code code);

/// An S3 error on its way to the client.
struct S3Error {
  S3Code code;
  std::string message;  ///< empty: the code's default
  /// Further elements of <Error>, in order, e.g. {"RangeRequested", "bytes=600-"}.
  std::vector<std::pair<std::string, std::string>> details;

  S3Error(S3Code c, std::string m = {}) : code(c), message(std::move(m)) {}
};

template <class T>
using S3Result = Result<T, S3Error>;

/// The XML body: <Error> with Code, Message, Resource, details, RequestId, HostId; no xmlns.
std::string error_xml(const S3Error& error, std::string_view resource, std::string_view request_id);

}  // namespace mocks3
