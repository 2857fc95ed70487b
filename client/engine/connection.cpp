#include "client/engine/connection.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <cstring>

#include "data-gen/object_bytes.hpp"
#include "shared/net/socket_options.hpp"
#include "shared/proto/chunked_decoder.hpp"
#include "shared/util/units.hpp"

namespace mocks3::client {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr auto kConnectLimit = std::chrono::seconds(10);
/// Payload in one gather write: views of the one ring, so that it stays in the L2 cache.
constexpr size_t kSendViews = 2;
/// Bytes that one coroutine may move before the other connections of its thread have their turn.
constexpr size_t kTurnBytes = 8U << 20;
constexpr size_t kFirstHeadBuffer = 16 * 1024;
constexpr size_t kMostText = 1U << 20;

constexpr auto kAsTuple = asio::as_tuple(asio::use_awaitable);

/// What is still to be sent of head, text and ring, as views for one gather write.
class Outgoing {
 public:
  Outgoing(std::string_view head, std::string_view text, uint64_t ring_bytes)
      : head_(head), text_(text), ring_left_(ring_bytes) {}

  bool empty() const { return head_.empty() && text_.empty() && ring_left_ == 0; }

  size_t gather(std::span<iovec> views) const {
    size_t count = 0;
    for (const std::string_view part : {head_, text_})
      if (!part.empty()) views[count++] = {const_cast<char*>(part.data()), part.size()};
    uint64_t position = ring_position_, left = ring_left_;
    for (size_t i = 0; i < kSendViews && left > 0; ++i) {
      const size_t length = static_cast<size_t>(std::min<uint64_t>(left, kRingBytes));
      views[count++] = {const_cast<uint8_t*>(ring_at(position)), length};
      position += length;
      left -= length;
    }
    return count;
  }

  /// Takes away what was sent; gives how much of it was payload.
  size_t sent(size_t bytes) {
    for (std::string_view* part : {&head_, &text_}) {
      const size_t taken = std::min(bytes, part->size());
      part->remove_prefix(taken);
      bytes -= taken;
    }
    ring_position_ += bytes;
    ring_left_ -= bytes;
    return bytes;
  }

 private:
  std::string_view head_, text_;
  uint64_t ring_left_;
  uint64_t ring_position_ = 0;
};

}  // namespace

std::string_view fault_name(Fault fault) {
  switch (fault) {
    case Fault::none:
      return "none";
    case Fault::connect:
      return "connect";
    case Fault::timeout:
      return "timeout";
    case Fault::reset:
      return "reset";
    case Fault::closed:
      return "closed";
    case Fault::malformed:
      return "malformed response";
    case Fault::stopped:
      return "stopped";
  }
  return "unknown";
}

Connection::Connection(asio::io_context& context, const tcp::endpoint& peer, ThreadIo& io,
                       std::chrono::milliseconds patience)
    : socket_(context), peer_(peer), io_(io), patience_(patience), head_buffer_(kFirstHeadBuffer) {}

bool Connection::fail(Fault fault, std::string text) {
  if (stopped_) fault = Fault::stopped;
  fault_ = fault;
  fault_text_ = text.empty() ? std::string(fault_name(fault)) : std::move(text);
  close();
  return false;
}

bool Connection::fail_errno(int error) {
  return fail(error == ETIMEDOUT ? Fault::timeout : Fault::reset, std::strerror(error));
}

void Connection::close() {
  boost::system::error_code ignored;  // the peer may be gone: closing is all that is wanted
  socket_.close(ignored);
}

Connection::Awaitable<bool> Connection::connect() {
  if (socket_.is_open()) co_return true;
  fault_ = Fault::none;
  timed_out_ = early_ = false;
  filled_ = consumed_ = 0;
  if (stopped_) co_return fail(Fault::stopped);
  waiting_ = Waiting::connect;
  ++waits_;
  const auto [ec] = co_await socket_.async_connect(peer_, kAsTuple);
  waiting_ = Waiting::no;
  if (timed_out_) co_return fail(Fault::connect, "no connection within 10 s");
  if (ec) co_return fail(Fault::connect, ec.message());
  boost::system::error_code failure;
  socket_.native_non_blocking(true, failure);
  if (failure) co_return fail(Fault::connect, failure.message());
  tune_connection(socket_.native_handle());
  co_return true;
}

