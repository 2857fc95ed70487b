#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "client/ceiling.hpp"
#include "client/endpoint.hpp"
#include "client/interrupt.hpp"
#include "client/iperf3.hpp"
#include "client/options.hpp"
#include "shared/util/units.hpp"

namespace mocks3::client {
namespace {

constexpr double kMiBDouble = static_cast<double>(kMiB);

std::string rate_cells(double bytes_per_s) {
  return fmt::format("{:8.2f} {:9.0f}", bytes_per_s * 8e-9, bytes_per_s / kMiBDouble);
}

void print_notes(const Options& options, const std::optional<Iperf3Version>& iperf3) {
  const Result<Endpoint> endpoint = parse_endpoint(options.endpoint);
  if (endpoint && !is_loopback(*endpoint))
    fmt::print(
        "Note: this is the loopback of this machine only. For the path to {} run\n"
        "iperf3 -s there and iperf3 -c {} -P STREAMS [-R] here.\n",
        endpoint->host, endpoint->host);
  fmt::print(
      "Raw: 256 KiB writes; put: received bytes are dropped in the kernel (MSG_TRUNC), "
      "get: read\ninto a buffer. put is client to server, get is server to client.\n");
  if (!iperf3)
    fmt::print("iperf3 is not installed: no second opinion (apt-get install iperf3).\n");
  else if (!iperf3->has_threads())
    fmt::print("iperf3 {}: all streams share one core (threads came with 3.16).\n", iperf3->text);
  else
    fmt::print("iperf3 {}: a thread per stream.\n", iperf3->text);
}

void print_header(bool with_iperf3) {
  fmt::print("{:>7} {:>9}  {:>18}", "", "", "raw TCP pair");
  if (with_iperf3) fmt::print("   {:>18}", "iperf3");
  fmt::print("\n{:>7} {:>9}  {:>8} {:>9}", "Streams", "Direction", "Gbit/s", "MiB/s");
  if (with_iperf3) fmt::print("   {:>8} {:>9}", "Gbit/s", "MiB/s");
  fmt::print("\n");
}

/// A row of the table; the error that ended it.
Status print_row(const Options& options, size_t streams, Direction direction, bool with_iperf3) {
  using namespace std::chrono;
  const Result<double> raw =
      raw_ceiling(direction, streams, duration_cast<milliseconds>(options.ceiling_time));
  if (!raw) return raw.error();
  fmt::print("{:>7} {:>9}  {}", streams, direction == Direction::put ? "put" : "get",
             rate_cells(*raw));
  std::optional<Error> failure;
  if (with_iperf3 && !interrupted()) {
    const Result<double> rate =
        iperf3_rate(direction, streams, ceil<seconds>(options.ceiling_time));
    fmt::print("   {}", rate ? rate_cells(*rate) : fmt::format("{:>18}", "failed"));
    if (!rate) failure = rate.error();
  }
  fmt::print("\n");
  std::fflush(stdout);
  if (failure && !interrupted()) return *failure;
  return ok_status();
}

}  // namespace

int run_ceiling_command(const Options& options, const std::string&) {
  const std::optional<Iperf3Version> iperf3 = find_iperf3();
  print_notes(options, iperf3);
  print_header(iperf3.has_value());
  int exit_code = 0;
  for (const size_t streams : options.streams) {
    for (const Direction direction : {Direction::put, Direction::get}) {
      if (interrupted()) return kInterruptedExit;
      const Status row = print_row(options, streams, direction, iperf3.has_value());
      if (row) continue;
      fmt::print(stderr, "s3-bench: {}\n", row.error().message);
      exit_code = 1;
    }
  }
  return interrupted() ? kInterruptedExit : exit_code;
}

}  // namespace mocks3::client
