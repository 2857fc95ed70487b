#include "shared/proto/subresource.hpp"

#include <algorithm>
#include <iterator>

namespace mocks3 {
namespace {

/// S3's operation names by method, at one scope; empty where there is none.
struct Row {
  S3Scope scope;
  std::string_view subresource;
  std::string_view get, put, post, del;
};

constexpr S3Scope kBucket = S3Scope::bucket;
constexpr S3Scope kObject = S3Scope::object;

constexpr Row kRows[] = {
    {kBucket, "abac", "GetBucketAbac", "PutBucketAbac", "", ""},
    {kBucket, "accelerate", "GetBucketAccelerateConfiguration", "PutBucketAccelerateConfiguration",
     "", ""},
    {kBucket, "acl", "GetBucketAcl", "PutBucketAcl", "", ""},
    {kBucket, "analytics", "GetBucketAnalyticsConfiguration", "PutBucketAnalyticsConfiguration", "",
     "DeleteBucketAnalyticsConfiguration"},
    {kBucket, "cors", "GetBucketCors", "PutBucketCors", "", "DeleteBucketCors"},
    {kBucket, "delete", "", "", "DeleteObjects", ""},
    {kBucket, "encryption", "GetBucketEncryption", "PutBucketEncryption", "",
     "DeleteBucketEncryption"},
    {kBucket, "intelligent-tiering", "GetBucketIntelligentTieringConfiguration",
     "PutBucketIntelligentTieringConfiguration", "", "DeleteBucketIntelligentTieringConfiguration"},
    {kBucket, "inventory", "GetBucketInventoryConfiguration", "PutBucketInventoryConfiguration", "",
     "DeleteBucketInventoryConfiguration"},
    {kBucket, "lifecycle", "GetBucketLifecycleConfiguration", "PutBucketLifecycleConfiguration", "",
     "DeleteBucketLifecycle"},
    {kBucket, "location", "GetBucketLocation", "", "", ""},
    {kBucket, "logging", "GetBucketLogging", "PutBucketLogging", "", ""},
    {kBucket, "metadataConfiguration", "GetBucketMetadataConfiguration", "",
     "CreateBucketMetadataConfiguration", "DeleteBucketMetadataConfiguration"},
    {kBucket, "metadataInventoryTable", "", "UpdateBucketMetadataInventoryTableConfiguration", "",
     ""},
    {kBucket, "metadataJournalTable", "", "UpdateBucketMetadataJournalTableConfiguration", "", ""},
    {kBucket, "metadataTable", "GetBucketMetadataTableConfiguration", "",
     "CreateBucketMetadataTableConfiguration", "DeleteBucketMetadataTableConfiguration"},
    {kBucket, "metrics", "GetBucketMetricsConfiguration", "PutBucketMetricsConfiguration", "",
     "DeleteBucketMetricsConfiguration"},
    {kBucket, "notification", "GetBucketNotificationConfiguration",
     "PutBucketNotificationConfiguration", "", ""},
    {kBucket, "object-lock", "GetObjectLockConfiguration", "PutObjectLockConfiguration", "", ""},
    {kBucket, "ownershipControls", "GetBucketOwnershipControls", "PutBucketOwnershipControls", "",
     "DeleteBucketOwnershipControls"},
    {kBucket, "policy", "GetBucketPolicy", "PutBucketPolicy", "", "DeleteBucketPolicy"},
    {kBucket, "policyStatus", "GetBucketPolicyStatus", "", "", ""},
    {kBucket, "publicAccessBlock", "GetPublicAccessBlock", "PutPublicAccessBlock", "",
     "DeletePublicAccessBlock"},
    {kBucket, "replication", "GetBucketReplication", "PutBucketReplication", "",
     "DeleteBucketReplication"},
    {kBucket, "requestPayment", "GetBucketRequestPayment", "PutBucketRequestPayment", "", ""},
    {kBucket, "session", "CreateSession", "", "", ""},
    {kBucket, "tagging", "GetBucketTagging", "PutBucketTagging", "", "DeleteBucketTagging"},
    {kBucket, "uploads", "ListMultipartUploads", "", "", ""},
    {kBucket, "versioning", "GetBucketVersioning", "PutBucketVersioning", "", ""},
    {kBucket, "versions", "ListObjectVersions", "", "", ""},
    {kBucket, "website", "GetBucketWebsite", "PutBucketWebsite", "", "DeleteBucketWebsite"},

    {kObject, "acl", "GetObjectAcl", "PutObjectAcl", "", ""},
    {kObject, "append", "", "AppendObject", "AppendObject", ""},
    {kObject, "attributes", "GetObjectAttributes", "", "", ""},
    {kObject, "encryption", "", "UpdateObjectEncryption", "", ""},
    {kObject, "legal-hold", "GetObjectLegalHold", "PutObjectLegalHold", "", ""},
    {kObject, "renameObject", "", "RenameObject", "", ""},
    {kObject, "restore", "", "", "RestoreObject", ""},
    {kObject, "retention", "GetObjectRetention", "PutObjectRetention", "", ""},
    {kObject, "select", "", "", "SelectObjectContent", ""},
    {kObject, "tagging", "GetObjectTagging", "PutObjectTagging", "", "DeleteObjectTagging"},
    {kObject, "torrent", "GetObjectTorrent", "", "", ""},
    {kObject, "uploadId", "ListParts", "UploadPart", "CompleteMultipartUpload",
     "AbortMultipartUpload"},
    {kObject, "uploads", "", "", "CreateMultipartUpload", ""},
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

std::string_view name_for_method(const Row& row, std::string_view method) {
  if (method == "GET") return row.get;
  if (method == "PUT") return row.put;
  if (method == "POST") return row.post;
  if (method == "DELETE") return row.del;
  return {};
}

/// GET without an id lists the configurations of these four kinds.
std::string_view listing_name(std::string_view subresource) {
  if (subresource == "analytics") return "ListBucketAnalyticsConfigurations";
  if (subresource == "intelligent-tiering") return "ListBucketIntelligentTieringConfigurations";
  if (subresource == "inventory") return "ListBucketInventoryConfigurations";
  if (subresource == "metrics") return "ListBucketMetricsConfigurations";
  return {};
}

/// The served operation of that name, or Unsupported.
S3Op served(std::string_view operation) {
  for (size_t i = 0; i < static_cast<size_t>(S3Op::Admin); ++i) {
    if (name(static_cast<S3Op>(i)) == operation) return static_cast<S3Op>(i);
  }
  return S3Op::Unsupported;
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

SubresourceOp subresource_op(S3Scope scope, std::string_view method, std::string_view subresource,
                             bool with_id) {
  const Row* row = find_row(scope, subresource);
  if (row == nullptr) return {};
  SubresourceOp result;
  result.name = name_for_method(*row, method);
  if (method == "GET" && !with_id) {
    if (const std::string_view listing = listing_name(subresource); !listing.empty()) {
      result.name = listing;
    }
  }
  result.op = served(result.name);
  return result;
}

}  // namespace mocks3
