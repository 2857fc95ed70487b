#include "server/conditions.hpp"
#include "server/handler_tools.hpp"
#include "server/handlers.hpp"
#include "server/upload.hpp"
#include "shared/proto/range.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::server {

namespace {

/// Query parameters that replace a header of GetObject's answer.
struct Override {
  std::string_view parameter;
  std::string_view header;
};
constexpr Override kOverrides[] = {
    {"response-content-type", "Content-Type"},
    {"response-cache-control", "Cache-Control"},
    {"response-content-disposition", "Content-Disposition"},
    {"response-content-encoding", "Content-Encoding"},
    {"response-content-language", "Content-Language"},
    {"response-expires", "Expires"},
};

bool overridden(const Query& query, std::string_view header) {
  for (const Override& entry : kOverrides) {
    if (entry.header == header && !query.get(entry.parameter).empty()) return true;
  }
  return false;
}

void add_kept_headers(HeaderBlock& out, const ObjectHeaders& headers, const Query& query) {
  for (const auto& [name, value] : headers) {
    if (name == kTaggingHeader) {
      const auto separators = std::count(value.begin(), value.end(), '&');
      out.add("x-amz-tagging-count", static_cast<uint64_t>(separators) + 1);
    } else if (query.items().empty() || !overridden(query, name)) {
      out.add(name, value);
    }
  }
}

void add_object_headers(HeaderBlock& out, const ObjectRecord& object, const Query& query) {
  out.add("Last-Modified", http_date(object.modified));
  out.add("ETag", object.etag.quoted());
  out.add("Accept-Ranges", "bytes");
  if (object.headers) add_kept_headers(out, *object.headers, query);
  if (!query.items().empty()) {
    for (const Override& entry : kOverrides) {
      if (const auto value = query.get(entry.parameter); !value.empty()) {
        out.add(entry.header, value);
      }
    }
  }
  if (kept_header(object, "Content-Type").empty() && !overridden(query, "Content-Type")) {
    out.add("Content-Type", kDefaultContentType);
  }
}

std::string content_range(const ByteRange& range, uint64_t size) {
  return "bytes " + std::to_string(range.offset) + '-' +
         std::to_string(range.offset + range.length - 1) + '/' + std::to_string(size);
}

/// An object that was not uploaded in parts is its own part 1.
S3Result<ByteRange> range_of_part(const RequestContext& request, const ObjectWithParts& found) {
  if (request.head.has_header("range")) {
    return S3Error(S3Code::InvalidRequest,
                   "Cannot specify both Range header and partNumber query parameter");
  }
  const uint32_t number = request.request.part_number;
  const size_t count = found.part_ends ? found.part_ends->size() : 1;
  if (number > count) {
    S3Error error(S3Code::InvalidPartNumber);
    error.details = {{"PartNumberRequested", std::to_string(number)},
                     {"ActualPartCount", std::to_string(count)}};
    return error;
  }
  const uint64_t end = found.part_ends ? (*found.part_ends)[number - 1] : found.object.size;
  const uint64_t start = number > 1 ? (*found.part_ends)[number - 2] : 0;
  return ByteRange{start, end - start, end > start};
}

S3Result<ByteRange> range_of(const RequestContext& request, const ObjectWithParts& found) {
  const ObjectRecord& object = found.object;
  if (request.request.part_number > 0) return range_of_part(request, found);
  if (!range_still_valid(request.head.header("if-range"), object.etag, object.modified)) {
    return ByteRange{0, object.size, false};
  }
  return resolve_range(request.head.header("range"), object.size);
}

/// Parts are looked up only where the request is about them.
S3Result<ObjectWithParts> find_object(const HandlerContext& server, const S3Request& asked) {
  if (asked.part_number > 0) return server.store.get_with_parts(asked.bucket, asked.key);
  S3Result<ObjectRecord> object = server.store.get(asked.bucket, asked.key);
  if (!object) return object.error();
  return ObjectWithParts{*std::move(object), nullptr};
}

Reply not_modified(const ObjectRecord& object, const Query& query) {
  Reply reply = Reply::empty(304);
  add_object_headers(reply.headers, object, query);
  return reply;
}

Reply object_reply(const RequestContext& request, const ObjectWithParts& found,
                   const ByteRange& range) {
  const ObjectRecord& object = found.object;
  Reply reply = Reply::empty(range.partial ? 206 : 200);
  add_object_headers(reply.headers, object, request.request.query);
  if (range.partial) reply.headers.add("Content-Range", content_range(range, object.size));
  if (found.part_ends) reply.headers.add("x-amz-mp-parts-count", found.part_ends->size());
  if (request.request.op == S3Op::HeadObject) {
    reply.content_length = range.length;
  } else if (range.length > 0) {
    reply.body = GeneratedBody{ObjectBytes(request.request.bucket, request.request.key),
                               range.offset, range.length};
  }
  return reply;
}

struct PendingPut {
  HandlerContext server;
  Target target;
  UploadHead upload;
  ObjectRecord record;  ///< without size and ETag
  WriteCondition condition;

