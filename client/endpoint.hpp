#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "shared/proto/sigv4.hpp"
#include "shared/util/result.hpp"

namespace mocks3::client {

/// Where an S3 server is and how to sign for it.
struct Endpoint {
  std::string host;  ///< name or address; an IPv6 literal without brackets
  uint16_t port = 80;
  std::string region = "us-east-1";
  Credentials credentials;  ///< an empty access key: requests are not signed

  std::string authority() const;  ///< as in the Host header
  std::string url() const;        ///< "http://host:port"
};

/// From "http://host[:port]"; credentials and region from AWS_ACCESS_KEY_ID,
/// AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION or AWS_DEFAULT_REGION; without keys in the
/// environment the dummy pair "mock-s3"/"mock-s3" is used, since every tool wants one.
/// Error: not such a URL, https (not supported), a path behind the host.
Result<Endpoint> parse_endpoint(std::string_view url);

/// Whether the host is this machine's loopback by name or address: then a raw socket pair over
/// loopback is the ceiling of the path.
bool is_loopback(const Endpoint& endpoint);

}  // namespace mocks3::client
