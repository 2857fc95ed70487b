#pragma once
#include <span>
#include <string>
#include <string_view>

namespace mocks3 {

/// The bucket that a Host header names (S3 API reference, "Virtual hosting of buckets"), in lower
/// case; empty where the request is path style: a bare domain, an S3 endpoint of it
/// (s3.<domain>, s3.<region>.<domain>, s3.dualstack.<region>.<domain>), an IP address or a host
/// outside of `domains`. The longest matching domain counts; "localhost" is always one.
std::string bucket_of_host(std::string_view host, std::span<const std::string> domains);

}  // namespace mocks3
