#include "client/target.hpp"

#include <fmt/format.h>

#include <random>

#include "shared/util/provenance.hpp"

namespace mocks3::client {
namespace {

Status reach(const Options& options, const std::vector<std::string>& arguments, Target& target) {
  if (options.endpoint.empty()) {
    auto server = LocalServer::start(arguments);
    if (!server) return server.error();
    target.server = std::move(*server);
    target.endpoint = target.server->endpoint();
    return ok_status();
  }
  auto endpoint = parse_endpoint(options.endpoint);
  if (!endpoint) return endpoint.error();
  target.endpoint = std::move(*endpoint);
  return ok_status();
}

}  // namespace

std::vector<std::pair<std::string, std::string>> Target::settings() const {
  std::vector<std::pair<std::string, std::string>> settings = {{"endpoint", endpoint.url()}};
  if (stats) settings.emplace_back("server", "mock-s3 " + stats->version);
  if (!server) return settings;
  std::vector<std::string> words;
  for (const std::string& word : server->command()) words.push_back(shell_quote(word));
  settings.emplace_back("server command", fmt::format("{}", fmt::join(words, " ")));
  return settings;
}

std::vector<std::string> Target::notes() const {
  std::vector<std::string> notes;
  if (!is_loopback(endpoint))
    notes.push_back(
        "The server is on another host: no raw ceiling of the path was measured; run iperf3 beside "
        "it.");
  if (server) return notes;
  notes.push_back(
      stats ? fmt::format("From /_mock/stats of {}: Server CPU, Requests, and the byte count that "
                          "the row was checked with.",
                          endpoint.url())
            : fmt::format("{} has no /_mock/stats: no server columns, and bytes are checked at the "
                          "client only.",
                          endpoint.url()));
  return notes;
}

Result<Target> open_target(const Options& options, const std::vector<std::string>& arguments) {
  Target target;
  if (const Status reached = reach(options, arguments, target); !reached) return reached.error();
  auto stats = fetch_server_stats(target.endpoint);
  if (!stats) return stats.error();
  target.stats = std::move(*stats);
  return target;
}

std::string random_prefix() {
  std::random_device device;
  return fmt::format("s3-bench-{:08x}{:08x}", device(), device());
}

}  // namespace mocks3::client
