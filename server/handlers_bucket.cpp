#include <algorithm>
#include <span>

#include "server/acl.hpp"
#include "server/handler_tools.hpp"
#include "server/handlers.hpp"
#include "server/page_token.hpp"
#include "server/tags.hpp"
#include "shared/proto/s3_xml.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::server {

namespace {

constexpr uint64_t kMaxBuckets = 10'000;

/// 1000 keys of 1024 bytes, every byte of them escaped.
constexpr uint64_t kMaxDeleteRequest = 8 * 1024 * 1024;

/// Those that the query asks for and that stand behind `after`, in order.
std::vector<Store::BucketInfo> chosen_buckets(const HandlerContext& server, const Query& query,
                                              std::string_view after) {
  const std::string_view region = query.get("bucket-region");
  if (!region.empty() && region != server.options.region) return {};
  std::vector<Store::BucketInfo> buckets = server.store.buckets();
  std::erase_if(buckets, [&](const Store::BucketInfo& bucket) {
    return bucket.name <= after || !bucket.name.starts_with(query.get("prefix"));
  });
  return buckets;
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

/// Configurations of a bucket to be made, with the names they are kept under.
using Documents = std::vector<std::pair<std::string, std::string>>;

S3Result<std::string> ownership_document(std::string_view ownership) {
  for (const std::string_view known :
       {"BucketOwnerEnforced", "BucketOwnerPreferred", "ObjectWriter"}) {
    if (ownership != known) continue;
    return configuration_document(
        "OwnershipControls",
        "<Rule><ObjectOwnership>" + std::string(ownership) + "</ObjectOwnership></Rule>");
  }
  return invalid_argument("Invalid x-amz-object-ownership header: " + std::string(ownership),
                          "x-amz-object-ownership", ownership);
}

/// What the headers of CreateBucket configure.
S3Result<Documents> documents_of_head(const RequestHead& head) {
  Documents documents;
  if (names_acl(head)) {
    S3Result<std::string> acl = acl_of_head(head);
    if (!acl) return acl.error();
    documents.emplace_back("acl", *std::move(acl));
  }
  if (head.has_header("x-amz-object-ownership")) {
    S3Result<std::string> ownership = ownership_document(head.header("x-amz-object-ownership"));
    if (!ownership) return ownership.error();
    documents.emplace_back("ownershipControls", *std::move(ownership));
  }
  if (iequals(head.header("x-amz-bucket-object-lock-enabled"), "true")) {
    documents.emplace_back(
        "object-lock", configuration_document("ObjectLockConfiguration",
                                              "<ObjectLockEnabled>Enabled</ObjectLockEnabled>"));
    documents.emplace_back("versioning", configuration_document("VersioningConfiguration",
                                                                "<Status>Enabled</Status>"));
  }
  return documents;
}

/// The tags that the body of CreateBucket has; any region in it is taken: whoever tries a client
/// should not have to match two settings.
S3Result<Tags> read_create_bucket(const std::string& body) {
  if (const auto constraint = parse_create_bucket(body); !constraint) return constraint.error();
  S3Result<Tags> tags = parse_create_bucket_tags(body);
  if (!tags) return tags;
  if (auto error = check_tags(*tags, kMaxBucketTags)) return *std::move(error);
  return tags;
}

Reply created_reply(const HandlerContext& server, const Target& target, UnixMillis now,
                    const Documents& documents, const std::string& body) {
  const S3Result<Tags> tags = read_create_bucket(body);
  if (!tags) return target.error(tags.error());
  const bool created = server.store.create_bucket(target.bucket, now);
  if (!created && server.options.region != "us-east-1") {
    return target.error(S3Error(S3Code::BucketAlreadyOwnedByYou));
  }
  if (const auto kept = server.store.configurations(target.bucket); kept && created) {
    for (const auto& [name, document] : documents) kept->keep(name, document);
    if (!tags->empty()) kept->keep("tagging", tagging_xml(*tags));
  }
  Reply reply = Reply::empty(200);
  reply.headers.add("Location", "/" + target.bucket);
  return reply;
}

std::optional<S3Error> remove_one(const HandlerContext& server, const std::string& bucket,
                                  const DeleteRequest::Object& object) {
  if (!object.version_id.empty() && version_error(object.key, object.version_id)) {
    return S3Error(S3Code::NoSuchVersion);
  }
  const auto removed =
      server.store.remove(bucket, object.key, {object.etag, object.modified, object.size});
  return removed ? std::nullopt : std::optional(removed.error());
}

Reply deleted_reply(const HandlerContext& server, const Target& target,
                    const DeleteRequest& request) {
  XmlWriter xml("DeleteResult");
  for (const DeleteRequest::Object& object : request.objects) {
    const auto error = remove_one(server, target.bucket, object);
    if (!error && request.quiet) continue;
    const std::string_view element = error ? "Error" : "Deleted";
    xml.open(element).text("Key", object.key);
    if (!object.version_id.empty()) xml.text("VersionId", object.version_id);
    if (error) xml.text("Code", info(error->code).name).text("Message", info(error->code).message);
    xml.close(element);
  }
  return Reply::xml(std::move(xml).finish());
}

}  // namespace

Plan list_buckets(const HandlerContext& server, const RequestContext& request) {
  const Query& query = request.request.query;
  const S3Result<uint64_t> most = number_parameter(query, "max-buckets", kMaxBuckets, kMaxBuckets);
  if (!most) return fail(request, most.error());
  if (*most == 0)
    return fail(request, invalid_argument("max-buckets must be at least 1", "max-buckets", "0"));
  const std::string_view token = query.get("continuation-token");
  const std::optional<PageEnd> after = token.empty() ? PageEnd{} : PageEnd::of_token(token);
  if (!after) {
    return fail(request, invalid_argument("The continuation token provided is incorrect",
                                          "continuation-token", token));
  }
  const auto buckets = chosen_buckets(server, query, after->key);
  const size_t count = std::min<size_t>(*most, buckets.size());
  XmlWriter xml("ListAllMyBucketsResult");
  append_owner(xml);
  xml.open("Buckets");
  for (const Store::BucketInfo& bucket : std::span(buckets).first(count)) {
    xml.open("Bucket").text("Name", bucket.name);
    xml.text("BucketRegion", server.options.region);
    xml.text("CreationDate", iso8601_millis(bucket.created)).close("Bucket");
  }
  xml.close("Buckets");
  if (query.has("prefix")) xml.text("Prefix", query.get("prefix"));
  if (count < buckets.size()) {
    xml.text("ContinuationToken", PageEnd{buckets[count - 1].name, false}.token());
  }
  return Reply::xml(std::move(xml).finish());
}

Plan create_bucket(const HandlerContext& server, const RequestContext& request) {
  if (!valid_bucket_name(request.request.bucket)) {
    return fail(request, S3Error(S3Code::InvalidBucketName));
  }
  S3Result<Documents> documents = documents_of_head(request.head);
  if (!documents) return fail(request, documents.error());
  return collect(
      request, kMaxConfigurationBytes,
      [server, target = Target(request), now = request.now, documents = *std::move(documents)](
          const std::string& body) { return created_reply(server, target, now, documents, body); });
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
