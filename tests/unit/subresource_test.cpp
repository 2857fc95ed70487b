#include "shared/proto/subresource.hpp"

#include <doctest/doctest.h>

using namespace mocks3;

namespace {
std::string_view op_name(S3Scope scope, std::string_view method, std::string_view subresource,
                         bool with_id = false) {
  const auto op = subresource_op(scope, method, subresource, with_id);
  return op ? name(*op) : std::string_view();
}
}  // namespace

TEST_CASE("sub-resource: S3's operation name by method") {
  constexpr S3Scope kBucket = S3Scope::bucket;
  constexpr S3Scope kObject = S3Scope::object;
  CHECK(op_name(kBucket, "GET", "lifecycle") == "GetBucketLifecycleConfiguration");
  CHECK(op_name(kBucket, "PUT", "lifecycle") == "PutBucketLifecycleConfiguration");
  CHECK(op_name(kBucket, "DELETE", "lifecycle") == "DeleteBucketLifecycle");
  CHECK(op_name(kBucket, "PUT", "tagging") == "PutBucketTagging");
  CHECK(op_name(kObject, "PUT", "tagging") == "PutObjectTagging");
  CHECK(op_name(kBucket, "PUT", "acl") == "PutBucketAcl");
  CHECK(op_name(kBucket, "GET", "object-lock") == "GetObjectLockConfiguration");
  CHECK(op_name(kBucket, "GET", "publicAccessBlock") == "GetPublicAccessBlock");
  CHECK(op_name(kBucket, "GET", "uploads") == "ListMultipartUploads");
  CHECK(op_name(kBucket, "GET", "versions") == "ListObjectVersions");
  CHECK(op_name(kBucket, "GET", "session") == "CreateSession");
  CHECK(op_name(kObject, "POST", "select") == "SelectObjectContent");
  CHECK(op_name(kObject, "POST", "restore") == "RestoreObject");
  CHECK(op_name(kObject, "GET", "torrent") == "GetObjectTorrent");
  CHECK(op_name(kObject, "PUT", "legal-hold") == "PutObjectLegalHold");
  CHECK(op_name(kObject, "PUT", "renameObject") == "RenameObject");
}

TEST_CASE("sub-resource: an id tells one configuration from the list of them") {
  CHECK(op_name(S3Scope::bucket, "GET", "inventory") == "ListBucketInventoryConfigurations");
  CHECK(op_name(S3Scope::bucket, "GET", "inventory", true) == "GetBucketInventoryConfiguration");
  CHECK(op_name(S3Scope::object, "GET", "annotation") == "ListObjectAnnotations");
  CHECK(op_name(S3Scope::object, "GET", "annotation", true) == "GetObjectAnnotation");
  CHECK(op_name(S3Scope::bucket, "PUT", "metrics") == "PutBucketMetricsConfiguration");
}

TEST_CASE("sub-resource: no operation where method, scope or name do not fit") {
  CHECK(op_name(S3Scope::bucket, "POST", "acl").empty());
  CHECK(op_name(S3Scope::bucket, "HEAD", "acl").empty());
  CHECK(op_name(S3Scope::object, "GET", "lifecycle").empty());
  CHECK(op_name(S3Scope::service, "GET", "acl").empty());
  CHECK(op_name(S3Scope::bucket, "GET", "ACL").empty());
}

TEST_CASE("sub-resource: kinds of parameter") {
  CHECK(parameter_kind("acl") == ParameterKind::subresource);
  CHECK(parameter_kind("uploadId") == ParameterKind::subresource);
  for (const std::string_view name : {"prefix", "partNumber", "versionId", "x-id", "X-Amz-Date",
                                      "response-content-type", "Signature"}) {
    CAPTURE(name);
    CHECK(parameter_kind(name) == ParameterKind::ordinary);
  }
  CHECK(parameter_kind("Acl") == ParameterKind::unknown);
  CHECK(parameter_kind("") == ParameterKind::unknown);
}
