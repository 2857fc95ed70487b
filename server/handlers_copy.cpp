#include "server/conditions.hpp"
#include "server/copy_source.hpp"
#include "server/handler_tools.hpp"
#include "server/handlers.hpp"
#include "server/upload.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::server {

namespace {

/// Whether a directive header says REPLACE; COPY is the default. Error: InvalidArgument.
S3Result<bool> replaces(const RequestHead& head, std::string_view name) {
  const std::string_view directive = head.header(name);
  if (directive.empty() || iequals(directive, "COPY")) return false;
  if (iequals(directive, "REPLACE")) return true;
  return invalid_argument("Unknown directive: it must be COPY or REPLACE.", name, directive);
}

/// Headers that make a copy of an object onto itself a change.
bool changes_something(const RequestHead& head) {
  for (const std::string_view name :
       {kStorageClassHeader, kRedirectHeader, std::string_view("x-amz-server-side-encryption"),
        std::string_view("x-amz-server-side-encryption-customer-algorithm")}) {
    if (head.has_header(name)) return true;
  }
  return false;
}

/// Belongs to one object, and is not copied with it: what the request says holds.
bool stays_behind(std::string_view name) {
  return name == kStorageClassHeader || name == kRedirectHeader;
}

struct Directives {
  bool replace_metadata = false;
  bool replace_tags = false;
};

S3Result<Directives> read_directives(const RequestHead& head) {
  const S3Result<bool> metadata = replaces(head, "x-amz-metadata-directive");
  if (!metadata) return metadata.error();
  const S3Result<bool> tags = replaces(head, "x-amz-tagging-directive");
  if (!tags) return tags.error();
  return Directives{*metadata, *tags};
}

/// Headers of the copy: each from the source or from the request, as the directives say.
std::shared_ptr<const ObjectHeaders> headers_of_copy(
    const Directives& directives, const std::shared_ptr<const ObjectHeaders>& source,
    const std::shared_ptr<const ObjectHeaders>& request) {
  const auto from_request = [&](std::string_view name) {
    if (stays_behind(name)) return true;
    return name == kTaggingHeader ? directives.replace_tags : directives.replace_metadata;
  };
  ObjectHeaders headers;
  for (const bool take_request : {false, true}) {
    const auto& from = take_request ? request : source;
    if (!from) continue;
    for (const auto& header : *from) {
      if (from_request(header.first) == take_request) headers.push_back(header);
    }
  }
  return share(std::move(headers));
}

S3Error illegal_self_copy() {
  return {S3Code::InvalidRequest,
          "This copy request is illegal because it is trying to copy an object to itself without "
          "changing the object's metadata, storage class, website redirect location or encryption "
          "attributes."};
}

S3Result<ObjectRecord> copy(const HandlerContext& server, const RequestContext& request) {
  const S3Result<Directives> directives = read_directives(request.head);
  if (!directives) return directives.error();
  const S3Result<SourceObject> source = find_copy_source(server, request);
  if (!source) return source.error();
  if (source->object.size > kMaxSingleUpload) return source_too_large();
  const bool onto_itself =
      source->bucket == request.request.bucket && source->key == request.request.key;
  if (onto_itself && !directives->replace_metadata && !changes_something(request.head)) {
    return illegal_self_copy();
  }
  const auto own_headers = read_object_headers(request.head);
  if (!own_headers) return own_headers.error();
  const auto condition = write_condition_of(request.head);
  if (!condition) return condition.error();
  ObjectRecord record{source->object.size,
                      request.now,
                      {},
                      headers_of_copy(*directives, source->object.headers, *own_headers)};
  return server.store.put(request.request.bucket, request.request.key, std::move(record),
                          *condition);
}

}  // namespace

S3Result<SourceObject> find_copy_source(const HandlerContext& server,
                                        const RequestContext& request) {
  S3Result<CopySource> name = parse_copy_source(request.head.header("x-amz-copy-source"));
  if (!name) return name.error();
  if (name->version) {
    if (const auto error = version_error(name->key, *name->version)) return *error;
  }
  S3Result<ObjectRecord> object = server.store.get(name->bucket, name->key);
  if (!object) return object.error();
  const ReadDecision decision =
      decide(ReadConditions::of_copy_source(request.head), object->etag, object->modified);
  if (decision.verdict != ReadVerdict::proceed) {
    return precondition_failed("x-amz-copy-source-" + std::string(decision.condition));
  }
  return SourceObject{std::move(name->bucket), std::move(name->key), *std::move(object)};
}

S3Error source_too_large() {
  return {
      S3Code::InvalidRequest,
      "The specified copy source is larger than the maximum allowable size for a copy source: " +
          std::to_string(kMaxSingleUpload)};
}

Plan copy_object(const HandlerContext& server, const RequestContext& request) {
  const S3Result<ObjectRecord> copied = copy(server, request);
  if (!copied) return fail(request, copied.error());
  XmlWriter xml("CopyObjectResult");
  xml.text("LastModified", iso8601_millis(copied->modified)).text("ETag", copied->etag.quoted());
  return Reply::xml(std::move(xml).finish());
}

}  // namespace mocks3::server
