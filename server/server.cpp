#include "server/server.hpp"

#include <boost/asio/post.hpp>
#include <future>
#include <thread>

#include "server/access_log.hpp"
#include "server/handlers.hpp"
#include "server/listener.hpp"
#include "server/metrics.hpp"
#include "server/preload.hpp"
#include "server/worker.hpp"
#include "shared/net/io_pool.hpp"

namespace mocks3::server {
namespace {

size_t worker_count(const Options& options) {
  return options.workers > 0 ? options.workers : std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

struct Server::Impl {
  explicit Impl(const Options& o)
      : options(o),
        store(o.strict_buckets),
        metrics(worker_count(o)),
        handlers{options, store, metrics},
        accept_pool(1, "accept"),
        worker_pool(worker_count(o), "worker") {}

  const Options options;
  Store store;
  Metrics metrics;
  HandlerContext handlers;
  std::unique_ptr<AccessLog> access_log;
  std::vector<ListenSocket> sockets;
  // Sessions that were cut live in their context until it goes: workers must outlive the pool.
  std::vector<std::unique_ptr<Worker>> workers;
  IoPool accept_pool;
  IoPool worker_pool;
  std::unique_ptr<Listener> listener;
  bool stopped = false;

  Status prepare();
  void run();
  void stop();
  bool wait_for_connections(std::chrono::nanoseconds time);
};

Status Server::Impl::prepare() {
  if (!options.access_log.empty()) {
    auto log = AccessLog::open(options.access_log);
    if (!log) return log.error();
    access_log = std::move(*log);
  }
  if (const auto preloaded = preload(store, options.preload, now_millis()); !preloaded)
    return preloaded.error();
  const bool default_bind = options.bind == Options{}.bind;
  auto bound = listen_on(options.bind, options.port, default_bind);
  if (!bound) return bound.error();
  sockets = std::move(*bound);
  return ok_status();
}

void Server::Impl::run() {
  for (size_t i = 0; i < worker_pool.size(); ++i)
    workers.push_back(
        std::make_unique<Worker>(i, worker_pool.context(i), handlers, access_log.get()));
  metrics.worker_cpu_seconds = [this] {
    std::vector<double> seconds;
    for (size_t i = 0; i < worker_pool.size(); ++i) seconds.push_back(worker_pool.cpu_seconds(i));
    return seconds;
  };
  listener = std::make_unique<Listener>(accept_pool.context(0), sockets, workers, metrics,
                                        options.max_connections);
  listener->start();
  worker_pool.start();
  accept_pool.start();
}

void Server::Impl::stop() {
  if (stopped) return;
  stopped = true;
  std::promise<void> closed;
  boost::asio::post(accept_pool.context(0), [this, &closed] {
    listener->stop();
    closed.set_value();
  });
  closed.get_future().wait();
  accept_pool.stop();
  accept_pool.join();
  for (auto& worker : workers) worker->drain();
  if (!wait_for_connections(options.grace)) {
    for (auto& worker : workers) worker->cut();
    wait_for_connections(std::chrono::seconds(1));
  }
  worker_pool.stop();
  worker_pool.join();
  for (auto& worker : workers) worker->stop_clock();
}

/// False where some are left after `time`.
bool Server::Impl::wait_for_connections(std::chrono::nanoseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  const auto any_live = [this] {
    for (const auto& worker : workers)
      if (worker->live() > 0) return true;
    return false;
  };
  while (any_live()) {
    if (std::chrono::steady_clock::now() >= until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

Result<std::unique_ptr<Server>> Server::start(const Options& options) {
  auto impl = std::make_unique<Impl>(options);
  if (const Status prepared = impl->prepare(); !prepared) return prepared.error();
  impl->run();
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() { stop(); }

uint16_t Server::port() const { return impl_->sockets.front().port; }

std::vector<std::string> Server::urls() const {
  std::vector<std::string> urls;
  for (const ListenSocket& socket : impl_->sockets) urls.push_back(socket.url);
  return urls;
}

Metrics& Server::metrics() { return impl_->metrics; }
void Server::stop() { impl_->stop(); }

}  // namespace mocks3::server