/// Until the socket is ready. An early answer counts as ready.
Connection::Awaitable<bool> Connection::wait(Waiting what) {
  if (stopped_) co_return fail(Fault::stopped);
  waiting_ = what;
  ++waits_;
  moved_ = 0;
  const auto [ec] = co_await socket_.async_wait(
      what == Waiting::read ? tcp::socket::wait_read : tcp::socket::wait_write, kAsTuple);
  waiting_ = Waiting::no;
  if (stopped_) co_return fail(Fault::stopped);
  if (timed_out_) co_return fail(Fault::timeout, "no progress for " + format_duration(patience_));
  if (ec && !early_) co_return fail(Fault::reset, ec.message());
  co_return true;
}

/// After a system call that failed with `error`.
Connection::Awaitable<bool> Connection::wait_unless_fatal(int error, Waiting what) {
  if (error == EINTR) co_return true;
  if (error == EAGAIN) co_return co_await wait(what);
  co_return fail_errno(error);
}

Connection::Awaitable<bool> Connection::give_way() {
  moved_ = 0;
  co_await asio::post(socket_.get_executor(), asio::use_awaitable);
  co_return stopped_ ? fail(Fault::stopped) : true;
}

bool Connection::answer_is_there() const {
  char byte;
  // The native handle: this is asked while the socket's own operations are under way.
  const int fd = const_cast<tcp::socket&>(socket_).native_handle();
  return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0;
}

Connection::Awaitable<bool> Connection::send(std::string_view head, std::string_view text,
                                             uint64_t ring_bytes) {
  Outgoing outgoing(head, text, ring_bytes);
  std::array<iovec, 2 + kSendViews> views;
  filled_ = consumed_ = 0;
  sent_all_ = early_ = false;
  while (!outgoing.empty()) {
    msghdr message{};
    message.msg_iov = views.data();
    message.msg_iovlen = outgoing.gather(views);
    const ssize_t n = sendmsg(socket_.native_handle(), &message, MSG_NOSIGNAL);
    if (n >= 0) {
      const size_t payload = outgoing.sent(static_cast<size_t>(n));
      io_.payload_bytes += payload;
      moved_ += payload;
      if (moved_ < kTurnBytes) continue;
      if (!co_await give_way()) co_return false;
      continue;
    }
    const int error = errno;
    // A server that refuses a body may answer and close before it has read it all.
    if (error != EAGAIN && answer_is_there()) co_return true;
    if (!co_await wait_unless_fatal(error, Waiting::write)) co_return false;
    if (early_) co_return true;
  }
  sent_all_ = true;
  co_return true;
}

/// Into head_buffer_, which grows where it is full.
Connection::Awaitable<bool> Connection::receive_more() {
  if (filled_ == head_buffer_.size()) head_buffer_.resize(2 * head_buffer_.size());
  for (;;) {
    const ssize_t n = recv(socket_.native_handle(), head_buffer_.data() + filled_,
                           head_buffer_.size() - filled_, 0);
    if (n > 0) {
      filled_ += static_cast<size_t>(n);
      co_return true;
    }
    if (n == 0) co_return fail(Fault::closed, "the server closed the connection");
    if (!co_await wait_unless_fatal(errno, Waiting::read)) co_return false;
  }
}

/// Whether reading may go on; `complete`: the final head is in `answer`.
bool Connection::take_head(const HeadResult& result, Answer& answer, bool& complete) {
  if (result.status == HeadStatus::incomplete) return true;
  if (result.status == HeadStatus::too_large) return fail(Fault::malformed, "head over 64 KiB");
  if (result.status == HeadStatus::malformed)
    return fail(Fault::malformed, std::string(result.reason));
  consumed_ += result.head_bytes;
  complete = response_head_.status >= 200;
  if (!complete) return true;
  answer.status = response_head_.status;
  answer.keep_alive = response_head_.keep_alive;
  answer.chunked = response_head_.http_chunked;
  answer.content_length = response_head_.content_length;
  answer.etag = response_head_.header("etag");
  answer.content_range = response_head_.header("content-range");
  answer.text.clear();
  return true;
}

Connection::Awaitable<bool> Connection::read_head(Answer& answer) {
  filled_ = consumed_ = 0;
  bool complete = false;
  for (;;) {
    if (!co_await receive_more()) co_return false;
    if (consumed_ == 0) first_byte_time_ = Clock::now();
    size_t before;
    do {
      before = consumed_;
      const std::span<const char> bytes(head_buffer_.data() + consumed_, filled_ - consumed_);
      if (!take_head(parse_response_head(bytes, response_head_), answer, complete)) co_return false;
    } while (!complete && consumed_ > before && consumed_ < filled_);
    if (complete) co_return true;
  }
}

