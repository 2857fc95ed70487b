#include "server/describe_request.hpp"

#include <string>

#include "shared/util/encode.hpp"

namespace mocks3::server {

namespace {

/// Names of checksum headers and of the declared trailer, separated by commas.
std::string checksum_names(const RequestHead& head) {
  std::string names;
  const auto add = [&names](std::string_view name) {
    if (!names.empty()) names += ',';
    names += to_lower(name);
  };
  for (const HeaderView& field : head.headers) {
    if (iequals(field.name, "x-amz-trailer")) add(field.value);
    if (istarts_with(field.name, "x-amz-checksum-") &&
        !iequals(field.name, "x-amz-checksum-mode") &&
        !iequals(field.name, "x-amz-checksum-algorithm") &&
        !iequals(field.name, "x-amz-checksum-type"))
      add(field.name);
  }
  return names;
}

}  // namespace

std::string_view framing_name(const BodyFraming& framing) {
  if (framing.http_chunked) return framing.aws_chunked ? "chunked+aws-chunked" : "chunked";
  if (!framing.has_body()) return "";
  return framing.aws_chunked ? "aws-chunked" : "identity";
}

void describe_request(const RequestHead& head, const S3Request& request, RequestRecord& record) {
  record.op = request.op;
  record.bucket = request.bucket;
  record.key = request.key;
  record.range = head.header("range");
  record.upload_id = request.query.get("uploadId");
  record.content_sha256 = head.header("x-amz-content-sha256");
  record.checksums = checksum_names(head);
  record.content_md5 = head.has_header("content-md5");
  record.expect_continue = head.expect_continue;
  record.part_number = request.part_number;
}

}  // namespace mocks3::server
