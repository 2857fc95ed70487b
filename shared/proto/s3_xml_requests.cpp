#include <algorithm>

#include "shared/proto/s3_op.hpp"
#include "shared/proto/s3_xml.hpp"
#include "shared/proto/xml_reader.hpp"
#include "shared/util/encode.hpp"
#include "shared/util/units.hpp"

namespace mocks3 {
namespace {

constexpr size_t kMaxParts = 10'000;
constexpr size_t kMaxDeletes = 1000;

S3Error malformed() { return S3Error(S3Code::MalformedXML); }

S3Error bad_part_number(std::string_view text) {
  S3Error error(S3Code::InvalidArgument,
                "PartNumber must be an integer between 1 and 10000, inclusive");
  error.details = {{"ArgumentName", "partNumber"}, {"ArgumentValue", std::string(text)}};
  return error;
}

/// MalformedXML where no integer stands in `text`.
S3Result<uint32_t> parse_part_number(std::string_view text) {
  text = trim(text);
  const bool negative = text.starts_with('-');
  std::string_view digits = text.substr(negative ? 1 : 0);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) return malformed();
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  uint32_t number = 0;
  for (const char c : digits.substr(0, 6)) number = number * 10 + static_cast<uint32_t>(c - '0');
  if (negative || number < 1 || number > kMaxPartNumber) return bad_part_number(text);
  return number;
}

/// `"x"` -> `x`, as the entity tag of a part is compared.
std::string without_quotes(std::string_view etag) {
  etag = trim(etag);
  if (etag.starts_with('"')) etag.remove_prefix(1);
  if (etag.ends_with('"')) etag.remove_suffix(1);
  return std::string(etag);
}

S3Result<CompletedPart> read_part(const pugi::xml_node& node) {
  const auto number_text = exact_text(child_named(node, "PartNumber"));
  const auto etag = exact_text(child_named(node, "ETag"));
  if (!number_text || !etag) return malformed();
  const S3Result<uint32_t> number = parse_part_number(*number_text);
  if (!number) return number.error();
  return CompletedPart{*number, without_quotes(*etag)};
}

/// xs:boolean; nothing where it is none.
std::optional<bool> parse_boolean(std::string_view text) {
  text = trim(text);
  if (iequals(text, "true") || text == "1") return true;
  if (iequals(text, "false") || text == "0") return false;
  return std::nullopt;
}

/// Text of a child, trimmed; empty where there is none.
std::string trimmed_text(const pugi::xml_node& node, const char* name) {
  const auto text = exact_text(child_named(node, name));
  return std::string(trim(text ? std::string_view(*text) : ""));
}

/// Adds an <Object>; false where it names no key, or has a condition that cannot be read.
bool read_object(const pugi::xml_node& node, DeleteRequest& request) {
  auto key = exact_text(child_named(node, "Key"));
  if (!key || key->empty() || request.objects.size() == kMaxDeletes) return false;
  DeleteRequest::Object object{
      std::move(*key), trimmed_text(node, "VersionId"), trimmed_text(node, "ETag"), {}, {}};
  if (const std::string date = trimmed_text(node, "LastModifiedTime"); !date.empty()) {
    object.modified = parse_http_date(date);
    if (!object.modified) return false;
  }
  if (const std::string text = trimmed_text(node, "Size"); !text.empty()) {
    const Result<uint64_t> size = parse_uint(text);
    if (!size) return false;
    object.size = *size;
  }
  request.objects.push_back(std::move(object));
  return true;
}

bool read_quiet(const pugi::xml_node& node, DeleteRequest& request) {
  const auto text = exact_text(node);
  const auto quiet = text ? parse_boolean(*text) : std::nullopt;
  request.quiet = quiet.value_or(false);
  return quiet.has_value();
}

}  // namespace

S3Result<std::vector<CompletedPart>> parse_complete_multipart(std::string_view xml) {
  pugi::xml_document document;
  const pugi::xml_node root = parse_xml(document, xml, "CompleteMultipartUpload");
  std::vector<CompletedPart> parts;
  for (const pugi::xml_node node : root.children()) {
    if (node.type() != pugi::node_element || local_name(node) != "Part") continue;
    if (parts.size() == kMaxParts) return malformed();
    S3Result<CompletedPart> part = read_part(node);
    if (!part) return part.error();
    parts.push_back(*std::move(part));
  }
  if (parts.empty()) return malformed();
  return parts;
}

S3Result<DeleteRequest> parse_delete_objects(std::string_view xml) {
  pugi::xml_document document;
  const pugi::xml_node root = parse_xml(document, xml, "Delete");
  DeleteRequest request;
  for (const pugi::xml_node node : root.children()) {
    if (node.type() != pugi::node_element) continue;
    if (local_name(node) == "Object" && !read_object(node, request)) return malformed();
    if (local_name(node) == "Quiet" && !read_quiet(node, request)) return malformed();
  }
  if (request.objects.empty()) return malformed();
  return request;
}

S3Result<std::string> parse_create_bucket(std::string_view xml) {
  if (trim(xml).empty()) return std::string();
  pugi::xml_document document;
  const pugi::xml_node root = parse_xml(document, xml, "CreateBucketConfiguration");
  if (!root) return malformed();
  const pugi::xml_node constraint = child_named(root, "LocationConstraint");
  if (!constraint) return std::string();
  const auto text = exact_text(constraint);
  if (!text) return malformed();
  return std::string(trim(*text));
}

}  // namespace mocks3
