#include "server/session.hpp"

#include <array>

#include "server/access_log.hpp"
#include "server/describe_request.hpp"
#include "server/reply_head.hpp"
#include "server/stream_plain.hpp"
#include "shared/net/socket_options.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::server {
namespace {

using boost::asio::awaitable;

/// While framing lines are due between large chunks, reads are kept small: what is read with them
/// is copied, what is not can be dropped in the kernel.
constexpr size_t kFramingRead = 512;
constexpr size_t kSmallRead = 16 * 1024;
/// A wakeup that yields this much makes a stream of payload fast.
constexpr size_t kFastRead = 64 * 1024;
/// What is read of a request that was answered before its body came; a single PUT is at most 5 GiB.
constexpr uint64_t kMaxDrain = uint64_t{6} << 30;

}  // namespace

template <class Stream>
Session<Stream>::Session(Worker& worker, Stream stream, uint64_t connection_id)
    : worker_(worker), stream_(std::move(stream)) {
  connection_.id = connection_id;
  connection_.fd = stream_.fd();
  connection_.enter(Phase::idle, worker_.now_ns());
  worker_.enter(connection_);
}

template <class Stream>
Session<Stream>::~Session() {
  worker_.leave(connection_);
}

template <class Stream>
awaitable<void> Session<Stream>::run() {
  for (;;) {
    if (!co_await read_head()) co_return;
    begin_request();
    Plan plan = plan_request();
    Reply reply;
    if (auto* sink = std::get_if<Sink>(&plan)) {
      const bool whole = co_await receive(*sink, reply);
      if (!whole) keep_alive_ = false;
    } else {
      reply = std::move(std::get<Reply>(plan));
    }
    // A body that the client was told to withhold may come or not: the connection cannot go on.
    if (continue_due_ || reply.close || worker_.draining()) keep_alive_ = false;
    const bool sent = co_await send(reply);
    finish_request(reply, sent);
    if (!sent) co_return;
    if (!keep_alive_) break;
    if (decoder_.state() != BodyDecoder::State::done && !co_await drain_request()) break;
    connection_.enter(Phase::idle, worker_.now_ns());
    if (input_.empty()) input_.shrink();
    if (worker_.draining()) break;
  }
  co_await linger();
}

template <class Stream>
awaitable<bool> Session<Stream>::read_head() {
  bool first = true;
  for (;;) {
    const auto bytes = input_.pending();
    // Parsed when the first bytes are here, so that garbage is answered at once, and then not
    // again before the end of the head is.
    const std::string_view text(bytes.data(), bytes.size());
    if (!bytes.empty() &&
        (first || bytes.size() > kMaxHeadBytes || text.find("\r\n\r\n") != text.npos)) {
      head_result_ = parse_request_head(bytes, head_);
      if (head_result_.status != HeadStatus::incomplete) co_return true;
      if (first) connection_.enter(Phase::head, worker_.now_ns());
      first = false;
    }
    const auto [ec, n] = co_await stream_.read_some(input_.room(kSmallRead));
    if (ec) co_return false;
    input_.added(n);
  }
}

template <class Stream>
void Session<Stream>::begin_request() {
  ++request_count_;
  now_ = now_millis();
  record_ = RequestRecord{};
  record_.start_ns = worker_.now_ns();
  record_.connection_id = connection_.id;
  request_id_ = hex_u64(mix64((connection_.id << 24) + request_count_));
  record_.request_id = request_id_;
  connection_.enter(Phase::body, record_.start_ns);
  is_head_ = head_.method == "HEAD";
  keep_alive_ = head_.keep_alive;
  received_ = ReceivedBody{};
  last_run_bytes_ = 0;
  resource_.assign(head_.target.substr(0, head_.target.find('?')));
}

template <class Stream>
Plan Session<Stream>::plan_request() {
  continue_due_ = false;
  decoder_ = BodyDecoder(BodyFraming{});
  if (head_result_.status == HeadStatus::too_large)
    return refuse({S3Code::RequestHeaderSectionTooLarge});
  if (head_result_.status == HeadStatus::malformed)
    return refuse({S3Code::InvalidRequest,
                   "The request could not be read: " + std::string(head_result_.reason) + "."});
  const auto framing = BodyFraming::of(head_);
  auto request = parse_s3_request(head_, worker_.handlers().options.domains);
  if (framing) {
    decoder_ = BodyDecoder(*framing);
    // Before an empty body too: botocore asks then as well, and until 1.43 (aws-cli 1.46 has that)
    // it takes a final answer at this place for the answer to the connection's next request.
    continue_due_ = head_.expect_continue;
    record_.framing = framing_name(*framing);
  }
  if (request) describe_request(head_, *request, record_);
  record_.method = head_.method;
  record_.user_agent = head_.header("user-agent");
  // head_ keeps pointing at these bytes; they stay where they are until more is read.
  input_.consume(head_result_.head_bytes);
  if (!framing) return refuse(framing.error());
  if (!request) return error_reply(request.error(), resource_, request_id_, is_head_);
  return handle(worker_.handlers(), RequestContext{head_, *request, request_id_, now_});
}

