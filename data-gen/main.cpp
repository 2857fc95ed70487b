#include <signal.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "data-gen/commands.hpp"
#include "data-gen/options.hpp"

namespace {

volatile sig_atomic_t caught_signal = 0;

void on_signal(int number) { caught_signal = number; }

/// Signals that end the program do so once what is unfinished was removed: they interrupt a
/// blocking call, so no SA_RESTART. Writes that cannot go on fail instead of killing.
void set_up_signals() {
  struct sigaction stop {};
  stop.sa_handler = on_signal;
  for (const int number : {SIGINT, SIGTERM}) sigaction(number, &stop, nullptr);
  struct sigaction hang_up {};
  const bool ignored =  // by nohup
      sigaction(SIGHUP, nullptr, &hang_up) == 0 && hang_up.sa_handler == SIG_IGN;
  if (!ignored) sigaction(SIGHUP, &stop, nullptr);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  for (const int number : {SIGPIPE, SIGXFSZ}) sigaction(number, &ignore, nullptr);
}

/// What was printed has to arrive.
int flush_output(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  std::fprintf(stderr, "data-gen: cannot write to standard output: %s\n", std::strerror(errno));
  return status == 0 ? 1 : status;
}

}  // namespace

int main(int argc, char** argv) {
  const auto parsed = mocks3::datagen::parse_options({argv + 1, argv + argc});
  if (!parsed.run) {
    std::fputs(parsed.text.c_str(), parsed.exit_code == 0 ? stdout : stderr);
    return flush_output(parsed.exit_code);
  }
  set_up_signals();
  const int status =
      mocks3::datagen::run_command(parsed.options, [] { return caught_signal != 0; });
  return caught_signal != 0 ? 128 + caught_signal : flush_output(status);
}
