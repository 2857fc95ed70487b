#include <map>
#include <nlohmann/json.hpp>

#include "server/metrics.hpp"
#include "shared/util/process_usage.hpp"
#include "shared/util/version.hpp"

namespace mocks3::server {

namespace {

using Json = nlohmann::ordered_json;

/// Keys and header values can be any bytes; what is not UTF-8 becomes U+FFFD.
std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json process_json() {
  const ProcessUsage usage = own_usage();
  return {{"cpu_s", usage.cpu_seconds},
          {"rss_bytes", usage.rss_bytes},
          {"peak_rss_bytes", usage.peak_rss_bytes},
          {"open_fds", usage.open_fds}};
}

Json latency_json(const Histogram& latency) {
  return {{"p50", latency.quantile(0.5)},
          {"p90", latency.quantile(0.9)},
          {"p99", latency.quantile(0.99)},
          {"p999", latency.quantile(0.999)},
          {"max", latency.max()}};
}

Json request_json(size_t worker, const RequestRecord& request) {
  return {{"start_ns", request.start_ns},
          {"ttfb_ns", request.ttfb_ns},
          {"duration_ns", request.duration_ns},
          {"worker", worker},
          {"connection", request.connection_id},
          {"request_id", request.request_id},
          {"op", name(request.op)},
          {"method", request.method},
          {"bucket", request.bucket},
          {"key", request.key},
          {"status", request.status},
          {"error", request.error_code},
          {"completed", request.completed},
          {"bytes_in", request.bytes_in},
          {"bytes_out", request.bytes_out},
          {"range", request.range},
          {"part_number", request.part_number},
          {"upload_id", request.upload_id},
          {"content_sha256", request.content_sha256},
          {"framing", request.framing},
          {"checksums", request.checksums},
          {"content_md5", request.content_md5},
          {"expect_continue", request.expect_continue},
          {"user_agent", request.user_agent}};
}

}  // namespace

Metrics::Summary Metrics::summary() const {
  Summary sum;
  for (const auto& worker : workers_) {
    const std::lock_guard lock(worker->mutex_);
    for (const auto& [code, count] : worker->error_counts_) sum.errors[code] += count;
    for (size_t op = 0; op < kS3OpCount; ++op) {
      const auto& totals = worker->totals_[op];
      if (!totals) continue;
      sum.requests += totals->count;
      sum.operations[op].add(*totals);
    }
  }
  return sum;
}

std::string Metrics::stats_json() const {
  std::pair<uint64_t, uint64_t> bytes;
  Summary sum;
  {
    const std::lock_guard lock(reset_mutex_);
    bytes = live_bytes();
    bytes.first -= bytes_at_reset_.first;
    bytes.second -= bytes_at_reset_.second;
    sum = summary();
  }
  Json operations = Json::object();
  for (size_t op = 0; op < kS3OpCount; ++op) {
    const WorkerMetrics::OpTotals& totals = sum.operations[op];
    if (totals.count == 0) continue;
    operations[std::string(name(static_cast<S3Op>(op)))] = {
        {"count", totals.count},
        {"errors", totals.errors},
        {"bytes_in", totals.bytes_in},
        {"bytes_out", totals.bytes_out},
        {"latency_ns", latency_json(totals.latency)}};
  }
  const Json json = {
      {"version", version()},
      {"payload", "discard"},
      {"uptime_s", static_cast<double>(uptime_ns()) / 1e9},
      {"workers", workers()},
      {"process", process_json()},
      {"worker_cpu_s", worker_cpu_seconds ? worker_cpu_seconds() : std::vector<double>{}},
      {"connections",
       {{"open", connections_open.load()},
        {"accepted", connections_accepted.load()},
        {"refused", connections_refused.load()}}},
      {"bytes_in", bytes.first},
      {"bytes_out", bytes.second},
      {"requests", sum.requests},
      {"errors", sum.errors},
      {"operations", operations}};
  return text_of(json);
}

std::string Metrics::requests_json(const RequestFilter& filter) const {
  const uint64_t now_ns = uptime_ns();
  uint64_t forgotten = 0;
  Json requests = Json::array();
  for (const auto& [worker, record] : select(filter, forgotten)) {
    requests.push_back(request_json(worker, record));
  }
  return text_of({{"now_ns", now_ns}, {"forgotten", forgotten}, {"requests", requests}});
}

}  // namespace mocks3::server
