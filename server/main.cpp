#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <thread>

#include "server/interval_report.hpp"
#include "server/metrics.hpp"
#include "server/options.hpp"
#include "server/server.hpp"
#include "shared/util/process_usage.hpp"

using namespace mocks3;
using namespace mocks3::server;

namespace {

sigset_t stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

void print(const std::string& text, bool wanted) {
  if (!wanted || text.empty()) return;
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

/// Prints interval lines until a signal asks to stop.
void report_until_signal(IntervalReport& report, const Options& options) {
  const sigset_t signals = stop_signals();
  const bool lines = options.stats_interval.count() > 0;
  const auto step = lines ? options.stats_interval : std::chrono::hours(1);
  const timespec wait{static_cast<time_t>(step.count() / 1'000'000'000),
                      step.count() % 1'000'000'000};
  while (sigtimedwait(&signals, nullptr, &wait) < 0)
    if (lines) print(report.next_line(), options.log_level != "error");
}

}  // namespace

int main(int argc, char** argv) {
  const ParsedOptions parsed = parse_options({argv + 1, argv + argc});
  if (!parsed.run) {
    std::fputs(parsed.text.c_str(), parsed.exit_code == 0 ? stdout : stderr);
    return parsed.exit_code;
  }
  // Blocked here and so in every thread: only report_until_signal() takes them.
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  raise_open_file_limit();

  auto server = Server::start(parsed.options);
  if (!server) {
    std::fprintf(stderr, "mock-s3: %s\n", server.error().message.c_str());
    return 1;
  }
  const bool talk = parsed.options.log_level != "error";
  print(banner(parsed.options, (*server)->metrics().workers(), (*server)->urls()), talk);
  IntervalReport report((*server)->metrics());
  report_until_signal(report, parsed.options);

  // From now on a second signal ends the process at once.
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  (*server)->stop();
  print(report.next_line(), talk && parsed.options.stats_interval.count() > 0);
  print(report.totals(), talk);
  return 0;
}
