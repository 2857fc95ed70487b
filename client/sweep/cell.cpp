#include "client/sweep/cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "client/interrupt.hpp"
#include "client/report/text.hpp"
#include "client/sweep/host_cpu.hpp"
#include "shared/util/process_usage.hpp"

namespace mocks3::client {
namespace {

using Outcome = Repeat::Outcome;

constexpr size_t kMostServerErrors = 5;
/// The server counts a request when it ended, which the client may know a moment earlier.
constexpr std::chrono::milliseconds kSettle{500};
/// A tool that moves fewer bytes per second than this hangs.
constexpr uint64_t kLeastRate = 2ULL << 20;

/// What is read before and after a run.
struct Reading {
  std::optional<ServerStats> server;
  std::optional<HostCpu> host;
};

std::optional<ServerStats> server_stats(const CellContext& context) {
  if (!context.server_stats) return std::nullopt;
  auto stats = fetch_server_stats(context.endpoint);
  return stats ? *stats : std::nullopt;
}

Reading read_counters(const CellContext& context) {
  return {server_stats(context), read_host_cpu()};
}

uint64_t good_bytes(const ServerStats& stats, Direction op) {
  return op == Direction::put ? stats.good_bytes_in : stats.good_bytes_out;
}

/// Reads again until the server has counted what is `expected`, for a short while.
Reading read_settled(const CellContext& context, const Cell& cell, const Reading& before) {
  Reading after = read_counters(context);
  if (!before.server) return after;
  const uint64_t target = good_bytes(*before.server, cell.op) + cell.bytes();
  const auto end = std::chrono::steady_clock::now() + kSettle;
  while (after.server && good_bytes(*after.server, cell.op) < target &&
         std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    after.server = server_stats(context);
  }
  return after;
}

double busiest_worker(const ServerStats& before, const ServerStats& after, double seconds) {
  double most = 0;
  const size_t workers = std::min(before.worker_cpu_s.size(), after.worker_cpu_s.size());
  for (size_t i = 0; i < workers; ++i) {
    most = std::max(most, after.worker_cpu_s[i] - before.worker_cpu_s[i]);
  }
  return seconds > 0 ? most / seconds : 0;
}

std::map<std::string, uint64_t> new_requests(const ServerStats& before, const ServerStats& after) {
  std::map<std::string, uint64_t> requests;
  for (const auto& [op, count] : after.requests) {
    const auto old = before.requests.find(op);
    const uint64_t added = count - (old == before.requests.end() ? 0 : old->second);
    if (added > 0) requests[op] = added;
  }
  return requests;
}

void add_counters(const Cell& cell, const Reading& before, const Reading& after, Repeat& repeat) {
  if (before.host && after.host) repeat.host_busy = busy_share(*before.host, *after.host);
  std::optional<uint64_t> server_bytes;
  if (before.server && after.server) {
    repeat.server_cpu_s = after.server->cpu_s - before.server->cpu_s;
    repeat.server_worker = busiest_worker(*before.server, *after.server, repeat.seconds);
    repeat.requests = new_requests(*before.server, *after.server);
    server_bytes = good_bytes(*after.server, cell.op) - good_bytes(*before.server, cell.op);
  }
  if (repeat.outcome == Outcome::good) compare_bytes(cell.bytes(), server_bytes, repeat);
}

Repeat failed(const std::string& why) {
  Repeat repeat;
  repeat.outcome = interrupted() ? Outcome::interrupted : Outcome::failed;
  repeat.why = why;
  return repeat;
}

/// Keys that the cell reads or writes, part after part.
std::vector<std::string> keys_of(const CellContext& context, const Cell& cell, size_t round) {
  std::vector<std::string> keys;
  const std::vector<std::string> names = file_names(cell.files);
  const std::vector<FileRange> ranges = split_files(cell.files.count, cell.parts());
  for (size_t part = 0; part < ranges.size(); ++part) {
    const std::string prefix = cell.op == Direction::put
                                   ? put_prefix(context.plan, cell, round, part)
                                   : get_prefix(context.plan, cell, part);
    for (uint64_t i = ranges[part].first; i < ranges[part].first + ranges[part].count; ++i) {
      keys.push_back(prefix + "/" + names[i]);
    }
  }
  return keys;
}

std::string error_summary(const LoadResult& result) {
  uint64_t count = 0;
  for (const auto& [kind, times] : result.errors) count += times;
  return fmt::format("{} requests failed, the first: {}", count, result.first_error);
}

Repeat run_native(const CellContext& context, const Cell& cell, size_t round,
                  LoadProgress& progress) {
  LoadSpec spec;
  spec.op = cell.op;
  spec.endpoint = context.endpoint;
  spec.bucket = context.plan.bucket;
  for (std::string& key : keys_of(context, cell, round)) {
    spec.objects.push_back({std::move(key), cell.files.size_bytes});
  }
  spec.threads = cell.threads;
  auto result = run_load(spec, progress);
  if (!result) return failed(result.error().message);
  Repeat repeat;
  repeat.bytes = result->bytes;
  repeat.seconds = result->seconds;
  repeat.client_cpu_s = result->cpu_seconds;
  repeat.peak_rss_bytes = own_usage().peak_rss_bytes;
  repeat.service_ns = std::move(result->service_ns);
  repeat.ttfb_ns = std::move(result->ttfb_ns);
  if (result->interrupted) {
    repeat.outcome = Outcome::interrupted;
  } else if (!result->errors.empty()) {
    repeat.outcome = Outcome::failed;
    repeat.why = error_summary(*result);
  }
  return repeat;
}

Result<std::vector<std::string>> prepare_directories(const CellContext& context, const Cell& cell) {
  Workspace& workspace = *context.workspace;
  return cell.op == Direction::put ? workspace.sources(cell.files, cell.parts())
                                   : workspace.make_sink(cell.files, cell.parts());
}

std::vector<ProcessSpec> processes_of(const CellContext& context, const Cell& cell, size_t round,
                                      const std::vector<std::string>& directories) {
  const SweepClient& client = context.plan.clients[cell.client];
  std::vector<ProcessSpec> specs;
  for (size_t part = 0; part < directories.size(); ++part) {
    ToolTransfer transfer;
    transfer.op = cell.op;
    transfer.endpoint = context.endpoint;
    transfer.bucket = context.plan.bucket;
    transfer.prefix = cell.op == Direction::put ? put_prefix(context.plan, cell, round, part)
                                                : get_prefix(context.plan, cell, part);
    transfer.directory = directories[part];
    specs.push_back(client.tool->command(client.found, transfer));
  }
  return specs;
}

void add_lines(const std::string& who, const std::string& text, std::vector<std::string>& lines) {
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = one_line(std::string_view(text).substr(begin, end - begin));
    if (!line.empty()) lines.push_back(who + ": " + line);
    begin = end + 1;
  }
}

/// Why the first process that failed did, in one line, and all that it said.
void describe_failure(const std::string& tool, const GroupResult& group, Repeat& repeat) {
  repeat.outcome = Outcome::failed;
  for (const ProcessResult& process : group.processes) {
    if (process.status == 0) continue;
    const std::string& said = process.error_output.empty() ? process.output : process.error_output;
    repeat.why = fmt::format("{}: {}",
                             group.timed_out ? std::string("no end in time, stopped")
                                             : fmt::format("exit status {}", process.status),
                             said.empty() ? "it said nothing" : shortened(one_line(said), 300));
    add_lines(tool, said, repeat.details);
    return;
  }
  repeat.why = "no end in time, stopped";
}

RunLimits limits_for(const Cell& cell) {
  RunLimits limits;
  limits.timeout = std::chrono::seconds(120 + cell.bytes() / kLeastRate);
  limits.stop = interrupted;
  return limits;
}

Repeat run_tool(const CellContext& context, const Cell& cell, size_t round,
                const std::vector<std::string>& directories) {
  const std::vector<ProcessSpec> specs = processes_of(context, cell, round, directories);
  auto group = run_processes(specs, limits_for(cell));
  if (!group) return failed(group.error().message);
  Repeat repeat;
  repeat.bytes = cell.bytes();
  repeat.seconds = group->wall_seconds;
  repeat.client_cpu_s = group->cpu_seconds;
  repeat.peak_rss_bytes = group->peak_rss_bytes;
  repeat.command = specs.front().argv;
  if (group->stopped) {
    repeat.outcome = Outcome::interrupted;
  } else if (!group->succeeded()) {
    describe_failure(context.plan.clients[cell.client].name, *group, repeat);
  }
  return repeat;
}

void check_downloads(const CellContext& context, const Cell& cell, Repeat& repeat) {
  if (cell.op != Direction::get || repeat.outcome != Outcome::good) return;
  if (Status checked = context.workspace->check_sink(cell.files, cell.parts()); !checked) {
    repeat.outcome = Outcome::invalid;
    repeat.why = checked.error().message;
  }
}

void add_server_errors(const CellContext& context, std::optional<uint64_t> since_ns,
                       Repeat& repeat) {
  if (!since_ns || repeat.outcome == Outcome::good || repeat.outcome == Outcome::interrupted)
    return;
  const auto errors = fetch_server_errors(context.endpoint, *since_ns, kMostServerErrors);
  for (const std::string& error : errors) repeat.details.push_back("server: " + error);
  if (!errors.empty()) repeat.why += "; the server: " + errors.front();
}

void remove_uploads(const CellContext& context, const Cell& cell, size_t round, Repeat& repeat) {
  if (!context.clean_up || cell.op != Direction::put) return;
  const Status deleted =
      delete_objects(context.endpoint, context.plan.bucket, keys_of(context, cell, round));
  if (!deleted) repeat.details.push_back("cannot delete uploads: " + deleted.error().message);
}

}  // namespace

