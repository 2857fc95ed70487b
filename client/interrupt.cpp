#include "client/interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>

namespace mocks3::client {
namespace {

std::atomic<bool> interrupt_seen{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler stores to it");

void on_signal(int) {
  if (interrupt_seen.exchange(true)) _exit(kInterruptedExit);
}

}  // namespace

void install_interrupt_handler() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return interrupt_seen.load(std::memory_order_relaxed); }

}  // namespace mocks3::client
