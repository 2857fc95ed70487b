#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "server/bucket_configurations.hpp"
#include "shared/proto/s3_error.hpp"
#include "shared/proto/s3_op.hpp"
#include "shared/proto/s3_xml_configuration.hpp"

namespace mocks3::server {

/// Where S3 has no such operation.
inline constexpr S3Op kNoOperation = S3Op::Unsupported;

/// What one kind of bucket configuration is, all that the handlers know of it.
struct ConfigurationKind {
  /// A check beyond the schema of a document that was read; `kept` are the bucket's others.
  using Check = std::optional<S3Error> (*)(const std::string& document,
                                           const BucketConfigurations& kept);

  std::string_view name;  ///< of the sub-resource; kept under it, or NAME/ID where there are many
  std::string_view root;  ///< of the XML; empty for the policy, which is JSON
  S3Op get, put, del;
  S3Op list = kNoOperation;  ///< of a kind that a bucket may have many of, told apart by ?id
  std::string_view list_root = {};
  const char* initial = nullptr;  ///< inside of the root in a new bucket; null: there is none
  S3Code missing = S3Code::NoSuchConfiguration;  ///< where there is none
  std::span<const XmlRule> rules = {};
  Check check = nullptr;
  /// A header that goes with the document, and its value where PUT has none.
  std::string_view header = {}, header_value = {};
};

/// The kind that an operation is about; null where it is about none.
const ConfigurationKind* find_configuration_kind(S3Op op);

}  // namespace mocks3::server
