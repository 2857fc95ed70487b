#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/endpoint.hpp"

namespace mocks3::client {

/// What /_mock/stats says (docs/admin-api.md).
struct ServerStats {
  std::string version;
  double uptime_s = 0;
  double cpu_s = 0;
  std::vector<double> worker_cpu_s;
  uint64_t bytes_in = 0, bytes_out = 0;            ///< live payload bytes
  std::map<std::string, uint64_t> requests;        ///< by operation, errors included
  uint64_t good_bytes_in = 0, good_bytes_out = 0;  ///< of requests that succeeded
  uint64_t errors = 0;
};

/// Fields that are missing or of another type keep their default. Nothing where `json` is not the
/// page of a mock-s3: no object with a version and operations.
std::optional<ServerStats> parse_server_stats(std::string_view json);

/// Blocking, at most 5 s. Nothing where the server has no such page (it is not a mock-s3).
/// Error: it cannot be reached.
Result<std::optional<ServerStats>> fetch_server_stats(const Endpoint& endpoint);

/// The server's own clock now, for fetch_server_errors(); nothing where there is no such page.
std::optional<uint64_t> fetch_server_now_ns(const Endpoint& endpoint);

/// A failed request as the server saw it, one line: "PutObject b/k: 503 SlowDown".
/// Those that started after `since_ns` on the server's clock; empty where there is no such page.
std::vector<std::string> fetch_server_errors(const Endpoint& endpoint, uint64_t since_ns,
                                             size_t most);
/// The lines of a /_mock/requests page.
std::vector<std::string> parse_server_errors(std::string_view json, size_t most);

}  // namespace mocks3::client
