#pragma once
#include <string_view>

#include "server/metrics.hpp"
#include "shared/proto/body_decoder.hpp"
#include "shared/proto/request_head.hpp"
#include "shared/proto/s3_op.hpp"

namespace mocks3::server {

/// How a body is framed, as /_mock/requests names it; empty where there is none.
std::string_view framing_name(const BodyFraming& framing);

/// Fills in what the record says of the request itself: operation, address, range, checksum
/// headers.
void describe_request(const RequestHead& head, const S3Request& request, RequestRecord& record);

}  // namespace mocks3::server
