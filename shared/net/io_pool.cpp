#include "shared/net/io_pool.hpp"

#include <pthread.h>
#include <time.h>

namespace mocks3 {

IoPool::IoPool(size_t threads, std::string name) : name_(std::move(name)) {
  for (size_t i = 0; i < threads; ++i) slots_.push_back(std::make_unique<Slot>());
  for (auto& slot : slots_) slot->guard.emplace(slot->context.get_executor());
}

IoPool::~IoPool() {
  stop();
  join();
}

void IoPool::start() {
  for (size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = *slots_[i];
    slot.thread = std::thread([&slot] { slot.context.run(); });
    // The kernel keeps 15 characters.
    const std::string name = (name_ + "-" + std::to_string(i)).substr(0, 15);
    pthread_setname_np(slot.thread.native_handle(), name.c_str());
  }
}

void IoPool::stop() {
  for (auto& slot : slots_) slot->context.stop();
}

void IoPool::join() {
  for (auto& slot : slots_) slot->guard.reset();
  for (auto& slot : slots_)
    if (slot->thread.joinable()) slot->thread.join();
}

double IoPool::cpu_seconds(size_t index) const {
  const std::thread& thread = slots_[index]->thread;
  clockid_t clock;
  timespec time{};
  if (!thread.joinable()) return 0;
  if (pthread_getcpuclockid(const_cast<std::thread&>(thread).native_handle(), &clock) != 0)
    return 0;
  if (clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace mocks3
