#include "client/stats/verdict.hpp"

#include <algorithm>

namespace mocks3::client {
namespace {

constexpr double kNoisySpread = 0.30;
constexpr double kPathRatio = 0.90;
constexpr double kWorkerBusy = 0.95;
constexpr double kClientBusy = 0.90;
constexpr double kHostBusy = 0.95;

bool client_busy(const VerdictFacts& facts) {
  const double limit = std::min(facts.client_core_limit, static_cast<double>(facts.host_cores));
  return limit > 0 && facts.client_cores >= kClientBusy * limit;
}

}  // namespace

std::string_view verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::path:
      return "path";
    case Verdict::client_cpu:
      return "client CPU";
    case Verdict::server_cpu:
      return "server CPU";
    case Verdict::host_cpu:
      return "host CPU";
    case Verdict::noisy:
      return "noisy";
    case Verdict::latency_concurrency:
      break;
  }
  return "latency/concurrency";
}

Verdict judge(const VerdictFacts& facts) {
  if (facts.spread > kNoisySpread) return Verdict::noisy;
  if (facts.ceiling_ratio >= kPathRatio) return Verdict::path;
  const bool busy = client_busy(facts);
  if (facts.server_worker.value_or(0) >= kWorkerBusy && !busy) return Verdict::server_cpu;
  if (busy) return Verdict::client_cpu;
  if (facts.host_busy.value_or(0) >= kHostBusy) return Verdict::host_cpu;
  return Verdict::latency_concurrency;
}

}  // namespace mocks3::client
