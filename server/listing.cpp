#include "server/listing.hpp"

#include <algorithm>

#include "server/handler_tools.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::server {

namespace {

constexpr uint64_t kMaxPage = 1000;

}  // namespace

std::string Listing::text(std::string_view value) const {
  return url_encoded ? percent_encode(value, true) : std::string(value);
}

void Listing::start_behind(std::string_view marker) {
  const std::string_view common =
      marker.starts_with(query.prefix) ? common_prefix_of(marker, query) : std::string_view{};
  query.after = common.empty() ? marker : common;
  query.after_prefix = !common.empty();
}

S3Result<Listing> read_listing(const Query& query, std::string_view size_parameter) {
  const auto size = number_parameter(query, size_parameter, kMaxPage, INT32_MAX);
  if (!size) return size.error();
  Listing listing;
  listing.query.max_keys = static_cast<size_t>(std::min(*size, kMaxPage));
  listing.query.prefix = query.get("prefix");
  listing.query.delimiter = query.get("delimiter");
  return listing;
}

std::optional<S3Error> read_encoding(const Query& query, Listing& listing) {
  if (!query.has("encoding-type")) return std::nullopt;
  const std::string_view type = query.get("encoding-type");
  listing.url_encoded = iequals(type, "url");
  if (listing.url_encoded) return std::nullopt;
  return invalid_argument("Invalid Encoding Method specified in Request", "encoding-type", type);
}

void append_delimiter(XmlWriter& xml, const Listing& listing) {
  if (listing.query.delimiter.empty()) return;
  xml.text("Delimiter", listing.text(listing.query.delimiter));
}

void append_state(XmlWriter& xml, const Listing& listing, bool truncated) {
  if (listing.url_encoded) xml.text("EncodingType", "url");
  xml.boolean("IsTruncated", truncated);
}

void append_common_prefixes(XmlWriter& xml, const Listing& listing,
                            const std::vector<std::string>& prefixes) {
  for (const std::string& prefix : prefixes) {
    xml.open("CommonPrefixes").text("Prefix", listing.text(prefix)).close("CommonPrefixes");
  }
}

}  // namespace mocks3::server
