#pragma once
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace mocks3::test {

/// Runs work(0) ... work(count - 1), each on a thread of its own, and waits for all.
template <class Work>
void in_parallel(size_t count, Work work) {
  std::vector<std::thread> threads;
  for (size_t i = 0; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace mocks3::test
