#include "server/handler_tools.hpp"
#include "server/handlers.hpp"
#include "shared/proto/s3_xml.hpp"

namespace mocks3::server {

namespace {

constexpr uint64_t kMaxConfiguration = 64 * 1024;
/// 1000 keys of 1024 bytes, every byte of them escaped.
constexpr uint64_t kMaxDeleteRequest = 8 * 1024 * 1024;

std::optional<S3Error> missing_bucket(const HandlerContext& server, const RequestContext& request) {
  if (server.store.has_bucket(request.request.bucket)) return std::nullopt;
  S3Error error(S3Code::NoSuchBucket);
  error.details = {{"BucketName", request.request.bucket}};
  return error;
}

Reply location_reply(const std::string& region) {
  const bool classic = region == "us-east-1";
  // The root itself holds the text.
  std::string xml =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<LocationConstraint xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">";
  if (!classic) append_xml_escaped(xml, region);
  return Reply::xml(xml + "</LocationConstraint>");
}

Reply deleted_reply(const HandlerContext& server, const Target& target,
                    const DeleteRequest& request) {
  XmlWriter xml("DeleteResult");
  for (const std::string& key : request.keys) {
    const auto removed = server.store.remove(target.bucket, key);
    if (removed && !request.quiet) {
      xml.open("Deleted").text("Key", key).close("Deleted");
    } else if (!removed) {
      const S3CodeInfo& code = info(removed.error().code);
      xml.open("Error").text("Key", key).text("Code", code.name).text("Message", code.message);
      xml.close("Error");
    }
  }
  return Reply::xml(std::move(xml).finish());
}

}  // namespace

Plan list_buckets(const HandlerContext& server, const RequestContext&) {
  XmlWriter xml("ListAllMyBucketsResult");
  append_owner(xml);
  xml.open("Buckets");
  for (const Store::BucketInfo& bucket : server.store.buckets()) {
    xml.open("Bucket").text("Name", bucket.name);
    xml.text("CreationDate", iso8601_millis(bucket.created)).close("Bucket");
  }
  xml.close("Buckets");
  return Reply::xml(std::move(xml).finish());
}

Plan create_bucket(const HandlerContext& server, const RequestContext& request) {
  if (!valid_bucket_name(request.request.bucket)) {
    return fail(request, S3Error(S3Code::InvalidBucketName));
  }
  const auto finish = [server, target = Target(request),
                       now = request.now](const std::string& body) {
    // Any region is taken: whoever tries a client should not have to match two settings.
    if (const auto constraint = parse_create_bucket(body); !constraint) {
      return target.error(constraint.error());
    }
    if (!server.store.create_bucket(target.bucket, now) && server.options.region != "us-east-1") {
      return target.error(S3Error(S3Code::BucketAlreadyOwnedByYou));
    }
    Reply reply = Reply::empty(200);
    reply.headers.add("Location", "/" + target.bucket);
    return reply;
  };
  return collect(request, kMaxConfiguration, finish);
}

Plan head_bucket(const HandlerContext& server, const RequestContext& request) {
  if (const auto error = missing_bucket(server, request)) return fail(request, *error);
  Reply reply = Reply::empty(200);
  reply.headers.add("Content-Type", "application/xml");
  reply.headers.add("x-amz-bucket-region", server.options.region);
  return reply;
}

Plan delete_bucket(const HandlerContext& server, const RequestContext& request) {
  const auto done = server.store.delete_bucket(request.request.bucket);
  if (!done) return fail(request, done.error());
  return Reply::empty(204);
}

Plan get_bucket_location(const HandlerContext& server, const RequestContext& request) {
  if (const auto error = missing_bucket(server, request)) return fail(request, *error);
  return location_reply(server.options.region);
}

Plan get_bucket_default(const HandlerContext& server, const RequestContext& request) {
  if (const auto error = missing_bucket(server, request)) return fail(request, *error);
  switch (request.request.op) {
    case S3Op::GetBucketAcl:
      return canned_acl();
    case S3Op::GetBucketPolicy:
      return fail(request, S3Error(S3Code::NoSuchBucketPolicy));
    case S3Op::GetBucketCors:
      return fail(request, S3Error(S3Code::NoSuchCORSConfiguration));
    default:
      return Reply::xml(XmlWriter("VersioningConfiguration").finish());
  }
}

Plan delete_objects(const HandlerContext& server, const RequestContext& request) {
  if (const auto error = missing_bucket(server, request)) return fail(request, *error);
  return collect(request, kMaxDeleteRequest,
                 [server, target = Target(request)](const std::string& body) {
                   const S3Result<DeleteRequest> wanted = parse_delete_objects(body);
                   if (!wanted) return target.error(wanted.error());
                   return deleted_reply(server, target, *wanted);
                 });
}

}  // namespace mocks3::server
