#include "server/metrics.hpp"

#include <algorithm>
#include <chrono>

namespace mocks3::server {

namespace {

constexpr size_t kMaxText = 1024;
constexpr size_t kMaxUserAgent = 256;

uint64_t steady_ns() {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch() /
                               std::chrono::nanoseconds(1));
}

bool failed(const RequestFigures& request) { return request.status >= 400 || !request.completed; }

bool wanted(const RequestFigures& request, const RequestFilter& filter) {
  return request.start_ns >= filter.since_ns && (!filter.errors_only || failed(request)) &&
         (filter.op.empty() || filter.op == name(request.op));
}

}  // namespace

const std::array<std::string RequestRecord::*, WorkerMetrics::kTexts> WorkerMetrics::kTextMembers =
    {&RequestRecord::method,         &RequestRecord::bucket,    &RequestRecord::key,
     &RequestRecord::error_code,     &RequestRecord::range,     &RequestRecord::upload_id,
     &RequestRecord::content_sha256, &RequestRecord::framing,   &RequestRecord::checksums,
     &RequestRecord::user_agent,     &RequestRecord::request_id};

void WorkerMetrics::pack(const RequestRecord& record, Packed& out) {
  out.figures = record;
  out.text.clear();
  for (size_t i = 0; i < kTexts; ++i) {
    const auto member = kTextMembers[i];
    const size_t limit = member == &RequestRecord::user_agent ? kMaxUserAgent : kMaxText;
    out.text.append(record.*member, 0, limit);
    out.ends[i] = static_cast<uint16_t>(out.text.size());
  }
}

RequestRecord WorkerMetrics::unpack(const Packed& packed) {
  RequestRecord record;
  static_cast<RequestFigures&>(record) = packed.figures;
  size_t start = 0;
  for (size_t i = 0; i < kTexts; ++i) {
    record.*kTextMembers[i] = packed.text.substr(start, packed.ends[i] - start);
    start = packed.ends[i];
  }
  return record;
}

void WorkerMetrics::OpTotals::add(const OpTotals& other) {
  count += other.count;
  errors += other.errors;
  bytes_in += other.bytes_in;
  bytes_out += other.bytes_out;
  latency.merge(other.latency);
}

void WorkerMetrics::count_error(std::string_view code) {
  for (auto& [known, count] : error_counts_) {
    if (known == code) {
      ++count;
      return;
    }
  }
  error_counts_.emplace_back(code, 1);
}

void WorkerMetrics::record(RequestRecord&& record) {
  if (record.op == S3Op::Admin) return;
  const auto op = static_cast<size_t>(record.op);
  const bool bad = failed(record);
  requests.add(1);
  op_requests[op].add(1);
  if (bad) errors.add(1);

  const std::lock_guard lock(mutex_);
  if (!totals_[op]) totals_[op] = std::make_unique<OpTotals>();
  OpTotals& totals = *totals_[op];
  ++totals.count;
  if (bad) {
    ++totals.errors;
    count_error(record.error_code.empty() ? "Incomplete" : record.error_code);
  } else {
    totals.bytes_in += record.bytes_in;
    totals.bytes_out += record.bytes_out;
    totals.latency.record(record.duration_ns);
  }
  if (ring_.size() < kRingRecords) ring_.emplace_back();
  pack(record, ring_[ring_next_]);
  ring_next_ = (ring_next_ + 1) % kRingRecords;
  ++recorded_;
}

void WorkerMetrics::reset() {
  std::vector<Packed> gone;
  const std::lock_guard lock(mutex_);
  for (auto& totals : totals_) totals.reset();
  error_counts_.clear();
  ring_.swap(gone);
  ring_next_ = 0;
  recorded_ = 0;
}

Metrics::Metrics(size_t workers) : started_ns_(steady_ns()) {
  for (size_t i = 0; i < workers; ++i) workers_.push_back(std::make_unique<WorkerMetrics>());
}

uint64_t Metrics::uptime_ns() const { return steady_ns() - started_ns_; }

std::pair<uint64_t, uint64_t> Metrics::live_bytes() const {
  std::pair<uint64_t, uint64_t> bytes{0, 0};
  for (const auto& worker : workers_) {
    bytes.first += worker->bytes_in.read();
    bytes.second += worker->bytes_out.read();
  }
  return bytes;
}

void Metrics::reset() {
  const std::lock_guard lock(reset_mutex_);
  bytes_at_reset_ = live_bytes();
  for (const auto& worker : workers_) worker->reset();
}

Metrics::Totals Metrics::totals() const {
  Totals totals;
  for (const auto& worker : workers_) {
    totals.bytes_in += worker->bytes_in.read();
    totals.bytes_out += worker->bytes_out.read();
    totals.requests += worker->requests.read();
    totals.errors += worker->errors.read();
    for (size_t op = 0; op < kS3OpCount; ++op) {
      totals.op_requests[op] += worker->op_requests[op].read();
    }
  }
  return totals;
}

std::vector<Metrics::Logged> Metrics::select(const RequestFilter& filter,
                                             uint64_t& forgotten) const {
  struct Found {
    uint64_t start_ns;
    size_t worker;
    const WorkerMetrics::Packed* packed;
  };
  std::vector<Found> found;
  std::vector<std::unique_lock<std::mutex>> locks;
  forgotten = 0;
  for (size_t w = 0; w < workers_.size(); ++w) {
    locks.emplace_back(workers_[w]->mutex_);
    forgotten += workers_[w]->recorded_ - workers_[w]->ring_.size();
    for (const auto& packed : workers_[w]->ring_) {
      if (wanted(packed.figures, filter)) found.push_back({packed.figures.start_ns, w, &packed});
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& a, const Found& b) { return a.start_ns < b.start_ns; });
  const size_t skip = found.size() - std::min(found.size(), filter.limit);
  std::vector<Logged> selected;
  for (size_t i = skip; i < found.size(); ++i) {
    selected.emplace_back(found[i].worker, WorkerMetrics::unpack(*found[i].packed));
  }
  return selected;
}

}  // namespace mocks3::server
