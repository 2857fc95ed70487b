#include "server/handlers.hpp"

#include <array>

#include "server/configuration_kinds.hpp"
#include "server/cors.hpp"
#include "server/handler_tools.hpp"

namespace mocks3::server {

namespace {

using Handler = Plan (*)(const HandlerContext&, const RequestContext&);
struct Row {
  S3Op op;
  Handler handler;
};

constexpr Row kServed[] = {
    {S3Op::ListBuckets, list_buckets},
    {S3Op::CreateBucket, create_bucket},
    {S3Op::HeadBucket, head_bucket},
    {S3Op::DeleteBucket, delete_bucket},
    {S3Op::GetBucketLocation, get_bucket_location},
    {S3Op::ListObjects, list_objects},
    {S3Op::ListObjectsV2, list_objects},
    {S3Op::ListObjectVersions, list_object_versions},
    {S3Op::ListMultipartUploads, list_multipart_uploads},
    {S3Op::PutObject, put_object},
    {S3Op::GetObject, get_object},
    {S3Op::HeadObject, get_object},
    {S3Op::DeleteObject, delete_object},
    {S3Op::DeleteObjects, delete_objects},
    {S3Op::CopyObject, copy_object},
    {S3Op::GetObjectAttributes, get_object_attributes},
    {S3Op::CreateMultipartUpload, create_multipart_upload},
    {S3Op::UploadPart, upload_part},
    {S3Op::UploadPartCopy, upload_part_copy},
    {S3Op::CompleteMultipartUpload, complete_multipart_upload},
    {S3Op::AbortMultipartUpload, abort_multipart_upload},
    {S3Op::ListParts, list_parts},
    {S3Op::PostObject, post_object},
    {S3Op::GetObjectTagging, get_object_tagging},
    {S3Op::PutObjectTagging, put_object_tagging},
    {S3Op::DeleteObjectTagging, delete_object_tagging},
    {S3Op::GetObjectAcl, get_object_acl},
    {S3Op::PutObjectAcl, put_object_acl},
    {S3Op::GetObjectRetention, object_lock},
    {S3Op::PutObjectRetention, object_lock},
    {S3Op::GetObjectLegalHold, object_lock},
    {S3Op::PutObjectLegalHold, object_lock},
    {S3Op::GetBucketAcl, get_bucket_acl},
    {S3Op::PutBucketAcl, put_bucket_acl},
    {S3Op::GetBucketPolicyStatus, get_bucket_policy_status},
    {S3Op::Preflight, preflight},
    {S3Op::Admin, admin},
};

/// Bucket configurations, which a table of their own is for, and what is not implemented.
Plan others(const HandlerContext& server, const RequestContext& request) {
  const ConfigurationKind* kind = find_configuration_kind(request.request.op);
  return kind != nullptr ? configuration(server, request, *kind) : not_implemented(server, request);
}

constexpr std::array<Handler, kS3OpCount> handlers_by_operation() {
  std::array<Handler, kS3OpCount> handlers{};
  handlers.fill(others);
  for (const Row& row : kServed) handlers[static_cast<size_t>(row.op)] = row.handler;
  return handlers;
}
constexpr std::array<Handler, kS3OpCount> kHandlers = handlers_by_operation();

}  // namespace

Plan handle(const HandlerContext& server, const RequestContext& request) {
  const Handler handler = kHandlers[static_cast<size_t>(request.request.op)];
  if (!request.head.has_header("origin") || request.request.op == S3Op::Preflight) {
    return handler(server, request);
  }
  // Before the operation, which may change the rules.
  auto cors = cors_headers(server, request);
  Plan plan = handler(server, request);
  return cors ? with_headers(std::move(plan), *std::move(cors)) : std::move(plan);
}

Plan not_implemented(const HandlerContext& server, const RequestContext& request) {
  const S3Request& asked = request.request;
  const bool known = asked.op != S3Op::Unsupported;
  if (known && !asked.bucket.empty()) {
    if (const auto error = missing_bucket(server, request)) return fail(request, *error);
  }
  const std::string_view what = known ? name(asked.op) : std::string_view(asked.unsupported_name);
  return fail(request,
              {S3Code::NotImplemented, std::string(what) + " is not implemented by this server."});
}

Reply error_reply(const S3Error& error, std::string_view resource, std::string_view request_id,
                  bool head_request) {
  return Reply::error(error, resource, request_id, head_request);
}

}  // namespace mocks3::server
