#pragma once
#include <sys/socket.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "server/worker.hpp"
#include "shared/util/result.hpp"

namespace mocks3::server {

/// A listening socket.
struct ListenSocket {
  int fd = -1;
  uint16_t port = 0;
  std::string url;  ///< "http://127.0.0.1:8080"
};

/// Binds every address at one port. Port 0: any port that is free on all of them. With
/// `skip_missing_families` an address of a family that this machine lacks is left out. Error: an
/// address that is none, or that cannot be bound.
Result<std::vector<ListenSocket>> listen_on(const std::vector<std::string>& addresses,
                                            uint16_t port, bool skip_missing_families);

/// Accepts on all sockets and places each connection on the worker with the fewest live ones. Runs
/// on the context it was given.
class Listener {
 public:
  Listener(boost::asio::io_context& context, const std::vector<ListenSocket>& sockets,
           std::vector<std::unique_ptr<Worker>>& workers, Metrics& metrics,
           uint64_t max_connections);
  /// Starts accepting.
  void start();
  /// Closes the sockets. REQUIRES the context's thread, or that it has ended.
  void stop();

 private:
  using Descriptor = boost::asio::posix::stream_descriptor;
  void wait(size_t index);
  void accept_ready(size_t index);
  void take(int fd);
  void refuse(int fd);
  Worker& least_loaded();

  std::vector<Descriptor> sockets_;
  std::vector<std::unique_ptr<Worker>>& workers_;
  Metrics& metrics_;
  const uint64_t max_connections_;
  boost::asio::steady_timer retry_;
  uint64_t next_id_ = 1;
  size_t next_worker_ = 0;
};

}  // namespace mocks3::server
