#include <algorithm>

#include "server/handler_tools.hpp"
#include "server/handlers.hpp"
#include "server/upload.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::server {

namespace {

/// What x-amz-object-attributes asks for. Checksums are not kept, so there is nothing to show.
struct Attributes {
  bool etag = false, checksum = false, parts = false, storage_class = false, size = false;
  uint64_t max_parts = kMaxPartsPage;
  uint64_t part_number_marker = 0;
};

bool set_attribute(Attributes& wanted, std::string_view name) {
  struct Row {
    std::string_view name;
    bool Attributes::*flag;
  };
  constexpr Row kRows[] = {
      {"ETag", &Attributes::etag},         {"Checksum", &Attributes::checksum},
      {"ObjectParts", &Attributes::parts}, {"StorageClass", &Attributes::storage_class},
      {"ObjectSize", &Attributes::size},
  };
  const auto* row = std::find_if(std::begin(kRows), std::end(kRows),
                                 [&](const Row& known) { return known.name == name; });
  if (row == std::end(kRows)) return false;
  wanted.*(row->flag) = true;
  return true;
}

/// Reads one header, whose names are separated by commas. Gives how many there were.
S3Result<size_t> read_names(std::string_view list, Attributes& wanted) {
  size_t names = 0;
  while (!list.empty()) {
    const std::string_view name = trim(list.substr(0, list.find(',')));
    list.remove_prefix(std::min(list.size(), list.find(',')));
    list.remove_prefix(list.empty() ? 0 : 1);
    if (name.empty()) continue;
    ++names;
    if (!set_attribute(wanted, name)) {
      return invalid_argument("Invalid attribute name specified.", "x-amz-object-attributes", name);
    }
  }
  return names;
}

S3Result<Attributes> read_attributes(const RequestHead& head) {
  Attributes wanted;
  size_t names = 0;
  for (const HeaderView& field : head.headers) {
    if (!iequals(field.name, "x-amz-object-attributes")) continue;
    const S3Result<size_t> read = read_names(field.value, wanted);
    if (!read) return read.error();
    names += *read;
  }
  if (names == 0) {
    return S3Error(S3Code::InvalidRequest,
                   "The x-amz-object-attributes header specifying the attributes to be retrieved "
                   "is either missing or empty");
  }
  const auto max_parts =
      read_number("x-amz-max-parts", head.header("x-amz-max-parts"), kMaxPartsPage, INT32_MAX);
  if (!max_parts) return max_parts.error();
  const auto marker = read_number("x-amz-part-number-marker",
                                  head.header("x-amz-part-number-marker"), 0, INT32_MAX);
  if (!marker) return marker.error();
  wanted.max_parts = std::min(*max_parts, kMaxPartsPage);
  wanted.part_number_marker = *marker;
  return wanted;
}

void append_parts(XmlWriter& xml, const Attributes& wanted, const std::vector<uint64_t>& ends) {
  const uint64_t first = std::min<uint64_t>(wanted.part_number_marker, ends.size());
  const uint64_t last = std::min<uint64_t>(first + wanted.max_parts, ends.size());
  xml.open("ObjectParts");
  xml.boolean("IsTruncated", wanted.max_parts > 0 && last < ends.size());
  xml.number("MaxParts", wanted.max_parts).number("NextPartNumberMarker", last);
  xml.number("PartNumberMarker", wanted.part_number_marker);
  for (uint64_t i = first; i < last; ++i) {
    xml.open("Part").number("PartNumber", i + 1);
    xml.number("Size", ends[i] - (i > 0 ? ends[i - 1] : 0)).close("Part");
  }
  xml.number("PartsCount", ends.size()).close("ObjectParts");
}

}  // namespace

Plan get_object_attributes(const HandlerContext& server, const RequestContext& request) {
  const auto found = server.store.get_with_parts(request.request.bucket, request.request.key);
  if (!found) return fail(request, found.error());
  if (const auto error = foreign_version(request.request)) return fail(request, *error);
  const S3Result<Attributes> wanted = read_attributes(request.head);
  if (!wanted) return fail(request, wanted.error());
  const ObjectRecord& object = found->object;
  XmlWriter xml("GetObjectAttributesResponse");
  if (wanted->etag) xml.text("ETag", object.etag.text());
  if (wanted->parts && found->part_ends) append_parts(xml, *wanted, *found->part_ends);
  if (wanted->storage_class) xml.text("StorageClass", storage_class(object.headers.get()));
  if (wanted->size) xml.number("ObjectSize", object.size);
  Reply reply = Reply::xml(std::move(xml).finish());
  reply.headers.add("Last-Modified", http_date(object.modified));
  return reply;
}

}  // namespace mocks3::server
