#pragma once
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/proto/s3_error.hpp"

namespace mocks3 {

/// What S3's schema demands of elements below the root of a configuration.
struct XmlRule {
  std::string_view path;         ///< "Rule/Status": in each Rule
  std::string_view values = {};  ///< "Enabled|Suspended"; empty: anything
  bool required = true;          ///< at least one in each parent that is there
  bool generated = false;        ///< a parent without one is given a unique text of S3's own
  size_t most = std::numeric_limits<size_t>::max();  ///< in each parent
};

/// A configuration as it is kept and sent back: well-formed, with declaration and S3's namespace
/// and what is generated, else as it came. Error: MalformedXML, also where the root has another
/// name or a rule is broken.
S3Result<std::string> read_configuration(std::string_view xml, std::string_view root,
                                         std::span<const XmlRule> rules);
/// The same document without its declaration, to stand in another.
std::string_view without_declaration(std::string_view configuration);

/// Texts of all elements at a path below the root of a configuration that was read.
std::vector<std::string> texts_at(std::string_view configuration, std::string_view path);

using Tags = std::vector<std::pair<std::string, std::string>>;
/// Keys and values of a <Tagging>, in order. Error: MalformedXML.
S3Result<Tags> parse_tagging(std::string_view xml);

/// Those of a CreateBucketConfiguration, which need not have any. Error: MalformedXML.
S3Result<Tags> parse_create_bucket_tags(std::string_view xml);

/// One rule of a CORSConfiguration.
struct CorsRule {
  std::vector<std::string> origins, methods, headers, exposed;
  std::optional<std::string> max_age_seconds;
};
/// Of a configuration that was read: no rules where it cannot be.
std::vector<CorsRule> parse_cors_rules(std::string_view configuration);

}  // namespace mocks3
