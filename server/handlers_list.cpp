#include "server/handler_tools.hpp"
#include "server/handlers.hpp"
#include "server/listing.hpp"
#include "server/page_token.hpp"
#include "server/upload.hpp"

namespace mocks3::server {

namespace {

/// A ListObjects request of either version, understood.
struct ObjectListing : Listing {
  bool v2 = false;
  bool with_owner = false;
  std::string_view marker;                ///< V1: marker; V2: start-after
  std::optional<std::string_view> token;  ///< V2: continuation-token
};

/// A parameter of the other version of ListObjects. S3 names it and leaves out its value.
std::optional<S3Error> foreign_parameter(const Query& query, bool v2) {
  struct Row {
    bool v2;
    std::string_view name;
    const char* message;
  };
  constexpr Row kRows[] = {
      {false, "continuation-token",
       "continuation-token only supported in REST.GET.BUCKET with list-type=2"},
      {false, "start-after", "startAfter only supported in REST.GET.BUCKET with list-type=2"},
      {true, "marker", "Marker unsupported with REST.GET.BUCKET in list-type=2"},
  };
  for (const Row& row : kRows) {
    if (row.v2 != v2 || !query.has(row.name)) continue;
    S3Error error(S3Code::InvalidArgument, row.message);
    error.details.emplace_back("ArgumentName", row.name);
    return error;
  }
  return std::nullopt;
}

/// Sets where a page of V2 starts: the token wins over start-after. An empty token is the start.
std::optional<S3Error> read_token(const Query& query, ObjectListing& listing) {
  if (!query.has("continuation-token")) return std::nullopt;
  listing.token = query.get("continuation-token");
  if (listing.token->empty()) return std::nullopt;
  std::optional<PageEnd> end = PageEnd::of_token(*listing.token);
  if (!end) {
    return invalid_argument("The continuation token provided is incorrect", "continuation-token",
                            *listing.token);
  }
  listing.query.after = std::move(end->key);
  listing.query.after_prefix = end->prefix;
  return std::nullopt;
}

void read_start_after(const Query& query, ObjectListing& listing) {
  listing.marker = query.get("start-after");
  listing.query.after = listing.marker;
  listing.query.after_prefix = listing.marker.starts_with(listing.query.prefix) &&
                               common_prefix_of(listing.marker, listing.query) == listing.marker &&
                               !listing.marker.empty();
}

S3Result<ObjectListing> read_objects_listing(const S3Request& request) {
  const Query& query = request.query;
  const bool v2 = request.op == S3Op::ListObjectsV2;
  S3Result<Listing> common = read_listing(query, "max-keys");
  if (!common) return common.error();
  ObjectListing listing{*std::move(common), v2, !v2 || query.get("fetch-owner") == "true", {}, {}};
  if (const auto error = foreign_parameter(query, v2)) return *error;
  if (const auto error = read_encoding(query, listing)) return *error;
  if (!v2) {
    listing.marker = query.get("marker");
    listing.start_behind(listing.marker);
    return listing;
  }
  read_start_after(query, listing);
  if (const auto error = read_token(query, listing)) return *error;
  return listing;
}

/// What an object is listed with besides its key.
void append_object(XmlWriter& xml, const ObjectRecord& object, bool with_owner) {
  xml.text("LastModified", iso8601_millis(object.modified));
  xml.text("ETag", object.etag.quoted()).number("Size", object.size);
  if (with_owner) append_owner(xml);
  xml.text("StorageClass", storage_class(object.headers.get()));
}

/// The page's position elements, which are what the versions differ in.
void append_position(XmlWriter& xml, const ObjectListing& listing, const ObjectPage& page) {
  if (!listing.v2) {
    xml.text("Marker", listing.text(listing.marker));
    if (page.truncated) xml.text("NextMarker", listing.text(page.last));
    return;
  }
  if (listing.token) xml.text("ContinuationToken", *listing.token);
  if (!listing.marker.empty()) xml.text("StartAfter", listing.text(listing.marker));
  if (page.truncated) {
    xml.text("NextContinuationToken", PageEnd{page.last, page.last_is_prefix}.token());
  }
  xml.number("KeyCount", page.size());
}

std::string page_xml(const std::string& bucket, const ObjectListing& listing,
                     const ObjectPage& page) {
  XmlWriter xml("ListBucketResult");
  xml.text("Name", bucket).text("Prefix", listing.text(listing.query.prefix));
  append_position(xml, listing, page);
  xml.number("MaxKeys", listing.query.max_keys);
  append_delimiter(xml, listing);
  append_state(xml, listing, page.truncated);
  for (const ListedObject& entry : page.entries) {
    xml.open("Contents").text("Key", listing.text(entry.key));
    append_object(xml, entry.object, listing.with_owner);
    xml.close("Contents");
  }
  append_common_prefixes(xml, listing, page.common_prefixes);
  return std::move(xml).finish();
}

/// Where a page of versions starts. An object has one version: behind it comes the next key.
std::optional<S3Error> read_version_marker(const Query& query, Listing& listing) {
  constexpr std::string_view kName = "version-id-marker";
  const std::string_view key = query.get("key-marker"), version = query.get(kName);
  listing.start_behind(key);
  if (!query.has(kName)) return std::nullopt;
  if (key.empty()) {
    return invalid_argument("A version-id marker cannot be specified without a key marker.", kName,
                            version);
  }
  if (version.empty()) {
    return invalid_argument("A version-id marker cannot be empty.", kName, version);
  }
  if (version == kNullVersion) return std::nullopt;
  return invalid_argument("Invalid version id specified", kName, version);
}

std::string versions_xml(const S3Request& request, const Listing& listing, const ObjectPage& page) {
  XmlWriter xml("ListVersionsResult");
  xml.text("Name", request.bucket).text("Prefix", listing.text(listing.query.prefix));
  xml.text("KeyMarker", listing.text(request.query.get("key-marker")));
  xml.text("VersionIdMarker", request.query.get("version-id-marker"));
  if (page.truncated) {
    xml.text("NextKeyMarker", listing.text(page.last));
    if (!page.last_is_prefix) xml.text("NextVersionIdMarker", kNullVersion);
  }
  xml.number("MaxKeys", listing.query.max_keys);
  append_delimiter(xml, listing);
  append_state(xml, listing, page.truncated);
  for (const ListedObject& entry : page.entries) {
    xml.open("Version").text("Key", listing.text(entry.key));
    xml.text("VersionId", kNullVersion).boolean("IsLatest", true);
    append_object(xml, entry.object, true);
    xml.close("Version");
  }
  append_common_prefixes(xml, listing, page.common_prefixes);
  return std::move(xml).finish();
}

}  // namespace

Plan list_objects(const HandlerContext& server, const RequestContext& request) {
  const S3Result<ObjectListing> listing = read_objects_listing(request.request);
  if (!listing) return fail(request, listing.error());
  const S3Result<ObjectPage> page = server.store.list(request.request.bucket, listing->query);
  if (!page) return fail(request, page.error());
  return Reply::xml(page_xml(request.request.bucket, *listing, *page));
}

Plan list_object_versions(const HandlerContext& server, const RequestContext& request) {
  const Query& query = request.request.query;
  S3Result<Listing> listing = read_listing(query, "max-keys");
  if (!listing) return fail(request, listing.error());
  if (const auto error = read_version_marker(query, *listing)) return fail(request, *error);
  if (const auto error = read_encoding(query, *listing)) return fail(request, *error);
  const S3Result<ObjectPage> page = server.store.list(request.request.bucket, listing->query);
  if (!page) return fail(request, page.error());
  return Reply::xml(versions_xml(request.request, *listing, *page));
}

}  // namespace mocks3::server
