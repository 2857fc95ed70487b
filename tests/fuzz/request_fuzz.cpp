#include <string>
#include <vector>

#include "shared/net/http_head.hpp"
#include "shared/proto/body_decoder.hpp"
#include "shared/proto/range.hpp"
#include "shared/proto/s3_op.hpp"
#include "shared/proto/utf8.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace mocks3;

namespace {

void check_request(const RequestHead& head) {
  static const std::vector<std::string> kDomains = {"mock.test"};
  const auto request = parse_s3_request(head, kDomains);
  if (!request) {
    error_xml(request.error(), head.target, "id");
    return;
  }
  const bool admin = request->op == S3Op::Admin;
  fuzz::require(admin || (request->key.size() <= 1024 && valid_utf8(request->key)), "key rules");
  fuzz::require(request->part_number <= kMaxPartNumber, "part numbers are bounded");
}

void check_ranges(const RequestHead& head) {
  for (const uint64_t size : {uint64_t{0}, uint64_t{1}, uint64_t{600}, UINT64_MAX}) {
    const auto range = resolve_range(head.header("range"), size);
    fuzz::require(!range || range->length <= size - range->offset, "a range is inside the object");
    const auto copied = resolve_copy_range(head.header("x-amz-copy-source-range"), size);
    fuzz::require(!copied || copied->length <= size - copied->offset, "so is a copied one");
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  RequestHead head;
  const HeadResult parsed =
      parse_request_head(std::span<const char>(input.data(), input.size()), head);
  if (parsed.status != HeadStatus::complete) return 0;
  fuzz::require(parsed.head_bytes <= size, "the head is within the input");
  check_request(head);
  check_ranges(head);
  static_cast<void>(BodyFraming::of(head));
  static_cast<void>(parse_copy_source(head.header("x-amz-copy-source")));
  return 0;
}
