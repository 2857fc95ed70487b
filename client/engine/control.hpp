#pragma once
#include <string>
#include <vector>

#include "client/engine/request.hpp"
#include "client/http_call.hpp"

namespace mocks3::client {

/// Requests beside the load, blocking, one connection each; at most 60 s.

/// Any S3 request with a small body. Error: no complete answer.
Result<HttpAnswer> s3_call(const Endpoint& endpoint, const std::string& bucket, RequestSpec spec,
                           const std::string& body = {});

/// Makes the bucket where it is missing. A server that does not let us look is not asked again:
/// the load itself will show. Error: unreachable, or the bucket was refused.
Status ensure_bucket(const Endpoint& endpoint, const std::string& bucket);

Status abort_upload(const Endpoint& endpoint, const std::string& bucket, const std::string& key,
                    const std::string& upload_id);

}  // namespace mocks3::client
