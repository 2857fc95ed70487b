#include "server/conditions.hpp"
#include "server/copy_source.hpp"
#include "server/handler_tools.hpp"
#include "server/handlers.hpp"
#include "server/upload.hpp"
#include "shared/proto/range.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::server {

namespace {

/// 10,000 parts of a few hundred bytes each: the ETag, checksums, white space.
constexpr uint64_t kMaxCompleteRequest = 8 * 1024 * 1024;

std::string upload_id_of(const RequestContext& request) {
  return std::string(request.request.query.get("uploadId"));
}

struct PendingPart {
  HandlerContext server;
  Target target;
  UploadHead upload;
  std::string upload_id;
  uint32_t number;
  UnixMillis now;

  Reply finish(ReceivedBody&& body) const {
    const auto checksum = received_checksum(upload, body);
    if (!checksum) return target.error(checksum.error());
    const auto part = server.store.put_part(target.bucket, target.key, upload_id, number,
                                            body.payload_bytes, now);
    if (!part) return target.error(part.error());
    Reply reply = Reply::empty(200);
    reply.headers.add("ETag", part->etag.quoted());
    if (*checksum) reply.headers.add((*checksum)->name, (*checksum)->value);
    return reply;
  }
};

struct PendingComplete {
  HandlerContext server;
  Target target;
  std::string upload_id, location;
  WriteCondition condition;
  UnixMillis now;

  Reply finish(const std::string& body) const {
    const auto parts = parse_complete_multipart(body);
    if (!parts) return target.error(parts.error());
    const auto object =
        server.store.complete_upload(target.bucket, target.key, upload_id, *parts, condition, now);
    if (!object) return target.error(object.error());
    XmlWriter xml("CompleteMultipartUploadResult");
    xml.text("Location", location).text("Bucket", target.bucket).text("Key", target.key);
    xml.text("ETag", object->etag.quoted());
    return Reply::xml(std::move(xml).finish());
  }
};

S3Result<PartRecord> copy_part(const HandlerContext& server, const RequestContext& request) {
  const S3Request& asked = request.request;
  const std::string upload_id = upload_id_of(request);
  const auto upload = server.store.require_upload(asked.bucket, asked.key, upload_id);
  if (!upload) return upload.error();
  const S3Result<SourceObject> source = find_copy_source(server, request);
  if (!source) return source.error();
  uint64_t size = source->object.size;
  if (request.head.has_header("x-amz-copy-source-range")) {
    const auto range = resolve_copy_range(request.head.header("x-amz-copy-source-range"), size);
    if (!range) return range.error();
    size = range->length;
  }
  if (size > kMaxSingleUpload) return source_too_large();
  return server.store.put_part(asked.bucket, asked.key, upload_id, asked.part_number, size,
                               request.now);
}

}  // namespace

Plan create_multipart_upload(const HandlerContext& server, const RequestContext& request) {
  const S3Request& asked = request.request;
  auto headers = read_object_headers(request.head);
  if (!headers) return fail(request, headers.error());
  const auto checksums = read_checksum_choice(request.head);
  if (!checksums) return fail(request, checksums.error());
  const auto id =
      server.store.create_upload(asked.bucket, asked.key, *std::move(headers), request.now);
  if (!id) return fail(request, id.error());
  XmlWriter xml("InitiateMultipartUploadResult");
  xml.text("Bucket", asked.bucket).text("Key", asked.key).text("UploadId", *id);
  Reply reply = Reply::xml(std::move(xml).finish());
  if (*checksums) {
    reply.headers.add("x-amz-checksum-algorithm", (*checksums)->algorithm);
    reply.headers.add("x-amz-checksum-type", (*checksums)->type);
  }
  return reply;
}

Plan upload_part(const HandlerContext& server, const RequestContext& request) {
  const S3Request& asked = request.request;
  S3Result<UploadHead> upload = read_upload_head(request.head);
  if (!upload) return fail(request, upload.error());
  std::string upload_id = upload_id_of(request);
  const auto found = server.store.require_upload(asked.bucket, asked.key, upload_id);
  if (!found) return fail(request, found.error());
  PendingPart part{
      server,     Target(request), *std::move(upload), std::move(upload_id), asked.part_number,
      request.now};
  return Sink{Sink::Kind::discard, kMaxSingleUpload, [part = std::move(part)](ReceivedBody&& body) {
                return part.finish(std::move(body));
              }};
}

Plan upload_part_copy(const HandlerContext& server, const RequestContext& request) {
  const S3Result<PartRecord> part = copy_part(server, request);
  if (!part) return fail(request, part.error());
  XmlWriter xml("CopyPartResult");
  xml.text("LastModified", iso8601_millis(part->modified)).text("ETag", part->etag.quoted());
  return Reply::xml(std::move(xml).finish());
}

Plan complete_multipart_upload(const HandlerContext& server, const RequestContext& request) {
  const auto condition = write_condition_of(request.head);
  if (!condition) return fail(request, condition.error());
  PendingComplete complete{
      server,     Target(request), upload_id_of(request), address_of(request.head),
      *condition, request.now};
  return collect(
      request, kMaxCompleteRequest,
      [complete = std::move(complete)](const std::string& body) { return complete.finish(body); });
}

Plan abort_multipart_upload(const HandlerContext& server, const RequestContext& request) {
  const auto done =
      server.store.abort_upload(request.request.bucket, request.request.key, upload_id_of(request));
  if (!done) return fail(request, done.error());
  return Reply::empty(204);
}

}  // namespace mocks3::server
