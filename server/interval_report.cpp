#include "server/interval_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "shared/util/process_usage.hpp"
#include "shared/util/units.hpp"
#include "shared/util/version.hpp"

namespace mocks3::server {
namespace {

double gbit_per_s(uint64_t bytes, double seconds) {
  return static_cast<double>(bytes) * 8e-9 / seconds;
}
double mib_per_s(uint64_t bytes, double seconds) {
  return static_cast<double>(bytes) / static_cast<double>(kMiB) / seconds;
}

/// "PutObject 12, GetObject 3": the commonest first, at most four.
std::string operation_mix(const std::array<uint64_t, kS3OpCount>& before,
                          const std::array<uint64_t, kS3OpCount>& now) {
  std::vector<std::pair<uint64_t, S3Op>> counts;
  for (size_t i = 0; i < kS3OpCount; ++i)
    if (now[i] > before[i]) counts.emplace_back(now[i] - before[i], static_cast<S3Op>(i));
  std::stable_sort(counts.begin(), counts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  constexpr size_t kMost = 4;
  std::string mix;
  for (size_t i = 0; i < std::min(counts.size(), kMost); ++i)
    mix += fmt::format("{}{} {}", i > 0 ? ", " : "", name(counts[i].second), counts[i].first);
  if (counts.size() > kMost) mix += ", ...";
  return mix;
}

bool only_loopback(const std::vector<std::string>& bind) {
  return std::all_of(bind.begin(), bind.end(), [](const std::string& address) {
    return address == "::1" || address.rfind("127.", 0) == 0;
  });
}

constexpr std::string_view kHeader =
    "      interval      |  conn |  requests/s |      in MiB/s   Gbit/s |     out MiB/s   Gbit/s | "
    "operations\n";

}  // namespace

IntervalReport::IntervalReport(const Metrics& metrics)
    : metrics_(metrics), last_(metrics.totals()), last_ns_(metrics.uptime_ns()) {}

std::string IntervalReport::next_line() {
  const uint64_t now_ns = metrics_.uptime_ns();
  const Metrics::Totals now = metrics_.totals();
  const double seconds = static_cast<double>(now_ns - last_ns_) * 1e-9;
  const uint64_t in = now.bytes_in - last_.bytes_in;
  const uint64_t out = now.bytes_out - last_.bytes_out;
  const uint64_t requests = now.requests - last_.requests;
  std::string line;
  if (seconds > 0 && (in > 0 || out > 0 || requests > 0)) {
    if (!header_printed_) line = kHeader;
    header_printed_ = true;
    line += fmt::format(
        "{:8.2f}-{:8.2f} s | {:5} | {:11.0f} | {:13.1f} {:8.3f} | {:13.1f} {:8.3f} | {}\n",
        static_cast<double>(last_ns_) * 1e-9, static_cast<double>(now_ns) * 1e-9,
        metrics_.connections_open.load(), static_cast<double>(requests) / seconds,
        mib_per_s(in, seconds), gbit_per_s(in, seconds), mib_per_s(out, seconds),
        gbit_per_s(out, seconds), operation_mix(last_.op_requests, now.op_requests));
  }
  last_ = now;
  last_ns_ = now_ns;
  return line;
}

std::string IntervalReport::totals() const {
  const Metrics::Totals all = metrics_.totals();
  const ProcessUsage usage = own_usage();
  std::string text = fmt::format(
      "total: {} requests ({} errors) on {} connections, {} in, {} out in {:.1f} s; "
      "CPU {:.2f} s, peak memory {}\n",
      all.requests, all.errors, metrics_.connections_accepted.load(), format_size(all.bytes_in),
      format_size(all.bytes_out), static_cast<double>(metrics_.uptime_ns()) * 1e-9,
      usage.cpu_seconds, format_size(usage.peak_rss_bytes));
  const std::string mix = operation_mix({}, all.op_requests);
  if (!mix.empty()) text += "       " + mix + "\n";
  return text;
}

std::string banner(const Options& options, size_t workers, const std::vector<std::string>& urls) {
  std::string text = fmt::format("mock-s3 {}, {} worker{}, payload discarded\n", version(), workers,
                                 workers == 1 ? "" : "s");
  text += fmt::format("listening on {} ({})\n", fmt::join(urls, " and "),
                      only_loopback(options.bind) ? "this machine only"
                                                  : "open to every host that reaches this address");
  text += fmt::format(
      "try: AWS_ENDPOINT_URL={} AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any "
      "AWS_REGION={} aws s3 ls\n",
      urls.front(), options.region);
  return text;
}

}  // namespace mocks3::server
