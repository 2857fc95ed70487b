#include <algorithm>

#include "server/handler_tools.hpp"
#include "server/handlers.hpp"
#include "server/tags.hpp"
#include "server/upload.hpp"

namespace mocks3::server {
namespace {

/// The object's headers with other tags; an empty set is none.
std::shared_ptr<const ObjectHeaders> retagged(const ObjectRecord& object, const Tags& tags) {
  ObjectHeaders headers = object.headers ? *object.headers : ObjectHeaders();
  const auto is_tagging = [](const auto& header) { return header.first == kTaggingHeader; };
  headers.erase(std::remove_if(headers.begin(), headers.end(), is_tagging), headers.end());
  if (!tags.empty()) headers.emplace_back(kTaggingHeader, tagging_header_of(tags));
  return share(std::move(headers));
}

Reply set_tags(const HandlerContext& server, const Target& target, const Tags& tags,
               unsigned status) {
  const auto done = server.store.set_headers(
      target.bucket, target.key,
      [&tags](const ObjectRecord& object) { return retagged(object, tags); });
  return done ? Reply::empty(status) : target.error(done.error());
}

}  // namespace

Plan get_object_tagging(const HandlerContext& server, const RequestContext& request) {
  const S3Result<ObjectRecord> object =
      server.store.get(request.request.bucket, request.request.key);
  if (!object) return fail(request, object.error());
  if (const auto error = foreign_version(request.request)) return fail(request, *error);
  const auto tags = parse_tags(kept_header(*object, kTaggingHeader));
  return Reply::xml(tagging_xml(tags ? *tags : Tags()));
}

Plan put_object_tagging(const HandlerContext& server, const RequestContext& request) {
  if (const auto error = missing_object(server, request)) return fail(request, *error);
  return collect(request, kMaxConfigurationBytes,
                 [server, target = Target(request)](const std::string& body) {
                   const S3Result<Tags> tags = parse_tagging(body);
                   if (!tags) return target.error(tags.error());
                   const auto error = check_tags(*tags, kMaxObjectTags);
                   return error ? target.error(*error) : set_tags(server, target, *tags, 200);
                 });
}

Plan delete_object_tagging(const HandlerContext& server, const RequestContext& request) {
  if (const auto error = missing_object(server, request)) return fail(request, *error);
  return set_tags(server, Target(request), {}, 204);
}

}  // namespace mocks3::server
