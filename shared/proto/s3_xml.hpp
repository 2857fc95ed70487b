#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/proto/s3_error.hpp"
#include "shared/util/time_text.hpp"

namespace mocks3 {

/// Appends well-formed XML to a string. The document starts with the declaration at byte 0.
/// Text is escaped; control characters that XML 1.0 forbids become U+FFFD.
class XmlWriter {
 public:
  /// Opens the document: declaration and the root with S3's namespace.
  explicit XmlWriter(std::string_view root, bool with_namespace = true);
  XmlWriter& open(std::string_view name);
  XmlWriter& close(std::string_view name);
  XmlWriter& text(std::string_view name, std::string_view value);
  XmlWriter& number(std::string_view name, uint64_t value);
  XmlWriter& boolean(std::string_view name, bool value);
  /// Closes the root and gives the document up.
  std::string finish() &&;

 private:
  std::string root_;
  std::string out_;
};
void append_xml_escaped(std::string& out, std::string_view text);

struct CompletedPart {
  uint32_t number = 0;
  std::string etag;  ///< without quotes, whatever the spelling sent
};
/// Body of CompleteMultipartUpload, with or without namespace, elements in any order, others than
/// PartNumber and ETag ignored. Parts come in the order sent, which the store judges.
/// Errors: MalformedXML (also an empty list, over 10,000 parts, a part without ETag),
/// InvalidArgument (a number outside 1..10000).
S3Result<std::vector<CompletedPart>> parse_complete_multipart(std::string_view xml);

struct DeleteRequest {
  struct Object {
    std::string key;                     ///< exact: white space and entities as meant by the sender
    std::string version_id;              ///< empty where there is none
    std::string etag;                    ///< condition, as sent; empty where there is none
    std::optional<UnixMillis> modified;  ///< condition
    std::optional<uint64_t> size;        ///< condition
  };
  bool quiet = false;
  std::vector<Object> objects;
};
/// Body of DeleteObjects, with or without namespace. Error: MalformedXML (also no key, an empty
/// key, over 1000, or a condition that cannot be read).
S3Result<DeleteRequest> parse_delete_objects(std::string_view xml);

/// LocationConstraint of a CreateBucketConfiguration; empty where the body is or it has none.
/// Error: MalformedXML.
S3Result<std::string> parse_create_bucket(std::string_view xml);

}  // namespace mocks3
