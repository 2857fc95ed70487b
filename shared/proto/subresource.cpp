#include "shared/proto/subresource.hpp"

#include <algorithm>
#include <iterator>

namespace mocks3 {
namespace {

constexpr S3Op kNone = S3Op::Unsupported;

/// Operations by method, at one scope; kNone where S3 has none.
struct Row {
  S3Scope scope;
  std::string_view subresource;
  S3Op get, put, post, del;
};

constexpr S3Scope kBucket = S3Scope::bucket;
constexpr S3Scope kObject = S3Scope::object;

constexpr Row kRows[] = {
    {kBucket, "abac", S3Op::GetBucketAbac, S3Op::PutBucketAbac, kNone, kNone},
    {kBucket, "accelerate", S3Op::GetBucketAccelerateConfiguration,
     S3Op::PutBucketAccelerateConfiguration, kNone, kNone},
    {kBucket, "acl", S3Op::GetBucketAcl, S3Op::PutBucketAcl, kNone, kNone},
    {kBucket, "analytics", S3Op::GetBucketAnalyticsConfiguration,
     S3Op::PutBucketAnalyticsConfiguration, kNone, S3Op::DeleteBucketAnalyticsConfiguration},
    {kBucket, "cors", S3Op::GetBucketCors, S3Op::PutBucketCors, kNone, S3Op::DeleteBucketCors},
    {kBucket, "delete", kNone, kNone, S3Op::DeleteObjects, kNone},
    {kBucket, "encryption", S3Op::GetBucketEncryption, S3Op::PutBucketEncryption, kNone,
     S3Op::DeleteBucketEncryption},
    {kBucket, "intelligent-tiering", S3Op::GetBucketIntelligentTieringConfiguration,
     S3Op::PutBucketIntelligentTieringConfiguration, kNone,
     S3Op::DeleteBucketIntelligentTieringConfiguration},
    {kBucket, "inventory", S3Op::GetBucketInventoryConfiguration,
     S3Op::PutBucketInventoryConfiguration, kNone, S3Op::DeleteBucketInventoryConfiguration},
    {kBucket, "lifecycle", S3Op::GetBucketLifecycleConfiguration,
     S3Op::PutBucketLifecycleConfiguration, kNone, S3Op::DeleteBucketLifecycle},
    {kBucket, "location", S3Op::GetBucketLocation, kNone, kNone, kNone},
    {kBucket, "logging", S3Op::GetBucketLogging, S3Op::PutBucketLogging, kNone, kNone},
    {kBucket, "metadataAnnotationTable", kNone,
     S3Op::UpdateBucketMetadataAnnotationTableConfiguration, kNone, kNone},
    {kBucket, "metadataConfiguration", S3Op::GetBucketMetadataConfiguration, kNone,
     S3Op::CreateBucketMetadataConfiguration, S3Op::DeleteBucketMetadataConfiguration},
    {kBucket, "metadataInventoryTable", kNone,
     S3Op::UpdateBucketMetadataInventoryTableConfiguration, kNone, kNone},
    {kBucket, "metadataJournalTable", kNone, S3Op::UpdateBucketMetadataJournalTableConfiguration,
     kNone, kNone},
    {kBucket, "metadataTable", S3Op::GetBucketMetadataTableConfiguration, kNone,
     S3Op::CreateBucketMetadataTableConfiguration, S3Op::DeleteBucketMetadataTableConfiguration},
    {kBucket, "metrics", S3Op::GetBucketMetricsConfiguration, S3Op::PutBucketMetricsConfiguration,
     kNone, S3Op::DeleteBucketMetricsConfiguration},
    {kBucket, "notification", S3Op::GetBucketNotificationConfiguration,
     S3Op::PutBucketNotificationConfiguration, kNone, kNone},
    {kBucket, "object-lock", S3Op::GetObjectLockConfiguration, S3Op::PutObjectLockConfiguration,
     kNone, kNone},
    {kBucket, "ownershipControls", S3Op::GetBucketOwnershipControls,
     S3Op::PutBucketOwnershipControls, kNone, S3Op::DeleteBucketOwnershipControls},
    {kBucket, "policy", S3Op::GetBucketPolicy, S3Op::PutBucketPolicy, kNone,
     S3Op::DeleteBucketPolicy},
    {kBucket, "policyStatus", S3Op::GetBucketPolicyStatus, kNone, kNone, kNone},
    {kBucket, "publicAccessBlock", S3Op::GetPublicAccessBlock, S3Op::PutPublicAccessBlock, kNone,
     S3Op::DeletePublicAccessBlock},
    {kBucket, "replication", S3Op::GetBucketReplication, S3Op::PutBucketReplication, kNone,
     S3Op::DeleteBucketReplication},
    {kBucket, "requestPayment", S3Op::GetBucketRequestPayment, S3Op::PutBucketRequestPayment, kNone,
     kNone},
    {kBucket, "session", S3Op::CreateSession, kNone, kNone, kNone},
    {kBucket, "tagging", S3Op::GetBucketTagging, S3Op::PutBucketTagging, kNone,
     S3Op::DeleteBucketTagging},
    {kBucket, "uploads", S3Op::ListMultipartUploads, kNone, kNone, kNone},
    {kBucket, "versioning", S3Op::GetBucketVersioning, S3Op::PutBucketVersioning, kNone, kNone},
    {kBucket, "versions", S3Op::ListObjectVersions, kNone, kNone, kNone},
    {kBucket, "website", S3Op::GetBucketWebsite, S3Op::PutBucketWebsite, kNone,
     S3Op::DeleteBucketWebsite},

    {kObject, "acl", S3Op::GetObjectAcl, S3Op::PutObjectAcl, kNone, kNone},
    {kObject, "annotation", S3Op::GetObjectAnnotation, S3Op::PutObjectAnnotation, kNone,
     S3Op::DeleteObjectAnnotation},
    {kObject, "append", kNone, S3Op::AppendObject, S3Op::AppendObject, kNone},
    {kObject, "attributes", S3Op::GetObjectAttributes, kNone, kNone, kNone},
    {kObject, "encryption", kNone, S3Op::UpdateObjectEncryption, kNone, kNone},
    {kObject, "legal-hold", S3Op::GetObjectLegalHold, S3Op::PutObjectLegalHold, kNone, kNone},
    {kObject, "renameObject", kNone, S3Op::RenameObject, kNone, kNone},
    {kObject, "restore", kNone, kNone, S3Op::RestoreObject, kNone},
    {kObject, "retention", S3Op::GetObjectRetention, S3Op::PutObjectRetention, kNone, kNone},
    {kObject, "select", kNone, kNone, S3Op::SelectObjectContent, kNone},
    {kObject, "tagging", S3Op::GetObjectTagging, S3Op::PutObjectTagging, kNone,
     S3Op::DeleteObjectTagging},
    {kObject, "torrent", S3Op::GetObjectTorrent, kNone, kNone, kNone},
    {kObject, "uploadId", S3Op::ListParts, S3Op::UploadPart, S3Op::CompleteMultipartUpload,
     S3Op::AbortMultipartUpload},
    {kObject, "uploads", kNone, kNone, S3Op::CreateMultipartUpload, kNone},
};

/// Parameters that qualify an operation, and the marks of SDKs. Those with a prefix in common
/// (X-Amz-*, response-*) are told by it.
constexpr std::string_view kOrdinary[] = {
    "AWSAccessKeyId",     "Expires",     "Signature",     "allow-unordered",    "bucket-region",
    "continuation-token", "delimiter",   "encoding-type", "fetch-owner",        "id",
    "key-marker",         "list-type",   "marker",        "max-buckets",        "max-keys",
    "max-parts",          "max-uploads", "metadata",      "part-number-marker", "partNumber",
    "position",           "prefix",      "select-type",   "start-after",        "upload-id-marker",
    "version-id-marker",  "versionId",   "x-id",
};
constexpr std::string_view kOrdinaryPrefixes[] = {"X-Amz-", "x-amz-", "response-"};

const Row* find_row(S3Scope scope, std::string_view subresource) {
  const auto* found =
      std::find_if(std::begin(kRows), std::end(kRows), [scope, subresource](const Row& row) {
        return row.scope == scope && row.subresource == subresource;
      });
  return found == std::end(kRows) ? nullptr : found;
}

S3Op op_for_method(const Row& row, std::string_view method) {
  if (method == "GET") return row.get;
  if (method == "PUT") return row.put;
  if (method == "POST") return row.post;
  if (method == "DELETE") return row.del;
  return kNone;
}

/// What GET of one of many is without its name.
S3Op listing_of(S3Op get) {
  switch (get) {
    case S3Op::GetBucketAnalyticsConfiguration:
      return S3Op::ListBucketAnalyticsConfigurations;
    case S3Op::GetBucketIntelligentTieringConfiguration:
      return S3Op::ListBucketIntelligentTieringConfigurations;
    case S3Op::GetBucketInventoryConfiguration:
      return S3Op::ListBucketInventoryConfigurations;
    case S3Op::GetBucketMetricsConfiguration:
      return S3Op::ListBucketMetricsConfigurations;
    case S3Op::GetObjectAnnotation:
      return S3Op::ListObjectAnnotations;
    default:
      return get;
  }
}

}  // namespace

ParameterKind parameter_kind(std::string_view name) {
  if (subresource_exists(S3Scope::object, name) || subresource_exists(S3Scope::bucket, name)) {
    return ParameterKind::subresource;
  }
  const auto is_prefix = [name](std::string_view prefix) { return name.starts_with(prefix); };
  const bool ordinary =
      std::find(std::begin(kOrdinary), std::end(kOrdinary), name) != std::end(kOrdinary) ||
      std::any_of(std::begin(kOrdinaryPrefixes), std::end(kOrdinaryPrefixes), is_prefix);
  return ordinary ? ParameterKind::ordinary : ParameterKind::unknown;
}

bool subresource_exists(S3Scope scope, std::string_view subresource) {
  return find_row(scope, subresource) != nullptr;
}

std::optional<S3Op> subresource_op(S3Scope scope, std::string_view method,
                                   std::string_view subresource, bool selects_one) {
  const Row* row = find_row(scope, subresource);
  if (row == nullptr) return std::nullopt;
  const S3Op op = op_for_method(*row, method);
  if (op == kNone) return std::nullopt;
  return selects_one ? op : listing_of(op);
}

}  // namespace mocks3