  Reply finish(ReceivedBody&& body) const {
    const auto checksum = received_checksum(upload, body);
    if (!checksum) return target.error(checksum.error());
    ObjectRecord object = record;
    object.size = body.payload_bytes;
    const auto stored = server.store.put(target.bucket, target.key, std::move(object), condition);
    if (!stored) return target.error(stored.error());
    Reply reply = Reply::empty(200);
    reply.headers.add("ETag", stored->etag.quoted());
    if (*checksum) {
      reply.headers.add((*checksum)->name, (*checksum)->value);
      reply.headers.add("x-amz-checksum-type", "FULL_OBJECT");
    }
    return reply;
  }
};

}  // namespace

Plan put_object(const HandlerContext& server, const RequestContext& request) {
  S3Result<UploadHead> upload = read_upload_head(request.head);
  if (!upload) return fail(request, upload.error());
  auto headers = read_object_headers(request.head);
  if (!headers) return fail(request, headers.error());
  const auto condition = write_condition_of(request.head);
  if (!condition) return fail(request, condition.error());
  const auto allowed =
      server.store.check_write(request.request.bucket, request.request.key, *condition);
  if (!allowed) return fail(request, allowed.error());
  PendingPut put{server, Target(request), *std::move(upload),
                 ObjectRecord{0, request.now, {}, *std::move(headers)}, *condition};
  return Sink{Sink::Kind::discard, kMaxSingleUpload,
              [put = std::move(put)](ReceivedBody&& body) { return put.finish(std::move(body)); }};
}

Plan get_object(const HandlerContext& server, const RequestContext& request) {
  const S3Result<ObjectWithParts> found = find_object(server, request.request);
  if (!found) return fail(request, found.error());
  if (const auto error = foreign_version(request.request)) return fail(request, *error);
  const ObjectRecord& object = found->object;
  const ReadDecision decision =
      decide(ReadConditions::of_request(request.head), object.etag, object.modified);
  if (decision.verdict == ReadVerdict::failed) {
    return fail(request, precondition_failed(decision.condition));
  }
  if (decision.verdict == ReadVerdict::not_modified) {
    return not_modified(object, request.request.query);
  }
  const S3Result<ByteRange> range = range_of(request, *found);
  if (range) return object_reply(request, *found, *range);
  Reply reply = fail(request, range.error());
  if (range.error().code == S3Code::InvalidRange) {
    reply.headers.add("Content-Range", "bytes */" + std::to_string(object.size));
  }
  return reply;
}

Plan object_lock(const HandlerContext& server, const RequestContext& request) {
  if (const auto error = missing_object(server, request)) return fail(request, *error);
  const auto kept = server.store.configurations(request.request.bucket);
  if (!kept || !kept->find("object-lock")) {
    return fail(request, {S3Code::InvalidRequest, "Bucket is missing Object Lock Configuration"});
  }
  if (request.head.method == "GET") {
    return fail(request, S3Error(S3Code::NoSuchObjectLockConfiguration));
  }
  return not_implemented(server, request);
}

Plan delete_object(const HandlerContext& server, const RequestContext& request) {
  if (const auto error = missing_bucket(server, request)) return fail(request, *error);
  const auto foreign = foreign_version(request.request);
  // A version that is not there has been deleted.
  if (foreign && foreign->code == S3Code::NoSuchVersion) return Reply::empty(204);
  if (foreign) return fail(request, *foreign);
  const auto condition = delete_condition_of(request.head);
  if (!condition) return fail(request, condition.error());
  const auto done = server.store.remove(request.request.bucket, request.request.key, *condition);
  if (!done) return fail(request, done.error());
  return Reply::empty(204);
}

}  // namespace mocks3::server
