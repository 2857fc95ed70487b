#include "client/engine/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "client/engine/control.hpp"
#include "client/engine/worker.hpp"
#include "client/interrupt.hpp"
#include "shared/net/io_pool.hpp"
#include "shared/util/units.hpp"

namespace mocks3::client {
namespace {

using boost::asio::ip::tcp;
using Clock = Connection::Clock;
using Threads = std::vector<std::unique_ptr<LoadThread>>;

constexpr auto kReachLimit = std::chrono::seconds(10);
constexpr uint64_t kMostParts = 10'000;

/// What cannot be run; empty where all is well.
std::string fault_of(const LoadSpec& spec) {
  if (spec.objects.empty()) return "there are no objects to work on";
  if (spec.threads == 0 || spec.concurrency == 0 || spec.part_size == 0)
    return "threads, concurrency and part size must be at least 1";
  uint64_t largest = 0;
  for (const ObjectTask& object : spec.objects) largest = std::max(largest, object.size);
  if (spec.op == Direction::put && largest > 0 && (largest - 1) / spec.part_size >= kMostParts)
    return fmt::format("an object of {} in parts of {} has over {} parts: use larger parts",
                       format_size(largest), format_size(spec.part_size), kMostParts);
  if (largest == 0 && spec.max_bytes && !spec.duration && !spec.max_objects)
    return "empty objects never reach a limit in bytes: set a duration or a number of objects";
  return {};
}

tcp::endpoint peer_of(const SocketAddress& address) {
  tcp::endpoint peer;
  std::memcpy(peer.data(), &address.storage, address.length);
  peer.resize(address.length);
  return peer;
}

double cpu_seconds(const IoPool& pool) {
  double total = 0;
  for (size_t i = 0; i < pool.size(); ++i) total += pool.cpu_seconds(i);
  return total;
}

std::string earliest_error(const Threads& threads) {
  const ThreadTally* earliest = nullptr;
  for (const auto& thread : threads)
    if (earliest == nullptr || thread->tally().first_error_time < earliest->first_error_time)
      earliest = &thread->tally();
  return earliest == nullptr ? std::string{} : earliest->first_error;
}

LoadResult merged(const Threads& threads) {
  LoadResult result;
  auto begin = ThreadTally::TimePoint::max(), end = ThreadTally::TimePoint::min();
  for (const auto& thread : threads) {
    const ThreadTally& tally = thread->tally();
    result.bytes += tally.bytes;
    result.objects += tally.objects;
    for (const auto& [op, count] : tally.requests) result.requests[op] += count;
    for (const auto& [what, count] : tally.errors) result.errors[what] += count;
    result.service_ns.merge(tally.service_ns);
    result.ttfb_ns.merge(tally.ttfb_ns);
    begin = std::min(begin, tally.begin);
    end = std::max(end, tally.end);
  }
  if (begin < end) result.seconds = std::chrono::duration<double>(end - begin).count();
  result.first_error = earliest_error(threads);
  return result;
}

/// The pool and its threads while a load runs.
class Run {
 public:
  Run(const LoadSpec& spec, const tcp::endpoint& peer, LoadProgress& progress)
      : spec_(spec), shared_(spec, progress), pool_(spec.threads, "s3-load") {
    for (size_t i = 0; i < spec.threads; ++i)
      threads_.push_back(std::make_unique<LoadThread>(pool_.context(i), peer, shared_));
  }
  ~Run() { end(); }

  Result<LoadResult> operator()() {
    pool_.start();
    for (auto& thread : threads_) thread->tick();
    if (const std::string fault = open_connections(); !fault.empty())
      return Error{fmt::format("cannot open {} connections to {}: {}", connections(),
                               spec_.endpoint.url(), fault)};
    const double cpu_before = cpu_seconds(pool_);
    work();
    const double cpu_used = cpu_seconds(pool_) - cpu_before;
    end();
    LoadResult result = merged(threads_);
    result.cpu_seconds = cpu_used;
    result.interrupted = interrupted();
    if (shared_.gave_up)
      result.gave_up = fmt::format("gave up after {} failures in a row; the first error was: {}",
                                   kMostFailuresInARow, result.first_error);
    abort_open_uploads(result);
    return result;
  }

 private:
  ptrdiff_t connections() const {
    return static_cast<ptrdiff_t>(spec_.threads * spec_.concurrency);
  }

  /// Why one of them failed; empty where all are open.
  std::string open_connections() {
    std::latch opened(connections());
    for (auto& thread : threads_) thread->open(opened);
    opened.wait();
    return earliest_error(threads_);
  }

  void work() {
    std::latch done(connections());
    shared_.queue.start(Clock::now());
    for (auto& thread : threads_) thread->work(done);
    done.wait();
  }

  void end() {
    shared_.over = true;
    pool_.join();
  }

  void abort_open_uploads(LoadResult& result) const {
    for (const OpenUpload& upload : shared_.queue.open_uploads()) {
      const Status aborted =
          abort_upload(spec_.endpoint, spec_.bucket, upload.key, upload.upload_id);
      ++result.requests["AbortMultipartUpload"];
      if (aborted) continue;
      ++result.errors["abort"];
      if (result.first_error.empty()) result.first_error = aborted.error().message;
    }
  }

  const LoadSpec& spec_;
  LoadShared shared_;
  IoPool pool_;
  Threads threads_;
};

}  // namespace

Result<LoadResult> run_load(const LoadSpec& spec, LoadProgress& progress) try {
  if (const std::string fault = fault_of(spec); !fault.empty()) return Error{fault};
  const Result<SocketAddress> address = reachable_address(spec.endpoint, kReachLimit);
  if (!address) return address.error();
  if (spec.op == Direction::put)
    if (const Status made = ensure_bucket(spec.endpoint, spec.bucket); !made) return made.error();
  return Run(spec, peer_of(*address), progress)();
} catch (const std::exception& e) {
  return Error{std::string("the load cannot be run: ") + e.what()};
}

}  // namespace mocks3::client