Connection::Awaitable<bool> Connection::discard_body(uint64_t length) {
  const size_t surplus = filled_ - consumed_;
  if (surplus > length) co_return fail(Fault::malformed, "more bytes than Content-Length says");
  consumed_ = filled_;
  io_.payload_bytes += surplus;
  for (uint64_t left = length - surplus; left > 0;) {
    const ssize_t n = recv(socket_.native_handle(), io_.buffer.data(),
                           static_cast<size_t>(std::min<uint64_t>(left, io_.buffer.size())), 0);
    if (n > 0) {
      left -= static_cast<uint64_t>(n);
      io_.payload_bytes += static_cast<uint64_t>(n);
      moved_ += static_cast<size_t>(n);
      if (moved_ < kTurnBytes) continue;
      if (!co_await give_way()) co_return false;
    } else if (n == 0) {
      co_return fail(Fault::closed, "the server closed the connection in the middle of a body");
    } else if (!co_await wait_unless_fatal(errno, Waiting::read)) {
      co_return false;
    }
  }
  co_return true;
}

Connection::Awaitable<bool> Connection::read_chunked(Answer& answer) {
  ChunkedDecoder decoder;
  for (;;) {
    while (consumed_ < filled_) {
      const ChunkedDecoder::Step step =
          decoder.feed({head_buffer_.data() + consumed_, filled_ - consumed_});
      consumed_ += step.consumed;
      answer.text.append(step.data.data(), step.data.size());
      if (step.state == ChunkedDecoder::State::done) co_return true;
      if (step.state == ChunkedDecoder::State::failed)
        co_return fail(Fault::malformed, std::string(decoder.reason()));
      if (answer.text.size() > kMostText) co_return fail(Fault::malformed, "body over 1 MiB");
    }
    filled_ = consumed_ = 0;
    if (!co_await receive_more()) co_return false;
  }
}

Connection::Awaitable<bool> Connection::read_to_length(Answer& answer) {
  const uint64_t length = *answer.content_length;
  if (length > kMostText) co_return fail(Fault::malformed, "body over 1 MiB");
  while (filled_ - consumed_ < length) {
    if (!co_await receive_more()) co_return false;
  }
  answer.text.assign(head_buffer_.data() + consumed_, static_cast<size_t>(length));
  consumed_ += static_cast<size_t>(length);
  co_return true;
}

/// The body ends with the connection (RFC 9112 section 6.3).
Connection::Awaitable<bool> Connection::read_to_close(Answer& answer) {
  answer.keep_alive = false;
  for (;;) {  // gcc 12 miscompiles `while (co_await ...)` around a co_return
    const bool more = co_await receive_more();
    if (!more) break;
    if (filled_ - consumed_ > kMostText) co_return fail(Fault::malformed, "body over 1 MiB");
  }
  if (fault_ != Fault::closed) co_return false;
  fault_ = Fault::none;
  answer.text.assign(head_buffer_.data() + consumed_, filled_ - consumed_);
  consumed_ = filled_;
  co_return true;
}

Connection::Awaitable<bool> Connection::read_text(Answer& answer) {
  if (answer.status == 204 || answer.status == 304) co_return true;
  if (answer.chunked) co_return co_await read_chunked(answer);
  if (answer.content_length) co_return co_await read_to_length(answer);
  co_return co_await read_to_close(answer);
}

void Connection::check(Clock::time_point now) {
  if (waiting_ == Waiting::no) return;
  if (waits_ != seen_waits_) {
    seen_waits_ = waits_;
    waiting_since_ = now;
    return;
  }
  boost::system::error_code ignored;
  const auto limit = waiting_ == Waiting::connect ? Clock::duration(kConnectLimit) : patience_;
  const bool too_long = now - waiting_since_ > limit;
  const bool answered = waiting_ == Waiting::write && answer_is_there();
  timed_out_ = timed_out_ || too_long;
  early_ = early_ || answered;
  if (too_long || answered) socket_.cancel(ignored);
}

void Connection::stop() {
  stopped_ = true;
  boost::system::error_code ignored;
  if (waiting_ != Waiting::no) socket_.cancel(ignored);
}

}  // namespace mocks3::client
