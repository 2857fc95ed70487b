#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "server/metrics.hpp"
#include "server/options.hpp"

namespace mocks3::server {

/// What the server prints about itself. Each function gives finished text; main() prints.
/// Rates of bytes are of payload, without framing and headers.
class IntervalReport {
 public:
  explicit IntervalReport(const Metrics& metrics);

  /// The line for the time since the last call (or the start); empty where nothing happened.
  std::string next_line();
  /// Totals since the start.
  std::string totals() const;

 private:
  const Metrics& metrics_;
  Metrics::Totals last_;
  uint64_t last_ns_ = 0;
  bool header_printed_ = false;
};

/// "mock-s3 v1, 4 workers, ...": where it listens, who can reach it, how to point a tool at it.
std::string banner(const Options& options, size_t workers, const std::vector<std::string>& urls);

}  // namespace mocks3::server
