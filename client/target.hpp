#pragma once
#include <memory>
#include <string>
#include <vector>

#include "client/local_server.hpp"
#include "client/options.hpp"
#include "client/report/result_row.hpp"
#include "client/server_stats.hpp"

namespace mocks3::client {

/// The server that a run measures: a private one, or one that somebody else runs.
struct Target {
  Endpoint endpoint;
  std::unique_ptr<LocalServer> server;  ///< null where it is somebody else's
  std::optional<ServerStats> stats;     ///< when the run began; nothing: it is not a mock-s3

  /// For settings of the report: endpoint, server version, its command.
  std::vector<std::pair<std::string, std::string>> settings() const;
  /// Which figures come from where, for the reader.
  std::vector<std::string> notes() const;
};

/// Starts the private server with `arguments`, or reaches the options' endpoint.
/// Error: it does not start, or cannot be reached.
Result<Target> open_target(const Options& options, const std::vector<std::string>& arguments);

/// "s3-bench-" and 16 random digits: like no key that someone else has.
std::string random_prefix();

}  // namespace mocks3::client
