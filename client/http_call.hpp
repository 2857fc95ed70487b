#pragma once
#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client/endpoint.hpp"

namespace mocks3::client {

/// A resolved TCP address.
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t length = 0;
};

/// The first address of the endpoint's host that accepts a connection. Blocking; `most` for each
/// address. Error: the name is unknown, or nothing answers there.
Result<SocketAddress> reachable_address(const Endpoint& endpoint, std::chrono::milliseconds most);

struct HttpAnswer {
  unsigned status = 0;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;

  std::string_view header(std::string_view name) const;
};

/// One small request on a connection of its own: the bytes are sent, the whole answer is read (at
/// most 64 MiB), and the connection is closed. Blocking, at most `most` in all. `no_body`: the
/// answer has none whatever its headers say (HEAD).
/// Error: not reachable, no complete answer in time, or not HTTP.
Result<HttpAnswer> http_call(const Endpoint& endpoint, std::string_view request_bytes,
                             std::chrono::milliseconds most, bool no_body = false);

}  // namespace mocks3::client
