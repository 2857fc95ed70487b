#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "server/options.hpp"
#include "shared/util/result.hpp"

namespace mocks3::server {

class Metrics;

/// A running mock-s3: its store, worker threads and listening sockets. Tests run it in their own
/// process.
class Server {
 public:
  /// Preloads, listens and starts the threads. Error: an address that cannot be listened on, a bad
  /// preload spec, a log that cannot be opened.
  static Result<std::unique_ptr<Server>> start(const Options& options);
  ~Server();

  uint16_t port() const;
  /// "http://127.0.0.1:8080", "http://[::1]:8080".
  std::vector<std::string> urls() const;
  Metrics& metrics();

  /// Stops accepting, lets requests in flight finish within the grace time, cuts the rest, joins
  /// the threads. Further calls do nothing.
  void stop();

 private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace mocks3::server
