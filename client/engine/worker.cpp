#include "client/engine/worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "client/interrupt.hpp"
#include "shared/proto/s3_xml.hpp"

namespace mocks3::client {
namespace {

namespace asio = boost::asio;
using Clock = Connection::Clock;

constexpr auto kTick = std::chrono::milliseconds(20);
/// How long a connection without work waits for an upload that is being created.
constexpr auto kPause = std::chrono::microseconds(200);

std::string complete_body(const Transfer& transfer) {
  XmlWriter xml("CompleteMultipartUpload");
  for (size_t i = 0; i < transfer.etags.size(); ++i)
    xml.open("Part").number("PartNumber", i + 1).text("ETag", transfer.etags[i]).close("Part");
  return std::move(xml).finish();
}

uint64_t nanoseconds(Clock::duration time) {
  return static_cast<uint64_t>(std::max<int64_t>(0, std::chrono::nanoseconds(time).count()));
}

std::string text_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "unknown exception";
  }
}

}  // namespace

/// A request on its way, and what came of it.
struct LoadThread::Call {
  const char* op = "";  ///< S3's name
  const Job* job = nullptr;
  std::string_view method;
  std::string query;
  std::string text;                         ///< XML body
  bool uploads = false, downloads = false;  ///< the job's bytes

  Answer answer;
  Clock::time_point begin{};
  std::string error_class, error_text;  ///< empty where the answer is right

  bool carries_payload() const { return uploads || downloads; }
  void refuse(std::string what, std::string why) {
    error_class = std::move(what);
    error_text = std::move(why);
  }
  void malformed(std::string why) { refuse("malformed response", std::move(why)); }
};

LoadThread::LoadThread(asio::io_context& context, const asio::ip::tcp::endpoint& peer,
                       LoadShared& shared)
    : context_(context), shared_(shared), requests_(shared.spec.endpoint, shared.spec.bucket) {
  for (size_t i = 0; i < shared.spec.concurrency; ++i)
    connections_.push_back(std::make_unique<Connection>(context, peer, io_, shared.spec.patience));
}

void LoadThread::open(std::latch& opened) {
  for (auto& connection : connections_)
    asio::co_spawn(context_, open_one(*connection), [this, &opened](std::exception_ptr failure) {
      if (failure) note_error("internal", text_of(failure));
      opened.count_down();
    });
}

void LoadThread::work(std::latch& done) {
  for (auto& connection : connections_)
    asio::co_spawn(context_, work_on(*connection), [this, &done](std::exception_ptr failure) {
      if (failure) {
        note_error("internal", text_of(failure));
        shared_.queue.stop();
      }
      done.count_down();
    });
}

void LoadThread::tick() {
  asio::co_spawn(context_, keep_ticking(), [this](std::exception_ptr failure) {
    if (!failure) return;
    note_error("internal", text_of(failure));
    stop_all();
  });
}

LoadThread::Awaitable<void> LoadThread::keep_ticking() {
  asio::steady_timer timer(context_);
  while (!shared_.over) {
    timer.expires_after(kTick);
    co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
    if (interrupted() && !stopped_) stop_all();
    const auto now = Clock::now();
    for (auto& connection : connections_) connection->check(now);
    flush_progress();
  }
}

void LoadThread::flush_progress() {
  shared_.progress.bytes += io_.payload_bytes - flushed_bytes_;
  flushed_bytes_ = io_.payload_bytes;
}

void LoadThread::stop_all() {
  stopped_ = true;
  shared_.queue.stop();
  for (auto& connection : connections_) connection->stop();
}

LoadThread::Awaitable<void> LoadThread::open_one(Connection& connection) {
  const bool opened = co_await connection.connect();
  if (!opened && connection.fault() != Fault::stopped)
    note_error(std::string(fault_name(connection.fault())), connection.fault_text());
}

LoadThread::Awaitable<void> LoadThread::work_on(Connection& connection) {
  asio::steady_timer pause(context_);
  for (;;) {
    const Job job = shared_.queue.take(Clock::now());
    switch (job.kind) {
      case Job::Kind::finished:
        flush_progress();
        co_return;
      case Job::Kind::whole:
        co_await whole(connection, job);
        break;
      case Job::Kind::create:
        co_await create(connection, job);
        break;
      case Job::Kind::part:
        co_await part(connection, job);
        break;
      case Job::Kind::wait:
        pause.expires_after(kPause);
        co_await pause.async_wait(asio::as_tuple(asio::use_awaitable));
        break;
    }
  }
}

LoadThread::Call LoadThread::call_for(const char* op, std::string_view method,
                                      const Job& job) const {
  Call call;
  call.op = op;
  call.method = method;
  call.job = &job;
  return call;
}

LoadThread::Awaitable<void> LoadThread::whole(Connection& connection, const Job& job) {
  const bool put = shared_.spec.op == Direction::put;
  Call call = put ? call_for("PutObject", "PUT", job) : call_for("GetObject", "GET", job);
  (put ? call.uploads : call.downloads) = true;
  if (co_await run(connection, call)) ++tally_.objects;
}

LoadThread::Awaitable<void> LoadThread::create(Connection& connection, const Job& job) {
  Call call = call_for("CreateMultipartUpload", "POST", job);
  call.query = "uploads=";
  if (co_await run(connection, call))
    shared_.queue.created(job.transfer, element_text(call.answer.text, "UploadId"));
  else
    shared_.queue.not_created(job.transfer);
}

