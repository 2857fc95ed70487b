#include "shared/proto/s3_error.hpp"

#include <array>

#include "shared/proto/s3_xml.hpp"

namespace mocks3 {
namespace {

struct Row {
  S3Code code;
  S3CodeInfo info;
};

constexpr Row kTable[] = {
    {S3Code::AccessDenied, {"AccessDenied", 403, "Access Denied"}},
    {S3Code::AccessForbidden, {"AccessForbidden", 403, "Access Forbidden"}},
    {S3Code::BadDigest,
     {"BadDigest", 400,
      "The Content-MD5 or checksum you specified did not match what we received."}},
    {S3Code::BadRequest, {"BadRequest", 400, "Bad Request"}},
    {S3Code::BucketAlreadyOwnedByYou,
     {"BucketAlreadyOwnedByYou", 409,
      "Your previous request to create the named bucket succeeded and you already own it."}},
    {S3Code::BucketNotEmpty,
     {"BucketNotEmpty", 409, "The bucket you tried to delete is not empty"}},
    {S3Code::EntityTooLarge,
     {"EntityTooLarge", 400, "Your proposed upload exceeds the maximum allowed size"}},
    {S3Code::EntityTooSmall,
     {"EntityTooSmall", 400, "Your proposed upload is smaller than the minimum allowed size"}},
    {S3Code::IllegalLocationConstraintException,
     {"IllegalLocationConstraintException", 400,
      "The specified location constraint is incompatible with the region of this endpoint."}},
    {S3Code::IllegalVersioningConfigurationException,
     {"IllegalVersioningConfigurationException", 400, "The Versioning element must be specified"}},
    {S3Code::IncompleteBody,
     {"IncompleteBody", 400,
      "You did not provide the number of bytes specified by the Content-Length HTTP header"}},
    {S3Code::InternalError,
     {"InternalError", 500, "We encountered an internal error. Please try again."}},
    {S3Code::InvalidArgument, {"InvalidArgument", 400, "Invalid Argument"}},
    {S3Code::InvalidBucketName, {"InvalidBucketName", 400, "The specified bucket is not valid."}},
    {S3Code::InvalidBucketState,
     {"InvalidBucketState", 409, "The request is not valid with the current state of the bucket."}},
    {S3Code::InvalidDigest, {"InvalidDigest", 400, "The Content-MD5 you specified was invalid."}},
    {S3Code::InvalidPart,
     {"InvalidPart", 400,
      "One or more of the specified parts could not be found. The part may not have been uploaded, "
      "or the specified entity tag may not match the part's entity tag."}},
    {S3Code::InvalidPartNumber,
     {"InvalidPartNumber", 416, "The requested partnumber is not satisfiable"}},
    {S3Code::InvalidPartOrder,
     {"InvalidPartOrder", 400,
      "The list of parts was not in ascending order. Parts must be ordered by part number."}},
    {S3Code::InvalidPolicyDocument,
     {"InvalidPolicyDocument", 400,
      "The content of the form does not meet the conditions specified in the policy document."}},
    {S3Code::InvalidRange, {"InvalidRange", 416, "The requested range is not satisfiable"}},
    {S3Code::InvalidRequest, {"InvalidRequest", 400, "Invalid Request"}},
    {S3Code::InvalidTag, {"InvalidTag", 400, "The tag provided was not a valid tag."}},
    {S3Code::InvalidStorageClass,
     {"InvalidStorageClass", 400, "The storage class you specified is not valid"}},
    {S3Code::InvalidURI, {"InvalidURI", 400, "Couldn't parse the specified URI."}},
    {S3Code::KeyTooLongError, {"KeyTooLongError", 400, "Your key is too long"}},
    {S3Code::MalformedACLError,
     {"MalformedACLError", 400,
      "The XML you provided was not well-formed or did not validate against our published schema"}},
    {S3Code::MalformedPOSTRequest,
     {"MalformedPOSTRequest", 400,
      "The body of your POST request is not well-formed multipart/form-data."}},
    {S3Code::MalformedPolicy, {"MalformedPolicy", 400, "This policy contains invalid Json"}},
    {S3Code::MalformedXML,
     {"MalformedXML", 400,
      "The XML you provided was not well-formed or did not validate against our published "
      "schema"}},
    {S3Code::MaxMessageLengthExceeded,
     {"MaxMessageLengthExceeded", 400, "Your request was too big."}},
    {S3Code::MaxPostPreDataLengthExceededError,
     {"MaxPostPreDataLengthExceededError", 400,
      "Your POST request fields preceding the upload file were too large."}},
    {S3Code::MetadataConfigurationNotFound,
     {"MetadataConfigurationNotFound", 404, "The metadata configuration does not exist"}},
    {S3Code::MetadataTooLarge,
     {"MetadataTooLarge", 400, "Your metadata headers exceed the maximum allowed metadata size"}},
    {S3Code::MethodNotAllowed,
     {"MethodNotAllowed", 405, "The specified method is not allowed against this resource."}},
    {S3Code::MissingContentLength,
     {"MissingContentLength", 411, "You must provide the Content-Length HTTP header."}},
    {S3Code::MissingRequestBodyError, {"MissingRequestBodyError", 400, "Request Body is empty"}},
    {S3Code::MissingSecurityHeader,
     {"MissingSecurityHeader", 400, "Your request was missing a required header"}},
    {S3Code::NoSuchBucket, {"NoSuchBucket", 404, "The specified bucket does not exist"}},
    {S3Code::NoSuchBucketPolicy, {"NoSuchBucketPolicy", 404, "The bucket policy does not exist"}},
    {S3Code::NoSuchCORSConfiguration,
     {"NoSuchCORSConfiguration", 404, "The CORS configuration does not exist"}},
    {S3Code::NoSuchConfiguration,
     {"NoSuchConfiguration", 404, "The specified configuration does not exist."}},
    {S3Code::NoSuchKey, {"NoSuchKey", 404, "The specified key does not exist."}},
    {S3Code::NoSuchLifecycleConfiguration,
     {"NoSuchLifecycleConfiguration", 404, "The lifecycle configuration does not exist"}},
    {S3Code::NoSuchObjectLockConfiguration,
     {"NoSuchObjectLockConfiguration", 404,
      "The specified object does not have a ObjectLock configuration"}},
    {S3Code::NoSuchPublicAccessBlockConfiguration,
     {"NoSuchPublicAccessBlockConfiguration", 404,
      "The public access block configuration was not found"}},
    {S3Code::NoSuchTagSet, {"NoSuchTagSet", 404, "The TagSet does not exist"}},
    {S3Code::NoSuchUpload,
     {"NoSuchUpload", 404,
      "The specified upload does not exist. The upload ID may be invalid, or the upload may have "
      "been aborted or completed."}},
    {S3Code::NoSuchVersion, {"NoSuchVersion", 404, "The specified version does not exist."}},
    {S3Code::NoSuchWebsiteConfiguration,
     {"NoSuchWebsiteConfiguration", 404,
      "The specified bucket does not have a website configuration"}},
    {S3Code::NotImplemented,
     {"NotImplemented", 501,
      "A header or query you provided implies functionality that is not implemented"}},
    {S3Code::ObjectLockConfigurationNotFoundError,
     {"ObjectLockConfigurationNotFoundError", 404,
      "Object Lock configuration does not exist for this bucket"}},
    {S3Code::OwnershipControlsNotFoundError,
     {"OwnershipControlsNotFoundError", 404, "The bucket ownership controls were not found"}},
    {S3Code::PreconditionFailed,
     {"PreconditionFailed", 412, "At least one of the pre-conditions you specified did not hold"}},
    {S3Code::ReplicationConfigurationNotFoundError,
     {"ReplicationConfigurationNotFoundError", 404, "The replication configuration was not found"}},
    {S3Code::RequestHeaderSectionTooLarge,
     {"RequestHeaderSectionTooLarge", 400,
      "Your request header section exceeds the maximum allowed size."}},
    {S3Code::RequestTimeout,
     {"RequestTimeout", 400,
      "Your socket connection to the server was not read from or written to within the timeout "
      "period. Idle connections will be closed."}},
    {S3Code::ServiceUnavailable,
     {"ServiceUnavailable", 503, "Service is unable to handle request."}},
    {S3Code::SlowDown, {"SlowDown", 503, "Please reduce your request rate."}},
    {S3Code::TooManyConfigurations,
     {"TooManyConfigurations", 400, "You have exceeded the maximum number of configurations"}},
};

constexpr bool rows_stand_at_their_code() {
  size_t index = 0;
  for (const Row& row : kTable) {
    if (static_cast<size_t>(row.code) != index++) return false;
  }
  return index == static_cast<size_t>(S3Code::TooManyConfigurations) + 1;
}
static_assert(rows_stand_at_their_code(), "the table is indexed by code");

}  // namespace

const S3CodeInfo& info(S3Code code) { return kTable[static_cast<size_t>(code)].info; }

std::string error_xml(const S3Error& error, std::string_view resource,
                      std::string_view request_id) {
  const S3CodeInfo& code = info(error.code);
  XmlWriter xml("Error", false);
  xml.text("Code", code.name);
  xml.text("Message", error.message.empty() ? code.message : std::string_view(error.message));
  xml.text("Resource", resource);
  for (const auto& [name, value] : error.details) xml.text(name, value);
  xml.text("RequestId", request_id);
  xml.text("HostId", "mock-s3");
  return std::move(xml).finish();
}

}  // namespace mocks3
