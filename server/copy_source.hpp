#pragma once
#include <string>

#include "server/handlers.hpp"
#include "server/store.hpp"
#include "shared/proto/s3_error.hpp"

namespace mocks3::server {

/// The object that x-amz-copy-source names, found and allowed by x-amz-copy-source-if-*.
struct SourceObject {
  std::string bucket, key;
  ObjectRecord object;
};
/// Errors: those of parse_copy_source and version_error, NoSuchBucket, NoSuchKey,
/// PreconditionFailed.
S3Result<SourceObject> find_copy_source(const HandlerContext& server,
                                        const RequestContext& request);
/// For a copy of more than kMaxSingleUpload bytes.
S3Error source_too_large();

}  // namespace mocks3::server
