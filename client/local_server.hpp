#pragma once
#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "client/child.hpp"
#include "client/endpoint.hpp"

namespace mocks3::client {

/// A private mock-s3 on a free loopback port, as a child process. It ends with this object, and
/// with this process however that ends. Start it from the main thread.
class LocalServer {
 public:
  /// Starts the mock-s3 beside this program (or on PATH) with `arguments` added, and waits until it
  /// is ready. Error: not found, or its own message where it does not come up.
  static Result<std::unique_ptr<LocalServer>> start(const std::vector<std::string>& arguments);

  const Endpoint& endpoint() const { return endpoint_; }
  pid_t pid() const { return child_->pid(); }
  const std::vector<std::string>& command() const { return command_; }
  /// That it ended, and its last words; empty while it lives.
  std::string obituary() const;

 private:
  LocalServer() = default;
  Endpoint endpoint_;
  std::unique_ptr<ChildProcess> child_;
  std::vector<std::string> command_;
};

/// The "http://127.0.0.1:PORT" in a server's banner; empty while there is none.
std::string url_in_banner(const std::string& output);

}  // namespace mocks3::client