/// An error after which the bytes that follow cannot be trusted.
template <class Stream>
Reply Session<Stream>::refuse(const S3Error& error) {
  keep_alive_ = false;
  return error_reply(error, resource_, request_id_, is_head_);
}

template <class Stream>
awaitable<bool> Session<Stream>::receive(Sink& sink, Reply& reply) {
  if (continue_due_ && input_.empty() && !co_await send_continue()) co_return false;
  continue_due_ = false;
  while (decoder_.state() == BodyDecoder::State::more) {
    if (!take_buffered(sink)) {
      reply = error_reply({S3Code::EntityTooLarge}, resource_, request_id_, false);
      co_return true;
    }
    if (decoder_.state() != BodyDecoder::State::more) break;
    const uint64_t unseen = sink.kind == Sink::Kind::discard ? decoder_.discardable() : 0;
    if (co_await receive_more(unseen)) continue;
    reply = error_reply(
        connection_.expired ? S3Error{S3Code::RequestTimeout} : S3Error{S3Code::IncompleteBody},
        resource_, request_id_, false);
    co_return false;
  }
  if (decoder_.state() == BodyDecoder::State::failed) {
    reply = error_reply(body_fault(), resource_, request_id_, false);
    co_return false;
  }
  if (decoder_.payload_bytes() > sink.limit) {
    reply = error_reply({S3Code::EntityTooLarge}, resource_, request_id_, false);
    co_return true;
  }
  received_.payload_bytes = decoder_.payload_bytes();
  received_.trailers = decoder_.trailers();
  reply = sink.finish(std::move(received_));
  co_return true;
}

/// Decodes what is in the input buffer; false where it is more payload than the sink's limit.
template <class Stream>
bool Session<Stream>::take_buffered(const Sink& sink) {
  while (!input_.empty() && decoder_.state() == BodyDecoder::State::more) {
    const auto step = decoder_.feed(input_.pending());
    const bool fits = decoder_.payload_bytes() <= sink.limit;
    if (!step.payload.empty()) {
      last_run_bytes_ = step.payload.size();
      if (sink.kind == Sink::Kind::discard) account_in(step.payload.size());
      if (sink.kind == Sink::Kind::decode && fits) account_in(sink.take(step.payload));
      if (sink.kind == Sink::Kind::collect && fits)
        received_.text.append(step.payload.data(), step.payload.size());
    }
    // What was decoded is gone from the input even where it is too much: the rest is drained later.
    input_.consume(step.consumed);
    if (!fits) return false;
  }
  return decoder_.payload_bytes() <= sink.limit;
}

/// Waits for more of the body: drops up to `discardable` bytes unseen, or reads into the buffer.
template <class Stream>
awaitable<bool> Session<Stream>::receive_more(uint64_t discardable) {
  if (discardable > 0) {
    set_low_water(discardable);
    const auto [ec, n] = co_await stream_.discard_some(discardable);
    if (ec) co_return false;
    decoder_.skip(n);
    last_discard_bytes_ = n;
    if (decoder_.discardable() == 0) set_low_water(0);  // framing or another request is due
    last_run_bytes_ += n;
    connection_.phase_bytes += n;
    account_in(n);
    co_return true;
  }
  const bool framing_due = decoder_.discardable() == 0;
  const bool large_chunks = framing_due && last_run_bytes_ >= kSmallRead;
  last_run_bytes_ = 0;
  const auto [ec, n] =
      co_await stream_.read_some(input_.room(large_chunks ? kFramingRead : kSmallRead));
  if (ec) co_return false;
  input_.added(n);
  connection_.phase_bytes += n;
  co_return true;
}

/// A peer that sends slowly is read as it sends; the end of a run must not be waited for in vain.
template <class Stream>
void Session<Stream>::set_low_water(uint64_t discardable) {
  const bool fast = last_discard_bytes_ >= kFastRead;
  const size_t wanted = fast && discardable >= 2 * kBulkLowWaterBytes ? kBulkLowWaterBytes : 1;
  if (wanted == low_water_bytes_) return;
  set_receive_low_water(stream_.fd(), wanted);
  low_water_bytes_ = wanted;
}

template <class Stream>
S3Error Session<Stream>::body_fault() const {
  return {S3Code::IncompleteBody,
          "The request body could not be read: " + std::string(decoder_.reason()) + "."};
}

