#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "client/engine/load.hpp"
#include "client/options.hpp"

namespace mocks3::client {

/// What `put` or `get` is to do, with all that the options leave open filled in.
struct LoadPlan {
  LoadSpec spec;  ///< but for the endpoint
  std::string prefix;
  size_t repeats = 1;
  std::chrono::milliseconds warm_up{};
  std::chrono::milliseconds ceiling_time{};

  bool is_put() const { return spec.op == Direction::put; }
  const char* op_name() const { return is_put() ? "put" : "get"; }
  size_t connections() const { return spec.threads * spec.concurrency; }
  /// Streams of the ceiling: one for each connection, 64 at most.
  size_t streams() const;
  std::string limits() const;  ///< "10 s", "100 objects or 1 GiB"
  /// "put 256MiB threads=2 concurrency=1"
  std::string label() const;
  /// The same spec for a short run before the measured ones.
  LoadSpec warm_up_spec() const;
  /// The value of mock-s3's --preload that registers all objects.
  std::string preload() const;
  std::vector<std::string> keys() const;
};

/// Without a limit: 10 s, quick 2 s. Objects are reused round and round over a modest number of
/// keys below `prefix`: 2 for each connection, at least 32, but no more than --objects; where
/// they have to be uploaded before a download (`own_objects` false) one for each connection.
LoadPlan make_load_plan(const Options& options, const std::string& prefix, bool own_objects);

}  // namespace mocks3::client
