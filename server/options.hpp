#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "shared/util/result.hpp"

namespace mocks3::server {

using std::chrono::nanoseconds;

/// Everything that the command line, MOCK_S3_* variables and --config can set.
struct Options {
  size_t workers = 0;  ///< 0: one per core
  std::vector<std::string> bind = {"127.0.0.1", "::1"};
  uint16_t port = 8080;  ///< 0: any free port, the same on every address
  bool strict_buckets = false;
  std::vector<std::string> preload = {};  ///< each "bucket/key{00..31}:SIZE"
  std::vector<std::string> domains = {};  ///< base domains of virtual-host style
  std::string region = "us-east-1";
  uint64_t max_connections = 20000;
  nanoseconds header_timeout = std::chrono::seconds(30);
  nanoseconds idle_timeout = std::chrono::seconds(120);
  /// Bytes per second that a request body must make on average, after a grace of 30 s.
  uint64_t min_body_rate = 100;
  nanoseconds stats_interval = std::chrono::seconds(1);  ///< 0: no interval lines
  nanoseconds grace = std::chrono::seconds(5);
  std::string access_log = {};     ///< a file, "-" for standard output, empty for none
  std::string log_level = "info";  ///< error | info | debug
  std::string admin_token = {};
};

/// What main() is to do after reading the command line.
struct ParsedOptions {
  bool run = false;  ///< false: print `text` and leave with `exit_code`
  Options options;
  int exit_code = 0;  ///< 0 for --help and --version, 2 for a usage error
  std::string text;
};

/// `arguments` without the program's name. Reads MOCK_S3_* and the --config file too.
ParsedOptions parse_options(const std::vector<std::string>& arguments);

}  // namespace mocks3::server