LoadThread::Awaitable<void> LoadThread::part(Connection& connection, const Job& job) {
  const bool put = shared_.spec.op == Direction::put;
  Call call = put ? call_for("UploadPart", "PUT", job) : call_for("GetObject", "GET", job);
  (put ? call.uploads : call.downloads) = true;
  if (put) call.query = part_query(job.transfer->upload_id, job.part + 1);
  std::optional<std::string> etag;
  if (co_await run(connection, call)) etag = std::move(call.answer.etag);
  switch (shared_.queue.part_done(*job.transfer, job.part, std::move(etag))) {
    case NextStep::none:
      break;
    case NextStep::object_done:
      ++tally_.objects;
      break;
    case NextStep::complete:
      co_await complete(connection, job);
      break;
    case NextStep::abort:
      co_await abort(connection, job);
      break;
  }
}

LoadThread::Awaitable<void> LoadThread::complete(Connection& connection, const Job& job) {
  Call call = call_for("CompleteMultipartUpload", "POST", job);
  call.query = upload_query(job.transfer->upload_id);
  call.text = complete_body(*job.transfer);
  if (!co_await run(connection, call)) co_return co_await abort(connection, job);
  shared_.queue.closed(job.transfer);
  ++tally_.objects;
}

/// An upload whose abort fails too stays in the queue, which is asked again after the run.
LoadThread::Awaitable<void> LoadThread::abort(Connection& connection, const Job& job) {
  Call call = call_for("AbortMultipartUpload", "DELETE", job);
  call.query = upload_query(job.transfer->upload_id);
  if (co_await run(connection, call)) shared_.queue.closed(job.transfer);
}

LoadThread::Awaitable<bool> LoadThread::run(Connection& connection, Call& call) {
  const bool good = co_await exchange(connection, call);
  if (good) shared_.failures_in_a_row.store(0, std::memory_order_relaxed);
  if (!good) count_failure(connection, call);
  if (good && call.carries_payload()) count_payload(connection, call);
  co_return good;
}

LoadThread::Awaitable<bool> LoadThread::exchange(Connection& connection, Call& call) {
  if (!co_await connection.connect()) co_return false;
  const Job& job = *call.job;
  RequestSpec spec;
  spec.method = call.method;
  spec.key = job.task->key;
  spec.query = call.query;
  spec.ranged = call.downloads && job.transfer != nullptr;
  spec.first = job.offset;
  spec.last = job.offset + job.length - 1;
  if (!call.downloads) spec.content_length = call.uploads ? job.length : call.text.size();
  const std::string head = requests_.head(spec, now_millis());
  ++tally_.requests[call.op];
  call.begin = Clock::now();
  tally_.begin = std::min(tally_.begin, call.begin);
  bool answered = co_await connection.send(head, call.text, call.uploads ? job.length : 0);
  if (answered) answered = co_await read_answer(connection, call);
  if (std::string_view(call.op) != "AbortMultipartUpload")
    tally_.end = std::max(tally_.end, Clock::now());
  if (!call.answer.keep_alive || !connection.sent_all() || connection.has_surplus())
    connection.close();
  co_return answered&& call.error_class.empty();
}

LoadThread::Awaitable<bool> LoadThread::read_answer(Connection& connection, Call& call) {
  Answer& answer = call.answer;
  if (!co_await connection.read_head(answer)) co_return false;
  if (call.downloads && answer.good()) {
    const Job& job = *call.job;
    const std::string fault = object_answer_fault(answer, job.transfer != nullptr, job.offset,
                                                  job.length, job.task->size);
    if (fault.empty()) co_return co_await connection.discard_body(job.length);
    call.malformed(fault);
    connection.close();  // with a body of unknown worth still to come
    co_return true;
  }
  if (!co_await connection.read_text(answer)) co_return false;
  if (!answer.good()) {
    call.refuse(refusal_class(answer), refusal_text(answer));
  } else if (!connection.sent_all()) {
    call.malformed("success before the whole body was sent");
  } else if (call.job->transfer && is_error_document(answer.text)) {
    call.refuse(refusal_class(answer), refusal_text(answer));
  } else if (call.uploads && call.job->transfer && answer.etag.empty()) {
    call.malformed("no ETag for a part");
  } else if (call.query == "uploads=" && element_text(answer.text, "UploadId").empty()) {
    call.malformed("no UploadId");
  }
  co_return true;
}

void LoadThread::count_payload(const Connection& connection, const Call& call) {
  tally_.bytes += call.job->length;
  tally_.service_ns.record(nanoseconds(Clock::now() - call.begin));
  tally_.ttfb_ns.record(nanoseconds(connection.first_byte_time() - call.begin));
}

void LoadThread::count_failure(const Connection& connection, const Call& call) {
  const Fault fault = connection.fault();
  if (call.error_class.empty() && fault == Fault::stopped) return;
  const std::string what =
      call.error_class.empty() ? std::string(fault_name(fault)) : call.error_class;
  const std::string why = call.error_class.empty() ? connection.fault_text() : call.error_text;
  const std::string part = call.uploads && call.job->transfer
                               ? fmt::format(" part {}", call.job->part + 1)
                               : std::string{};
  note_error(what, fmt::format("{} {}/{}{}: {}", call.op, shared_.spec.bucket, call.job->task->key,
                               part, why));
}

void LoadThread::note_error(const std::string& error_class, const std::string& text) {
  ++tally_.errors[error_class];
  if (tally_.first_error.empty()) {
    tally_.first_error = text;
    tally_.first_error_time = Clock::now();
  }
  if (shared_.failures_in_a_row.fetch_add(1, std::memory_order_relaxed) + 1 < kMostFailuresInARow)
    return;
  shared_.gave_up = true;
  shared_.queue.stop();
}

}  // namespace mocks3::client