template <class Stream>
awaitable<bool> Session<Stream>::send_continue() {
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  size_t sent = 0;
  while (sent < kContinue.size()) {
    const iovec part{const_cast<char*>(kContinue.data()) + sent, kContinue.size() - sent};
    const auto [ec, n] = co_await stream_.write_some({&part, 1});
    if (ec) co_return false;
    sent += n;
  }
  co_return true;
}

/// Points `parts` at what is left of the reply of which `sent` bytes have gone: the head and the
/// first bytes leave in one write. Gives the number of parts.
template <class Stream>
size_t Session<Stream>::gather(const GeneratedBody* made, uint64_t sent, Parts& parts) {
  size_t used = 0;
  uint64_t done = 0;
  if (sent < out_.size())
    parts[used++] = {out_.data() + sent, out_.size() - static_cast<size_t>(sent)};
  else
    done = sent - out_.size();
  if (made != nullptr && done < made->length)
    used += made->bytes.gather(
        made->offset + done, made->length - done,
        std::span<iovec, ObjectBytes::kMaxGather>(parts.data() + used, ObjectBytes::kMaxGather));
  return used;
}

template <class Stream>
awaitable<bool> Session<Stream>::send(const Reply& reply) {
  out_.clear();
  append_reply_head(out_, reply,
                    {worker_.http_date(now_), request_id_, keep_alive_, head_.minor_version});
  const size_t head_bytes = out_.size();
  if (!is_head_)
    if (const auto* text = std::get_if<std::string>(&reply.body)) out_ += *text;
  const auto* made = is_head_ ? nullptr : std::get_if<GeneratedBody>(&reply.body);
  const uint64_t due = out_.size() + (made != nullptr ? made->length : 0);
  connection_.enter(Phase::reply, worker_.now_ns());

  Parts parts;
  const int64_t first = stream_.try_write({parts.data(), gather(made, 0, parts)});
  if (first < 0) co_return false;
  record_.ttfb_ns = worker_.now_ns() - record_.start_ns;
  uint64_t sent = static_cast<uint64_t>(first);
  account_out(sent, made != nullptr ? head_bytes : sent);
  while (sent < due) {
    const auto [ec, n] = co_await stream_.write_some({parts.data(), gather(made, sent, parts)});
    if (ec) co_return false;
    account_out(n, made != nullptr ? head_bytes - std::min<uint64_t>(sent, head_bytes) : n);
    sent += n;
  }
  co_return true;
}

template <class Stream>
void Session<Stream>::account_in(uint64_t n) {
  record_.bytes_in += n;
  worker_.metrics().bytes_in.add(n);
}

/// Counts `n` bytes that went out, of which up to `head_left` were no object's.
template <class Stream>
void Session<Stream>::account_out(uint64_t n, uint64_t head_left) {
  const uint64_t body = n - std::min(n, head_left);
  connection_.phase_bytes += n;
  record_.bytes_out += body;
  worker_.metrics().bytes_out.add(body);
}

template <class Stream>
void Session<Stream>::finish_request(const Reply& reply, bool completed) {
  record_.duration_ns = worker_.now_ns() - record_.start_ns;
  record_.status = reply.status;
  record_.error_code = reply.error_code;
  record_.completed = completed;
  if (record_.op == S3Op::Admin) return;
  if (auto* log = worker_.access_log()) log->write(record_, now_);
  worker_.metrics().record(std::move(record_));
}

/// Reads and drops what is left of a request that was answered early, so that the client never
/// meets a broken pipe and the connection can go on.
template <class Stream>
awaitable<bool> Session<Stream>::drain_request() {
  connection_.enter(Phase::body, worker_.now_ns());
  uint64_t budget = kMaxDrain;
  while (decoder_.state() == BodyDecoder::State::more) {
    const uint64_t before = connection_.phase_bytes;
    take_buffered(Sink{});
    if (decoder_.state() != BodyDecoder::State::more) break;
    if (!co_await receive_more(std::min(decoder_.discardable(), budget))) co_return false;
    const uint64_t used = connection_.phase_bytes - before;
    if (used >= budget) co_return false;
    budget -= used;
  }
  co_return decoder_.state() == BodyDecoder::State::done;
}

/// Ends the connection so that the peer can read the last reply: nothing more is sent, and what
/// the peer still sends is dropped for a while rather than answered by a reset.
template <class Stream>
awaitable<void> Session<Stream>::linger() {
  stream_.shutdown_send();
  // A stopping server does not wait for peers that have their whole answer.
  if (worker_.draining() && input_.empty() && decoder_.state() == BodyDecoder::State::done)
    co_return;
  connection_.enter(Phase::linger, worker_.now_ns());
  for (;;) {
    const auto [ec, n] = co_await stream_.discard_some(kMaxDrain);
    if (ec) co_return;
  }
}

template class Session<PlainStream>;

}  // namespace mocks3::server
