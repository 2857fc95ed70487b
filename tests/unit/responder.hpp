#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "client/endpoint.hpp"

namespace mocks3::client {

/// A request as the responder read it; the body is counted and thrown away unless it is small.
struct SeenRequest {
  size_t connection = 0;  ///< number of the connection, from 0
  std::string method, path, query;
  std::map<std::string, std::string> headers;  ///< names in lower case
  uint64_t body_bytes = 0;
  std::string body;  ///< its first 64 KiB
};

/// What to send back.
struct CannedReply {
  std::string bytes;
  bool close = false;        ///< afterwards
  size_t piece = SIZE_MAX;   ///< bytes of one send
  bool before_body = false;  ///< answer without reading the body; REQUIRES close
};

/// An HTTP server for tests on a loopback port, a blocking thread per connection, whose answers are
/// the test's business. Ends with the object.
class Responder {
 public:
  using Handler = std::function<CannedReply(const SeenRequest&)>;
  explicit Responder(Handler handler);
  ~Responder();

  Endpoint endpoint() const;
  std::vector<SeenRequest> requests() const;

 private:
  void accept_loop();
  void serve(int fd, size_t number);

  Handler handler_;
  int listener_ = -1;
  uint16_t port_ = 0;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;
  std::vector<int> fds_;
  std::vector<SeenRequest> requests_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

/// "HTTP/1.1 200 OK" with these header lines (each ended by CRLF), Content-Length and body.
std::string http_reply(const std::string& status, const std::string& headers,
                       const std::string& body);

/// Behaves like S3 for one bucket of objects of `object_size` bytes.
CannedReply act_as_s3(const SeenRequest& request, uint64_t object_size);

}  // namespace mocks3::client
