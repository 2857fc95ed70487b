#include <algorithm>

#include "shared/proto/s3_xml.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace mocks3;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  static_cast<void>(parse_create_bucket(input));
  const auto parts = parse_complete_multipart(input);
  fuzz::require(!parts || (!parts->empty() && parts->front().number > 0), "parts are numbered");

  const auto request = parse_delete_objects(input);
  if (!request) return 0;
  // What was understood, written by our own hand, is understood as the same.
  XmlWriter xml("Delete");
  xml.boolean("Quiet", request->quiet);
  for (const auto& object : request->objects) {
    xml.open("Object").text("Key", object.key).close("Object");
  }
  const auto again = parse_delete_objects(std::move(xml).finish());
  const auto same_key = [](const auto& a, const auto& b) { return a.key == b.key; };
  fuzz::require(again && std::equal(again->objects.begin(), again->objects.end(),
                                    request->objects.begin(), request->objects.end(), same_key),
                "keys survive writing and reading");
  fuzz::require(again->quiet == request->quiet, "so does the quiet mode");
  return 0;
}
