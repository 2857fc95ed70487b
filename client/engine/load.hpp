#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client/ceiling.hpp"
#include "client/endpoint.hpp"
#include "shared/util/histogram.hpp"

namespace mocks3::client {

struct ObjectTask {
  std::string key;
  uint64_t size = 0;
};

/// Work for the native client: the objects once each, or round and round until a limit.
struct LoadSpec {
  Direction op = Direction::put;
  Endpoint endpoint;
  std::string bucket;
  std::vector<ObjectTask> objects;  ///< in order
  size_t threads = 1;
  size_t concurrency = 1;            ///< connections per thread, one request at a time on each
  uint64_t part_size = 64ULL << 20;  ///< larger objects go as multipart or ranged requests
  /// First reached wins; none set: every object once. With a limit the objects are begun in order,
  /// round and round. No request is begun after `duration`; an object is begun while fewer than
  /// `max_bytes` were.
  std::optional<std::chrono::nanoseconds> duration;
  std::optional<uint64_t> max_objects;
  std::optional<uint64_t> max_bytes;
  std::chrono::milliseconds patience{60'000};  ///< without progress, then a request has failed
};

struct LoadResult {
  uint64_t bytes = 0;                        ///< payload of operations that succeeded
  uint64_t objects = 0;                      ///< whole objects
  double seconds = 0;                        ///< first request begun to last one ended
  double cpu_seconds = 0;                    ///< of the load threads
  std::map<std::string, uint64_t> requests;  ///< sent, by S3 operation name
  std::map<std::string, uint64_t>
      errors;               ///< by class: "connect", "timeout", "reset", "503 SlowDown"
  std::string first_error;  ///< for a person; empty where there was none
  Histogram service_ns;     ///< request begun to response read, per request
  Histogram ttfb_ns;        ///< request begun to first response byte
  std::string gave_up;      ///< why the run ended early after many failures in a row; else empty
  bool interrupted = false;
};

/// Live payload bytes, for progress and per-second samples; may be read while run_load() runs.
/// At most 20 ms old.
struct LoadProgress {
  std::atomic<uint64_t> bytes{0};
};

/// Runs the work and waits for its end. Stops early on interrupted(). Failed requests are counted
/// and not retried; the run goes on until 100 in a row have failed. Multipart uploads that were not
/// completed are aborted. A PUT makes the bucket where it is missing. The clock starts when all
/// connections are open.
/// Error: the endpoint cannot be reached or resolved, the bucket cannot be made, or the work cannot
/// be done (over 10,000 parts).
Result<LoadResult> run_load(const LoadSpec& spec, LoadProgress& progress);

/// Deletes the objects (1000 a request). Error: the first failure.
Status delete_objects(const Endpoint& endpoint, const std::string& bucket,
                      const std::vector<std::string>& keys);

}  // namespace mocks3::client
