#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "client/engine/answer.hpp"
#include "client/receive_buffer.hpp"
#include "shared/net/http_head.hpp"

namespace mocks3::client {

/// Bytes of one receive into the thread's buffer, which must stay in the L2 cache.
inline constexpr size_t kReceiveBytes = 256 * 1024;

/// What the connections of one thread share; no other thread touches it.
struct ThreadIo {
  ReceiveBuffer buffer{kReceiveBytes};
  uint64_t payload_bytes = 0;  ///< sent and received so far, also of requests that fail later
};

enum class Fault { none, connect, timeout, reset, closed, malformed, stopped };
/// "timeout", "malformed response", ...
std::string_view fault_name(Fault fault);

/// A client's HTTP/1.1 connection: one request at a time, bodies sent from the ring, received
/// bodies thrown away. All calls and completions on its context's thread. A step that fails closes
/// the connection and leaves the reason in fault(); the next connect() starts anew.
class Connection {
 public:
  using Clock = std::chrono::steady_clock;
  template <class T>
  using Awaitable = boost::asio::awaitable<T>;

  Connection(boost::asio::io_context& context, const boost::asio::ip::tcp::endpoint& peer,
             ThreadIo& io, std::chrono::milliseconds patience);

  bool is_open() const { return socket_.is_open(); }
  /// Opens the connection; at once where it is open.
  Awaitable<bool> connect();

  /// Sends head, text and `ring_bytes` bytes of the ring, head and first bytes in one write. Stops
  /// before the end, and is true, where the server answers early: sent_all() tells.
  Awaitable<bool> send(std::string_view head, std::string_view text, uint64_t ring_bytes);
  bool sent_all() const { return sent_all_; }

  /// Reads a response head; interim (1xx) ones are skipped.
  Awaitable<bool> read_head(Answer& answer);
  Clock::time_point first_byte_time() const { return first_byte_time_; }
  /// Reads and drops a body of exactly `length` bytes.
  Awaitable<bool> discard_body(uint64_t length);
  /// Reads a body of any framing into answer.text; over 1 MiB is malformed.
  Awaitable<bool> read_text(Answer& answer);

  /// Whether bytes came that no answer accounts for: the connection is then out of step.
  bool has_surplus() const { return consumed_ < filled_; }
  void close();
  Fault fault() const { return fault_; }
  const std::string& fault_text() const { return fault_text_; }

  /// Called now and then on the connection's thread: ends waits that last longer than the
  /// patience (10 s to connect), and notices an early answer while sending.
  void check(Clock::time_point now);
  /// Ends what is under way with Fault::stopped, and all that comes.
  void stop();

 private:
  enum class Waiting { no, connect, read, write };
  Awaitable<bool> wait(Waiting what);
  Awaitable<bool> wait_unless_fatal(int error, Waiting what);
  Awaitable<bool> give_way();
  Awaitable<bool> receive_more();
  bool fail(Fault fault, std::string text = {});
  bool fail_errno(int error);
  bool take_head(const HeadResult& result, Answer& answer, bool& complete);
  bool answer_is_there() const;
  Awaitable<bool> read_chunked(Answer& answer);
  Awaitable<bool> read_to_length(Answer& answer);
  Awaitable<bool> read_to_close(Answer& answer);

  boost::asio::ip::tcp::socket socket_;
  const boost::asio::ip::tcp::endpoint peer_;
  ThreadIo& io_;
  const std::chrono::milliseconds patience_;

  std::vector<char> head_buffer_;
  size_t filled_ = 0;    ///< bytes in head_buffer_
  size_t consumed_ = 0;  ///< of those, taken as heads or body
  ResponseHead response_head_;
  bool sent_all_ = true;
  Clock::time_point first_byte_time_{};
  size_t moved_ = 0;  ///< since this coroutine last let others run

  Fault fault_ = Fault::none;
  std::string fault_text_;

  Waiting waiting_ = Waiting::no;
  uint64_t waits_ = 0;       ///< begun so far
  uint64_t seen_waits_ = 0;  ///< at the last check()
  Clock::time_point waiting_since_{};
  bool timed_out_ = false, early_ = false, stopped_ = false;
};

}  // namespace mocks3::client
