#pragma once
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

#include "client/endpoint.hpp"

namespace mocks3::client {

/// A private mock-s3 on a free loopback port, as a child process. It ends with this object, and
/// with this process however that ends.
class LocalServer {
 public:
  /// Starts the mock-s3 beside this program (or on PATH) with `arguments` added, and waits until it
  /// is ready. Error: not found, or its own message where it does not come up.
  static Result<std::unique_ptr<LocalServer>> start(const std::vector<std::string>& arguments);
  ~LocalServer();

  const Endpoint& endpoint() const { return endpoint_; }
  pid_t pid() const { return pid_; }
  const std::vector<std::string>& command() const { return command_; }

 private:
  LocalServer() = default;
  Endpoint endpoint_;
  pid_t pid_ = -1;
  int output_fd_ = -1;
  std::vector<std::string> command_;
};

}  // namespace mocks3::client
