#pragma once
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace mocks3 {

/// N threads with one io_context each: whatever is started on a context stays on its thread, so
/// that nothing on it needs a lock. Server workers and native client threads are both one of these.
class IoPool {
 public:
  /// Threads start at start(); `name` is what tools such as top show ("worker").
  IoPool(size_t threads, std::string name);
  ~IoPool();  ///< stops and joins
  IoPool(const IoPool&) = delete;
  IoPool& operator=(const IoPool&) = delete;

  void start();
  /// Makes every context return as soon as it can; join() then waits for the threads.
  void stop();
  /// Lets contexts return once they have nothing left to do, and waits for that.
  void join();

  size_t size() const { return slots_.size(); }
  boost::asio::io_context& context(size_t index) { return slots_[index]->context; }
  /// CPU seconds used by that thread so far; callable from any thread.
  double cpu_seconds(size_t index) const;

 private:
  struct Slot {
    boost::asio::io_context context{1};
    std::optional<boost::asio::executor_work_guard<boost::asio::io_context::executor_type>> guard;
    std::thread thread;
  };
  std::string name_;
  std::vector<std::unique_ptr<Slot>> slots_;
};

}  // namespace mocks3
