#include "server/handlers.hpp"

#include "server/handler_tools.hpp"

namespace mocks3::server {

namespace {

Plan unsupported(const HandlerContext&, const RequestContext& request) {
  return fail(request, {S3Code::NotImplemented,
                        request.request.unsupported_name + " is not implemented by this server."});
}

using Handler = Plan (*)(const HandlerContext&, const RequestContext&);
struct Row {
  S3Op op;
  Handler handler;
};

constexpr Row kHandlers[] = {
    {S3Op::ListBuckets, list_buckets},
    {S3Op::CreateBucket, create_bucket},
    {S3Op::HeadBucket, head_bucket},
    {S3Op::DeleteBucket, delete_bucket},
    {S3Op::GetBucketLocation, get_bucket_location},
    {S3Op::GetBucketVersioning, get_bucket_default},
    {S3Op::GetBucketAcl, get_bucket_default},
    {S3Op::GetBucketPolicy, get_bucket_default},
    {S3Op::GetBucketCors, get_bucket_default},
    {S3Op::ListObjects, list_objects},
    {S3Op::ListObjectsV2, list_objects},
    {S3Op::PutObject, put_object},
    {S3Op::GetObject, get_object},
    {S3Op::HeadObject, get_object},
    {S3Op::DeleteObject, delete_object},
    {S3Op::DeleteObjects, delete_objects},
    {S3Op::CopyObject, copy_object},
    {S3Op::GetObjectAcl, get_object_default},
    {S3Op::PutObjectAcl, put_object_acl},
    {S3Op::GetObjectTagging, get_object_default},
    {S3Op::CreateMultipartUpload, create_multipart_upload},
    {S3Op::UploadPart, upload_part},
    {S3Op::UploadPartCopy, upload_part_copy},
    {S3Op::CompleteMultipartUpload, complete_multipart_upload},
    {S3Op::AbortMultipartUpload, abort_multipart_upload},
    {S3Op::ListParts, list_parts},
    {S3Op::PostObject, post_object},
    {S3Op::Admin, admin},
    {S3Op::Unsupported, unsupported},
};

constexpr bool rows_stand_at_their_operation() {
  size_t index = 0;
  for (const Row& row : kHandlers) {
    if (static_cast<size_t>(row.op) != index++) return false;
  }
  return index == kS3OpCount;
}
static_assert(rows_stand_at_their_operation(), "the table is indexed by operation");

}  // namespace

Plan handle(const HandlerContext& server, const RequestContext& request) {
  return kHandlers[static_cast<size_t>(request.request.op)].handler(server, request);
}

Reply error_reply(const S3Error& error, std::string_view resource, std::string_view request_id,
                  bool head_request) {
  return Reply::error(error, resource, request_id, head_request);
}

}  // namespace mocks3::server