void compare_bytes(uint64_t expected, std::optional<uint64_t> server_bytes, Repeat& repeat) {
  if (repeat.bytes != expected) {
    repeat.outcome = Outcome::invalid;
    repeat.why = fmt::format("client moved {} bytes, not {}", repeat.bytes, expected);
  } else if (server_bytes && *server_bytes != repeat.bytes) {
    repeat.outcome = Outcome::invalid;
    repeat.why = fmt::format("client {} bytes, server {} bytes", repeat.bytes, *server_bytes);
  }
}

Repeat run_cell(const CellContext& context, const Cell& cell, size_t round) {
  const bool native = context.plan.clients[cell.client].tool == nullptr;
  std::vector<std::string> directories;
  if (!native) {
    auto prepared = prepare_directories(context, cell);
    if (!prepared) return failed(prepared.error().message);
    directories = std::move(*prepared);
  }
  const auto since_ns =
      context.server_stats ? fetch_server_now_ns(context.endpoint) : std::optional<uint64_t>();
  LoadProgress progress;
  const Reading before = read_counters(context);
  context.monitor.begin(fmt::format("{} repeat={}", context.plan.label(cell), round + 1),
                        before.server, native ? &progress : nullptr);
  Repeat repeat = native ? run_native(context, cell, round, progress)
                         : run_tool(context, cell, round, directories);
  const Reading after = repeat.outcome == Outcome::good ? read_settled(context, cell, before)
                                                        : read_counters(context);
  context.monitor.end(after.server);
  if (!native) check_downloads(context, cell, repeat);
  add_counters(cell, before, after, repeat);
  add_server_errors(context, since_ns, repeat);
  if (!native) context.workspace->remove_sink();
  remove_uploads(context, cell, round, repeat);
  return repeat;
}

}  // namespace mocks3::client
