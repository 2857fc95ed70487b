#include "client/ceiling.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

#include "client/interrupt.hpp"
#include "client/receive_buffer.hpp"
#include "data-gen/object_bytes.hpp"
#include "shared/net/socket_options.hpp"

namespace mocks3::client {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kWarmUp = std::chrono::milliseconds(150);
constexpr auto kInterruptPoll = std::chrono::milliseconds(50);

/// A connected pair of loopback sockets and a thread at each end.
class Stream {
 public:
  Stream() = default;
  ~Stream() {
    for (const int fd : {from_, to_})
      if (fd >= 0) close(fd);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// 0 or errno.
  int open() {
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    from_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool good = listener >= 0 && from_ >= 0 && bind(listener, generic, length) == 0 &&
                      listen(listener, 1) == 0 && getsockname(listener, generic, &length) == 0 &&
                      connect(from_, generic, length) == 0 &&
                      (to_ = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;
    const int error = good ? 0 : errno;
    if (listener >= 0) close(listener);
    if (good) tune_connection(from_);
    if (good) tune_connection(to_);
    return error;
  }

  void start(bool truncate, const std::atomic<bool>& stop) {
    sender_ = std::thread([this, &stop] { send_until(stop); });
    receiver_ = std::thread([this, truncate] { receive_all(truncate); });
  }

  /// After `stop` was set: waits for both threads. Gives 0, or errno of a send that failed.
  int finish() {
    sender_.join();
    receiver_.join();
    return error_;
  }

  uint64_t received() const { return received_.load(std::memory_order_relaxed); }

 private:
  void send_until(const std::atomic<bool>& stop) {
    while (!stop.load(std::memory_order_relaxed) && error_ == 0)
      if (send(from_, ring_at(0), kRingBytes, MSG_NOSIGNAL) < 0 && errno != EINTR) error_ = errno;
    shutdown(from_, SHUT_WR);
  }

  void receive_all(bool truncate) {
    const ReceiveBuffer buffer(kRingBytes);
    if (truncate) set_receive_low_water(to_, kBulkLowWaterBytes);
    for (;;) {
      const int64_t n = truncate ? discard_received(to_, std::numeric_limits<uint64_t>::max())
                                 : recv(to_, buffer.data(), buffer.size(), 0);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return;
      received_.fetch_add(static_cast<uint64_t>(n), std::memory_order_relaxed);
    }
  }

  int from_ = -1, to_ = -1;
  int error_ = 0;  // the sender's until it was joined
  std::thread sender_, receiver_;
  alignas(64) std::atomic<uint64_t> received_{0};
};

using Streams = std::vector<std::unique_ptr<Stream>>;

uint64_t received_by(const Streams& streams) {
  uint64_t total = 0;
  for (const auto& stream : streams) total += stream->received();
  return total;
}

void sleep_unless_interrupted(Clock::duration time) {
  const auto end = Clock::now() + time;
  while (!interrupted() && Clock::now() < end)
    std::this_thread::sleep_for(std::min<Clock::duration>(kInterruptPoll, end - Clock::now()));
}

/// Bytes per second over `time`, after a warm-up.
double measure(const Streams& streams, std::chrono::milliseconds time) {
  std::this_thread::sleep_for(kWarmUp);
  const uint64_t before = received_by(streams);
  const auto begin = Clock::now();
  sleep_unless_interrupted(time);
  const uint64_t bytes = received_by(streams) - before;
  return static_cast<double>(bytes) / std::chrono::duration<double>(Clock::now() - begin).count();
}

Error failed(int error) {
  return Error{std::string("cannot measure a pair of loopback sockets: ") + std::strerror(error)};
}

}  // namespace

Result<double> raw_ceiling(Direction direction, size_t streams, std::chrono::milliseconds time) {
  Streams pairs;
  for (size_t i = 0; i < streams; ++i) {
    pairs.push_back(std::make_unique<Stream>());
    if (const int error = pairs.back()->open(); error != 0) return failed(error);
  }
  std::atomic<bool> stop{false};
  for (const auto& pair : pairs) pair->start(direction == Direction::put, stop);
  const double rate = measure(pairs, time);
  stop = true;
  int error = 0;
  for (const auto& pair : pairs) error = std::max(error, pair->finish());
  if (error != 0) return failed(error);
  return rate;
}

}  // namespace mocks3::client
