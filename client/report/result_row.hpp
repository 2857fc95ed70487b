#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "shared/util/histogram.hpp"
#include "shared/util/provenance.hpp"

namespace mocks3::client {

/// Median and spread of repeats. `low` and `high` are the distribution-free 95 % confidence
/// interval of the median where n >= 6, else the smallest and largest value.
struct Summary {
  double median = 0, low = 0, high = 0;
  size_t n = 0;
};

/// One measured cell: client x operation x threads x file set. One struct, one formatter per
/// output format.
struct ResultRow {
  std::string client;  ///< "native", "aws-cli", ...
  std::string client_version;
  std::string op;  ///< "put" or "get"
  size_t threads = 0;
  uint64_t files = 0;
  uint64_t file_size_bytes = 0;
  uint64_t bytes = 0;         ///< of one repeat
  double duration_s = 0;      ///< median wall time, tool start to end
  std::vector<double> rates;  ///< bytes per second of each repeat
  /// Of each repeat, in the order of `rates`; empty where only the medians are known.
  std::vector<double> durations_s, client_cpu_each_s, server_cpu_each_s;
  Summary rate_bytes_per_s;
  double ceiling_bytes_per_s = 0;            ///< 0: not measured (another host)
  double client_cpu_s = 0;                   ///< per repeat, median; whole process tree
  std::optional<double> server_cpu_s;        ///< absent where the server does not say
  uint64_t peak_rss_bytes = 0;               ///< of the client's process tree
  std::map<std::string, uint64_t> requests;  ///< by operation, of one repeat, the server's count
  bool failed = false;  ///< the client ended with an error: no figures; `valid` is false too
  bool valid = true;
  std::string why_invalid;
  std::string verdict;
  Histogram service_ns, ttfb_ns;     ///< native client only
  std::vector<std::string> command;  ///< argv of an external tool's first process
};

/// The raw TCP rate of this path in one direction, before and after the run; 0: not measured.
struct CeilingPair {
  std::string op;  ///< "put" or "get"
  size_t streams = 0;
  double before_bytes_per_s = 0, after_bytes_per_s = 0;

  double mean() const {
    if (after_bytes_per_s <= 0) return before_bytes_per_s;
    return (before_bytes_per_s + after_bytes_per_s) / 2;
  }
};

/// A second of a run.
struct Sample {
  double time_s = 0;          ///< since the run began
  std::string cell;           ///< "aws-cli put 4x16MiB threads=2 repeat=1"
  uint64_t client_bytes = 0;  ///< in this second; 0 for tools
  uint64_t server_bytes_in = 0, server_bytes_out = 0;
  double server_cpu_s = 0;
};

/// Everything a run leaves behind.
struct RunReport {
  std::string name;  ///< "sweep", "put", ...
  Provenance provenance;
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<ResultRow> rows;
  std::vector<CeilingPair> ceilings;
  std::vector<Sample> samples;
  std::vector<std::string> notes;  ///< warnings for the reader, one line each
  bool partial = false;            ///< interrupted
};

}  // namespace mocks3::client
