#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/options.hpp"
#include "server/server.hpp"

namespace mocks3::test {

/// By how much tests move less data: sanitizers make traffic many times as slow.
#if defined(__SANITIZE_THREAD__)
inline constexpr uint64_t kSlowdown = 8;
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr uint64_t kSlowdown = 4;
#else
inline constexpr uint64_t kSlowdown = 1;
#endif

/// One answer as it came over the wire.
struct Response {
  unsigned status = 0;                         ///< 0: none came
  std::string head;                            ///< raw, status line and blank line included
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::string body;
  bool complete = false;  ///< head and the whole body came

  bool has(const std::string& name) const { return headers.count(name) != 0; }
  /// Empty where there is none. `name` in lower case.
  std::string header(const std::string& name) const;
  /// Text of <Code> in an error body.
  std::string code() const;
};

/// A TCP connection whose every byte the test decides. No wait is longer than 10 s. Not
/// thread-safe: one thread per client.
class RawClient {
 public:
  explicit RawClient(uint16_t port, const std::string& address = "127.0.0.1");
  ~RawClient();
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  /// False where the peer hung up or takes nothing.
  bool send(std::string_view bytes);
  /// `count` times the same bytes.
  bool send_repeated(std::string_view bytes, uint64_t count);
  /// One system call per byte, so that the peer may see any split.
  bool send_bytewise(std::string_view bytes);
  /// Ends this direction; the other stays open.
  void shutdown_send();
  /// Closes at once with a reset, as a killed process with unread data does.
  void abort();

  /// The next response; 1xx ones count. `no_body`: it answers a HEAD.
  Response receive(bool no_body = false);
  Response request(std::string_view bytes, bool no_body = false);

  /// Whether the peer closes within that time; bytes that come before are dropped.
  bool closed_within(int milliseconds);
  /// Whether neither a byte nor the end of the stream comes for that time.
  bool silent_for(int milliseconds);

 private:
  bool wait_for(short events, int milliseconds);
  bool read_more();

  int fd_ = -1;
  std::string input_;
};

using Headers = std::vector<std::pair<std::string, std::string>>;

/// A request with Host; Content-Length is added for PUT and POST unless `headers` say how the body
/// is framed.
std::string make_request(std::string_view method, std::string_view target,
                         const Headers& headers = {}, std::string_view body = {});

/// Text of the first <tag>...</tag>, as it stands there; empty where there is none.
std::string between(std::string_view text, std::string_view tag);
/// Texts of all <tag>...</tag>, in order.
std::vector<std::string> all_between(std::string_view text, std::string_view tag);

/// Options for tests: any free port, two workers, no reports.
server::Options test_options();

/// A server in this process, on connections of its own for each helper call.
class TestServer {
 public:
  explicit TestServer(const server::Options& options = test_options());

  uint16_t port() const { return server_->port(); }
  server::Server& server() const { return *server_; }

  Response get(std::string_view target, const Headers& headers = {}) const;
  Response head(std::string_view target, const Headers& headers = {}) const;
  Response put(std::string_view target, std::string_view body, const Headers& headers = {}) const;
  Response post(std::string_view target, std::string_view body, const Headers& headers = {}) const;
  Response remove(std::string_view target, const Headers& headers = {}) const;
  /// Content-Length of a HEAD; "none" where it is not answered by 200.
  std::string size_of(std::string_view target) const;

 private:
  Response call(std::string_view request, bool no_body = false) const;
  std::unique_ptr<server::Server> server_;
};

/// Calls `condition` until it holds, for at most 10 s; gives whether it did.
template <class Condition>
bool eventually(Condition condition);

/// Sleeps.
void pause(int milliseconds);

template <class Condition>
bool eventually(Condition condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    pause(5);
  }
  return false;
}

}  // namespace mocks3::test
