#include <algorithm>

#include "server/handler_tools.hpp"
#include "server/handlers.hpp"
#include "server/listing.hpp"
#include "server/upload.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::server {

namespace {

constexpr size_t kUploadIdBytes = 16;

/// Where a page of uploads starts. Without a key the id counts for nothing, as in S3.
std::optional<S3Error> read_upload_marker(const Query& query, Listing& listing) {
  const std::string_view key = query.get("key-marker"), id = query.get("upload-id-marker");
  listing.start_behind(key);
  if (key.empty()) return std::nullopt;
  const std::optional<std::string> raw = hex_decode(id);
  if (!id.empty() && (!raw || raw->size() != kUploadIdBytes)) {
    return invalid_argument("Invalid uploadId marker", "upload-id-marker", id);
  }
  if (!listing.query.after_prefix) listing.query.after = upload_position(key, id);
  return std::nullopt;
}

/// S3 sends the four markers with every page, empty where they mean nothing.
void append_markers(XmlWriter& xml, const Query& query, const Listing& listing,
                    const UploadPage& page) {
  std::string_view next_key, next_id;
  if (page.truncated && page.last_is_prefix) {
    next_key = page.last;
  } else if (page.truncated) {
    next_key = page.entries.back().key;
    next_id = page.entries.back().id;
  }
  const std::string_view key = query.get("key-marker");
  xml.text("KeyMarker", listing.text(key));
  xml.text("UploadIdMarker", key.empty() ? std::string_view{} : query.get("upload-id-marker"));
  xml.text("NextKeyMarker", listing.text(next_key)).text("NextUploadIdMarker", next_id);
}

void append_upload(XmlWriter& xml, const Listing& listing, const ListedUpload& upload) {
  xml.open("Upload").text("Key", listing.text(upload.key)).text("UploadId", upload.id);
  append_owner(xml, "Initiator");
  append_owner(xml);
  xml.text("StorageClass", storage_class(upload.headers.get()));
  xml.text("Initiated", iso8601_millis(upload.initiated)).close("Upload");
}

std::string uploads_xml(const S3Request& request, const Listing& listing, const UploadPage& page) {
  XmlWriter xml("ListMultipartUploadsResult");
  xml.text("Bucket", request.bucket);
  append_markers(xml, request.query, listing, page);
  append_delimiter(xml, listing);
  if (!listing.query.prefix.empty()) xml.text("Prefix", listing.text(listing.query.prefix));
  xml.number("MaxUploads", listing.query.max_keys);
  append_state(xml, listing, page.truncated);
  for (const ListedUpload& upload : page.entries) append_upload(xml, listing, upload);
  append_common_prefixes(xml, listing, page.common_prefixes);
  return std::move(xml).finish();
}

std::string parts_xml(const S3Request& request, const PartPage& page, uint64_t after,
                      size_t max_parts) {
  const bool encode = request.query.get("encoding-type") == "url";
  XmlWriter xml("ListPartsResult");
  xml.text("Bucket", request.bucket);
  xml.text("Key", encode ? percent_encode(request.key, true) : request.key);
  if (encode) xml.text("EncodingType", "url");
  xml.text("UploadId", request.query.get("uploadId"));
  append_owner(xml, "Initiator");
  append_owner(xml);
  xml.text("StorageClass", storage_class(page.headers.get()));
  xml.number("PartNumberMarker", after);
  xml.number("NextPartNumberMarker", page.parts.empty() ? 0 : page.parts.back().number);
  xml.number("MaxParts", max_parts).boolean("IsTruncated", page.truncated);
  for (const PartRecord& part : page.parts) {
    xml.open("Part").number("PartNumber", part.number);
    xml.text("LastModified", iso8601_millis(part.modified)).text("ETag", part.etag.quoted());
    xml.number("Size", part.size).close("Part");
  }
  return std::move(xml).finish();
}

}  // namespace

Plan list_multipart_uploads(const HandlerContext& server, const RequestContext& request) {
  const Query& query = request.request.query;
  S3Result<Listing> listing = read_listing(query, "max-uploads");
  if (!listing) return fail(request, listing.error());
  if (const auto error = read_encoding(query, *listing)) return fail(request, *error);
  if (const auto error = read_upload_marker(query, *listing)) return fail(request, *error);
  const auto page = server.store.list_uploads(request.request.bucket, listing->query);
  if (!page) return fail(request, page.error());
  return Reply::xml(uploads_xml(request.request, *listing, *page));
}

Plan list_parts(const HandlerContext& server, const RequestContext& request) {
  const S3Request& asked = request.request;
  const auto max_parts = number_parameter(asked.query, "max-parts", kMaxPartsPage, INT32_MAX);
  if (!max_parts) return fail(request, max_parts.error());
  const auto after = number_parameter(asked.query, "part-number-marker", 0, INT32_MAX);
  if (!after) return fail(request, after.error());
  const auto size = static_cast<size_t>(std::min(*max_parts, kMaxPartsPage));
  const auto page = server.store.list_parts(asked.bucket, asked.key, asked.query.get("uploadId"),
                                            static_cast<uint32_t>(*after), size);
  if (!page) return fail(request, page.error());
  return Reply::xml(parts_xml(asked, *page, *after, size));
}

}  // namespace mocks3::server
