#pragma once
#include <string_view>

#include "shared/proto/s3_op.hpp"

namespace mocks3 {

/// Where a request is aimed: the service ("/"), a bucket or an object.
enum class S3Scope : uint8_t { service, bucket, object };

/// The operation that a sub-resource (?acl, ?uploads, ...) selects.
struct SubresourceOp {
  S3Op op = S3Op::Unsupported;
  std::string_view name;  ///< S3's name of the operation
};

/// How S3 takes a query parameter's name. Names are case-sensitive.
enum class ParameterKind : uint8_t {
  subresource,  ///< selects an operation, at one of the scopes at least
  ordinary,     ///< qualifies an operation (prefix, versionId, ...), or is a mark of SDKs
  unknown,
};
ParameterKind parameter_kind(std::string_view name);

/// Whether the sub-resource exists at this scope with any method.
bool subresource_exists(S3Scope scope, std::string_view subresource);

/// The operation of `method` on a sub-resource; an empty name where S3 has none.
/// `with_id`: the query has "id", which tells Get... from List... of the configurations that a
/// bucket has many of (S3 API reference, "Amazon S3 actions").
SubresourceOp subresource_op(S3Scope scope, std::string_view method, std::string_view subresource,
                             bool with_id);

}  // namespace mocks3
