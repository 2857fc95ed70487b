#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/list_page.hpp"
#include "shared/proto/s3_error.hpp"
#include "shared/proto/s3_xml.hpp"
#include "shared/proto/uri.hpp"

namespace mocks3::server {

/// What ListObjects of either version, ListObjectVersions and ListMultipartUploads have in common.
struct Listing {
  bool url_encoded = false;
  ListQuery query;

  /// `value` as it stands in the answer.
  std::string text(std::string_view value) const;
  /// Starts the page behind a marker of the versions that have no token. One that stands in a
  /// common prefix of this listing ended a page there: all below that prefix has been listed.
  void start_behind(std::string_view marker);
};

/// Reads prefix, delimiter and the size of the page, at most 1000. Error: InvalidArgument.
S3Result<Listing> read_listing(const Query& query, std::string_view size_parameter);
/// Reads encoding-type. Error: InvalidArgument where it is not "url".
std::optional<S3Error> read_encoding(const Query& query, Listing& listing);

/// Adds <Delimiter>, where there is one.
void append_delimiter(XmlWriter& xml, const Listing& listing);
/// Adds <EncodingType>, where one was asked for, and <IsTruncated>.
void append_state(XmlWriter& xml, const Listing& listing, bool truncated);
void append_common_prefixes(XmlWriter& xml, const Listing& listing,
                            const std::vector<std::string>& prefixes);

}  // namespace mocks3::server
