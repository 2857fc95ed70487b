#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "shared/proto/s3_error.hpp"
#include "shared/proto/s3_xml_configuration.hpp"

namespace mocks3::server {

inline constexpr size_t kMaxObjectTags = 10;
inline constexpr size_t kMaxBucketTags = 50;

/// S3's rules for a set of tags: BadRequest where there are more than `most`, InvalidTag for keys
/// that are empty, over 128 characters, reserved ("aws:") or given twice, and for values over 256.
std::optional<S3Error> check_tags(const Tags& tags, size_t most);

/// The value of an x-amz-tagging header ("a=1&b=2") that says the same.
std::string tagging_header_of(const Tags& tags);

/// <Tagging> as the tagging operations answer it.
std::string tagging_xml(const Tags& tags);

}  // namespace mocks3::server
