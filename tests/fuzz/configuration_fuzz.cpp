#include "shared/proto/s3_xml_configuration.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace mocks3;

namespace {

constexpr XmlRule kRules[] = {
    {.path = "Rule/Status", .values = "Enabled|Disabled", .required = false},
    {.path = "Rule/ID", .required = false, .generated = true}};

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  static_cast<void>(parse_create_bucket_tags(input));
  for (const std::string_view root : {"CORSConfiguration", "LifecycleConfiguration", "Tagging"}) {
    const auto document = read_configuration(input, root, kRules);
    if (!document) continue;
    const auto again = read_configuration(*document, root, kRules);
    fuzz::require(again && *again == *document, "what was read is kept as it is");
    static_cast<void>(parse_cors_rules(*document));
    const auto tags = parse_tagging(input), kept = parse_tagging(*document);
    fuzz::require(tags.ok() == kept.ok() && (!tags || *tags == *kept), "tags are kept");
  }
  return 0;
}
