#include "client/sweep/monitor.hpp"

#include <algorithm>
#include <utility>

namespace mocks3::client {
namespace {

constexpr std::chrono::seconds kSampleEvery{1};

uint64_t grown(uint64_t now, uint64_t before) { return now > before ? now - before : 0; }

}  // namespace

Monitor::Monitor(Progress& progress, Endpoint endpoint, bool with_stats)
    : progress_(progress),
      endpoint_(std::move(endpoint)),
      with_stats_(with_stats),
      thread_([this] { run(); }) {}

Monitor::~Monitor() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Monitor::begin(const std::string& cell, const std::optional<ServerStats>& before,
                    const LoadProgress* load) {
  {
    const std::lock_guard lock(mutex_);
    cell_ = cell;
    load_ = load;
    last_ = counters(before);
    last_time_s_ = now_s();
    active_ = true;
  }
  changed_.notify_all();
}

void Monitor::end(const std::optional<ServerStats>& after) {
  const std::lock_guard lock(mutex_);
  take_sample(after);
  active_ = false;
  load_ = nullptr;
}

void Monitor::set_time_left(std::optional<double> seconds) {
  const std::lock_guard lock(mutex_);
  time_left_at_s_ = seconds ? std::optional(now_s() + *seconds) : std::nullopt;
}

std::vector<Sample> Monitor::take_samples() {
  const std::lock_guard lock(mutex_);
  return std::exchange(samples_, {});
}

void Monitor::run() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (!active_) {
      changed_.wait(lock, [this] { return active_ || stop_; });
      continue;
    }
    const std::string cell = cell_;
    changed_.wait_for(lock, kSampleEvery, [&] { return stop_ || !active_ || cell_ != cell; });
    if (stop_ || !active_ || cell_ != cell) continue;
    std::optional<ServerStats> stats;
    if (with_stats_) {
      // A second without an answer is a second without a sample; the next one has both.
      auto fetched = fetch_server_stats(endpoint_);
      if (!fetched || !*fetched) continue;
      stats = std::move(*fetched);
    }
    take_sample(stats);
  }
}

void Monitor::take_sample(const std::optional<ServerStats>& stats) {
  if (!active_ || (with_stats_ && !stats)) return;
  const Counters now = counters(stats);
  Sample sample;
  sample.time_s = now_s();
  sample.cell = cell_;
  sample.client_bytes = grown(now.client_bytes, last_.client_bytes);
  sample.server_bytes_in = grown(now.server_in, last_.server_in);
  sample.server_bytes_out = grown(now.server_out, last_.server_out);
  sample.server_cpu_s = std::max(0.0, now.server_cpu_s - last_.server_cpu_s);
  const double seconds = std::max(sample.time_s - last_time_s_, 1e-9);
  const uint64_t moved =
      with_stats_ ? sample.server_bytes_in + sample.server_bytes_out : sample.client_bytes;
  std::optional<double> left;
  if (time_left_at_s_) left = std::max(0.0, *time_left_at_s_ - sample.time_s);
  progress_.update(static_cast<double>(moved) / seconds, left);
  last_ = now;
  last_time_s_ = sample.time_s;
  samples_.push_back(std::move(sample));
}

Monitor::Counters Monitor::counters(const std::optional<ServerStats>& stats) const {
  Counters counters;
  if (load_ != nullptr) counters.client_bytes = load_->bytes.load(std::memory_order_relaxed);
  if (!stats) return counters;
  counters.server_in = stats->bytes_in;
  counters.server_out = stats->bytes_out;
  counters.server_cpu_s = stats->cpu_s;
  return counters;
}

double Monitor::now_s() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace mocks3::client
