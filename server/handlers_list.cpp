#include <algorithm>

#include "server/handler_tools.hpp"
#include "server/handlers.hpp"
#include "server/page_token.hpp"
#include "server/upload.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::server {

namespace {

constexpr uint64_t kMaxPage = 1000;

/// A ListObjects request of either version, understood.
struct Listing {
  bool v2 = false;
  bool url_encoded = false;
  bool with_owner = false;
  ListQuery query;
  std::string_view marker;  ///< V1: marker; V2: start-after
  std::string_view token;   ///< V2: continuation-token

  std::string text(std::string_view value) const {
    return url_encoded ? percent_encode(value, true) : std::string(value);
  }
};

/// A marker that is a common prefix of this listing ended a page: all below it has been listed.
bool is_common_prefix(std::string_view marker, const ListQuery& query) {
  if (query.delimiter.empty() || !marker.starts_with(query.prefix)) return false;
  const size_t at = marker.find(query.delimiter, query.prefix.size());
  return at != std::string_view::npos && at + query.delimiter.size() == marker.size();
}

S3Result<bool> read_encoding(const Query& query) {
  if (!query.has("encoding-type")) return false;
  const std::string_view type = query.get("encoding-type");
  if (iequals(type, "url")) return true;
  return invalid_argument("Invalid Encoding Method specified in Request", "encoding-type", type);
}

/// Sets where the page starts: the token wins over start-after.
std::optional<S3Error> read_start(const Query& query, Listing& listing) {
  listing.marker = query.get(listing.v2 ? "start-after" : "marker");
  listing.query.after = listing.marker;
  listing.query.after_prefix = is_common_prefix(listing.marker, listing.query);
  if (!listing.v2 || !query.has("continuation-token")) return std::nullopt;
  listing.token = query.get("continuation-token");
  const std::optional<PageEnd> end = PageEnd::of_token(listing.token);
  if (!end) {
    return invalid_argument("The continuation token provided is incorrect", "continuation-token",
                            listing.token);
  }
  listing.query.after = end->key;
  listing.query.after_prefix = end->prefix;
  return std::nullopt;
}

S3Result<Listing> read_listing(const S3Request& request) {
  const Query& query = request.query;
  Listing listing;
  listing.v2 = request.op == S3Op::ListObjectsV2;
  const S3Result<bool> encoded = read_encoding(query);
  if (!encoded) return encoded.error();
  listing.url_encoded = *encoded;
  listing.with_owner = !listing.v2 || query.get("fetch-owner") == "true";
  const auto max_keys = number_parameter(query, "max-keys", kMaxPage, INT32_MAX);
  if (!max_keys) return max_keys.error();
  listing.query.max_keys = static_cast<size_t>(std::min(*max_keys, kMaxPage));
  listing.query.prefix = query.get("prefix");
  listing.query.delimiter = query.get("delimiter");
  if (const auto error = read_start(query, listing)) return *error;
  return listing;
}

void append_object(XmlWriter& xml, const Listing& listing, const ListEntry& entry) {
  xml.open("Contents").text("Key", listing.text(entry.key));
  xml.text("LastModified", iso8601_millis(entry.object.modified));
  xml.text("ETag", entry.object.etag.quoted()).number("Size", entry.object.size);
  if (listing.with_owner) append_owner(xml);
  xml.text("StorageClass", storage_class(entry.object)).close("Contents");
}

/// The page's position elements, which are what the versions differ in.
void append_position(XmlWriter& xml, const Listing& listing, const ListPage& page) {
  if (!listing.v2) {
    xml.text("Marker", listing.text(listing.marker));
    if (page.truncated) xml.text("NextMarker", listing.text(page.last));
    return;
  }
  if (!listing.token.empty()) xml.text("ContinuationToken", listing.token);
  if (!listing.marker.empty()) xml.text("StartAfter", listing.text(listing.marker));
  if (page.truncated) {
    xml.text("NextContinuationToken", PageEnd{page.last, page.last_is_prefix}.token());
  }
  xml.number("KeyCount", page.objects.size() + page.common_prefixes.size());
}

std::string page_xml(const std::string& bucket, const Listing& listing, const ListPage& page) {
  XmlWriter xml("ListBucketResult");
  xml.text("Name", bucket).text("Prefix", listing.text(listing.query.prefix));
  append_position(xml, listing, page);
  xml.number("MaxKeys", listing.query.max_keys);
  if (!listing.query.delimiter.empty()) {
    xml.text("Delimiter", listing.text(listing.query.delimiter));
  }
  if (listing.url_encoded) xml.text("EncodingType", "url");
  xml.boolean("IsTruncated", page.truncated);
  for (const ListEntry& entry : page.objects) append_object(xml, listing, entry);
  for (const std::string& prefix : page.common_prefixes) {
    xml.open("CommonPrefixes").text("Prefix", listing.text(prefix)).close("CommonPrefixes");
  }
  return std::move(xml).finish();
}

}  // namespace

Plan list_objects(const HandlerContext& server, const RequestContext& request) {
  const S3Result<Listing> listing = read_listing(request.request);
  if (!listing) return fail(request, listing.error());
  const S3Result<ListPage> page = server.store.list(request.request.bucket, listing->query);
  if (!page) return fail(request, page.error());
  return Reply::xml(page_xml(request.request.bucket, *listing, *page));
}

}  // namespace mocks3::server
