#include "shared/net/io_pool.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <boost/asio/post.hpp>
#include <future>

using namespace mocks3;

TEST_CASE("work posted to a context runs on that context's thread, every time") {
  IoPool pool(2, "test");
  pool.start();
  auto thread_of = [&pool](size_t index) {
    std::promise<std::thread::id> id;
    boost::asio::post(pool.context(index), [&id] { id.set_value(std::this_thread::get_id()); });
    return id.get_future().get();
  };
  CHECK(thread_of(0) == thread_of(0));
  CHECK(thread_of(1) == thread_of(1));
  CHECK(thread_of(0) != thread_of(1));
}

TEST_CASE("join waits for the work that was posted") {
  std::atomic<int> done{0};
  IoPool pool(3, "test");
  pool.start();
  for (size_t i = 0; i < 300; ++i) boost::asio::post(pool.context(i % 3), [&done] { ++done; });
  pool.join();
  CHECK(done == 300);
}

TEST_CASE("CPU seconds of a busy thread grow, those of an idle one hardly") {
  IoPool pool(2, "test");
  CHECK(pool.cpu_seconds(0) == 0);
  pool.start();
  std::promise<void> worked;
  boost::asio::post(pool.context(0), [&worked] {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(60);
    while (std::chrono::steady_clock::now() < end) {
    }
    worked.set_value();
  });
  worked.get_future().get();
  CHECK(pool.cpu_seconds(0) > 0.005);
  CHECK(pool.cpu_seconds(1) < pool.cpu_seconds(0));
}
