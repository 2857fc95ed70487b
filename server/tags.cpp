#include "server/tags.hpp"

#include <algorithm>
#include <set>

#include "shared/proto/s3_xml.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::server {
namespace {

constexpr size_t kMaxKeyCharacters = 128;
constexpr size_t kMaxValueCharacters = 256;
constexpr std::string_view kReserved = "aws:";

/// Of UTF-8.
size_t characters(std::string_view text) {
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), begins));
}

S3Error invalid_tag(std::string message, std::string_view key) {
  S3Error error(S3Code::InvalidTag, std::move(message));
  error.details = {{"TagKey", std::string(key)}};
  return error;
}

}  // namespace

std::optional<S3Error> check_tags(const Tags& tags, size_t most) {
  if (tags.size() > most) {
    const std::string_view what = most == kMaxObjectTags ? "Object tags" : "Bucket tag count";
    return S3Error(S3Code::BadRequest,
                   std::string(what) + " cannot be greater than " + std::to_string(most));
  }
  std::set<std::string_view> seen;
  for (const auto& [key, value] : tags) {
    if (key.empty() || characters(key) > kMaxKeyCharacters) {
      return invalid_tag("The TagKey you have provided is invalid", key);
    }
    if (characters(value) > kMaxValueCharacters) {
      return invalid_tag("The TagValue you have provided is invalid", key);
    }
    if (istarts_with(key, kReserved)) {
      return invalid_tag("System tags cannot be added/updated by requester", key);
    }
    if (!seen.insert(key).second) {
      return invalid_tag("Cannot provide multiple Tags with the same key", key);
    }
  }
  return std::nullopt;
}

std::string tagging_header_of(const Tags& tags) {
  std::string text;
  for (const auto& [key, value] : tags) {
    if (!text.empty()) text += '&';
    text.append(percent_encode(key)).append("=").append(percent_encode(value));
  }
  return text;
}

std::string tagging_xml(const Tags& tags) {
  XmlWriter xml("Tagging");
  xml.open("TagSet");
  for (const auto& [key, value] : tags) {
    xml.open("Tag").text("Key", key).text("Value", value).close("Tag");
  }
  xml.close("TagSet");
  return std::move(xml).finish();
}

}  // namespace mocks3::server
