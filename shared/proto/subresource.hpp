#pragma once
#include <optional>
#include <string_view>

#include "shared/proto/s3_op.hpp"

namespace mocks3 {

/// Where a request is aimed: the service ("/"), a bucket or an object.
enum class S3Scope : uint8_t { service, bucket, object };

/// How S3 takes a query parameter's name. Names are case-sensitive.
enum class ParameterKind : uint8_t {
  subresource,  ///< selects an operation, at one of the scopes at least
  ordinary,     ///< qualifies an operation (prefix, versionId, ...), or is a mark of SDKs
  unknown,
};
ParameterKind parameter_kind(std::string_view name);

/// Whether the sub-resource exists at this scope with any method.
bool subresource_exists(S3Scope scope, std::string_view subresource);

/// The operation of `method` on a sub-resource; nothing where S3 has none. `selects_one`: the query
/// names one of those that there may be many of (?inventory&id=x), else they are listed.
std::optional<S3Op> subresource_op(S3Scope scope, std::string_view method,
                                   std::string_view subresource, bool selects_one);

}  // namespace mocks3
