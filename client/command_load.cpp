#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "client/interrupt.hpp"
#include "client/load_row.hpp"
#include "client/options.hpp"
#include "client/report/progress.hpp"
#include "client/report/run_directory.hpp"
#include "client/sweep/host_cpu.hpp"
#include "client/sweep/monitor.hpp"
#include "client/target.hpp"
#include "shared/util/units.hpp"

namespace mocks3::client {
namespace {

constexpr int kFailure = 1;
constexpr size_t kMostServerErrors = 10;
/// The server counts a request when it ended, which the client may know a moment earlier.
constexpr auto kSettle = std::chrono::seconds(1);
constexpr auto kSettlePoll = std::chrono::milliseconds(5);

size_t host_cores() { return std::max(1U, std::thread::hardware_concurrency()); }

/// Server arguments of a private server; for a download it has all objects before the first
/// request.
std::vector<std::string> server_arguments(const Options& options, const LoadPlan& plan) {
  std::vector<std::string> arguments;
  if (options.server_workers > 0) arguments = {"--workers", std::to_string(options.server_workers)};
  if (!plan.is_put()) arguments.insert(arguments.end(), {"--preload", plan.preload()});
  return arguments;
}

/// For an upload whose part size nobody chose: 64 MiB, or what makes 10,000 parts.
uint64_t upload_part_size(const LoadSpec& spec) {
  return std::max(64 * kMiB, spec.objects.front().size / 10'000 + 1);
}

/// `put` and `get`: prepare, measure, clean up, report.
class LoadRun {
 public:
  LoadRun(LoadPlan plan, Target target) : plan_(std::move(plan)), target_(std::move(target)) {
    plan_.spec.endpoint = target_.endpoint;
  }

  /// Error: nothing could be measured.
  Status run(RunReport& report) {
    Status measured = upload_first();
    if (measured) measured = measure(report);
    remove_objects(report);
    if (!measured) return with_obituary(measured.error());
    report.partial = interrupted();
    report.rows.push_back(make_load_row(plan_, repeats_, ceiling(report), host_cores()));
    const std::vector<std::string> notes = target_.notes();
    report.notes.insert(report.notes.end(), notes.begin(), notes.end());
    add_latency_note(report);
    return ok_status();
  }

  /// What went wrong, for stderr; empty where nothing did.
  std::vector<std::string> error_lines() const {
    std::vector<std::string> lines;
    for (const LoadRepeat& repeat : repeats_) {
      if (repeat.load.errors.empty()) continue;
      lines.push_back("errors: " + error_counts(repeat.load));
      lines.push_back("first error: " + repeat.load.first_error);
    }
    if (const std::string end = obituary(); !end.empty()) lines.push_back(end);
    if (lines.empty() || !clock_before_) return lines;
    for (const std::string& line :
         fetch_server_errors(target_.endpoint, *clock_before_, kMostServerErrors))
      lines.push_back("the server's view: " + line);
    return lines;
  }

 private:
  /// How the private server ended; empty where it lives or there is none.
  std::string obituary() const { return target_.server ? target_.server->obituary() : ""; }

  Error with_obituary(const Error& error) const {
    const std::string end = obituary();
    return end.empty() ? error : Error{error.message + "; " + end};
  }

  /// Whether this run puts objects on a server that stays.
  bool leaves_objects() const { return target_.server == nullptr; }

  Status upload_first() {
    if (plan_.is_put() || !leaves_objects()) return ok_status();
    progress_.say(
        fmt::format("uploading {} objects of {} to {} for the download", plan_.spec.objects.size(),
                    format_size(plan_.spec.objects.front().size), target_.endpoint.url()));
    LoadSpec spec = plan_.spec;
    spec.op = Direction::put;
    spec.part_size = upload_part_size(spec);
    spec.duration.reset();
    spec.max_objects.reset();
    spec.max_bytes.reset();
    LoadProgress ignored;
    const Result<LoadResult> result = run_load(spec, ignored);
    if (!result) return result.error();
    if (!result->errors.empty())
      return Error{"the upload before the download failed: " + result->first_error};
    if (interrupted()) return Error{"interrupted before anything was measured"};
    return ok_status();
  }

  Status measure(RunReport& report) {
    measure_ceiling(report, &CeilingPair::before_bytes_per_s);
    LoadProgress warm_progress;
    progress_.say("warm-up");
    const Result<LoadResult> warm = run_load(plan_.warm_up_spec(), warm_progress);
    if (!warm) return warm.error();
    if (target_.stats) clock_before_ = fetch_server_now_ns(target_.endpoint);
    Monitor monitor(progress_, target_.endpoint, target_.stats.has_value());
    for (size_t i = 0; i < plan_.repeats && !interrupted() && !failed(); ++i)
      if (const Status done = measure_once(i, monitor); !done) return done;
    report.samples = monitor.take_samples();
    if (repeats_.empty()) return Error{"interrupted before anything was measured"};
    if (!interrupted() && !failed()) measure_ceiling(report, &CeilingPair::after_bytes_per_s);
    return ok_status();
  }

  bool failed() const { return !repeats_.empty() && !repeats_.back().load.gave_up.empty(); }

  Status measure_once(size_t index, Monitor& monitor) {
    progress_.begin(index + 1, plan_.repeats, plan_.label());
    LoadRepeat repeat;
    LoadProgress progress;
    repeat.before = server_stats();
    const std::optional<HostCpu> host_before = read_host_cpu();
    monitor.begin(fmt::format("native {} repeat={}", plan_.label(), index + 1), repeat.before,
                  &progress);
    Result<LoadResult> result = run_load(plan_.spec, progress);
    const std::optional<HostCpu> host_after = read_host_cpu();
    if (result) repeat.load = std::move(*result);
    if (repeat.before) repeat.after = settled_stats(repeat);
    monitor.end(repeat.after);
    if (!result) return result.error();
    if (host_before && host_after) repeat.host_busy = busy_share(*host_before, *host_after);
    const double seconds = std::max(repeat.load.seconds, 1e-9);
    const double rate = static_cast<double>(repeat.load.bytes) / seconds;
    progress_.end(fmt::format("{:.0f} MiB/s, {:.2f} Gbit/s, {:.0f} objects/s",
                              rate / static_cast<double>(kMiB), rate * 8e-9,
                              static_cast<double>(repeat.load.objects) / seconds));
    repeats_.push_back(std::move(repeat));
    return ok_status();
  }

  std::optional<ServerStats> server_stats() const {
    if (!target_.stats) return std::nullopt;
    auto stats = fetch_server_stats(target_.endpoint);
    return stats ? std::move(*stats) : std::nullopt;
  }

  /// Reads again until the server has counted what the client has, for a short while.
  std::optional<ServerStats> settled_stats(const LoadRepeat& repeat) const {
    const auto end = std::chrono::steady_clock::now() + kSettle;
    for (;;) {
      std::optional<ServerStats> after = server_stats();
      if (!after || server_bytes(plan_.spec.op, *repeat.before, *after) >= repeat.load.bytes ||
          std::chrono::steady_clock::now() >= end)
        return after;
      std::this_thread::sleep_for(kSettlePoll);
    }
  }

  void measure_ceiling(RunReport& report, double CeilingPair::*moment) {
    if (!is_loopback(target_.endpoint) || interrupted()) return;
    progress_.say(fmt::format("measuring the raw ceiling, {} stream{}", plan_.streams(),
                              plan_.streams() == 1 ? "" : "s"));
    const Result<double> rate = raw_ceiling(plan_.spec.op, plan_.streams(), plan_.ceiling_time);
    if (!rate) report.notes.push_back("Warning: " + rate.error().message);
    if (!rate || interrupted()) return;
    if (report.ceilings.empty()) {
      report.ceilings.emplace_back();
      report.ceilings.back().op = plan_.op_name();
      report.ceilings.back().streams = plan_.streams();
    }
    report.ceilings.back().*moment = *rate;
  }

  static double ceiling(const RunReport& report) {
    return report.ceilings.empty() ? 0 : report.ceilings.front().mean();
  }

  void remove_objects(RunReport& report) {
    if (!leaves_objects()) return;
    const Status removed = delete_objects(target_.endpoint, plan_.spec.bucket, plan_.keys());
    if (removed) return;
    report.notes.push_back(fmt::format("Warning: objects below {}/{}/ may be left: {}",
                                       plan_.spec.bucket, plan_.prefix, removed.error().message));
  }

  /// Closed loop: what a request takes once it is sent.
  static void add_latency_note(RunReport& report) {
    const Histogram& times = report.rows.front().service_ns;
    if (times.count() == 0) return;
    const auto text = [](uint64_t ns) { return format_duration(std::chrono::nanoseconds(ns)); };
    report.notes.push_back(fmt::format(
        "Service time of {} requests (closed loop): p50 {}, p90 {}, p99 {}, p99.9 {}, max {}.",
        times.count(), text(times.quantile(0.5)), text(times.quantile(0.9)),
        text(times.quantile(0.99)), text(times.quantile(0.999)), text(times.max())));
  }

  LoadPlan plan_;
  Target target_;
  Progress progress_;
  std::vector<LoadRepeat> repeats_;
  std::optional<uint64_t> clock_before_;  ///< the server's
};

void describe(const Options& options, const LoadPlan& plan, const Target& target,
              const std::string& command_line, RunReport& report) {
  report.name = plan.op_name();
  report.provenance = collect_provenance();
  report.provenance.emplace_back("command", command_line);
  report.settings = {
      {"threads", std::to_string(plan.spec.threads)},
      {"connections per thread", std::to_string(plan.spec.concurrency)},
      {"object size", format_size_exact(options.size_bytes)},
      {"part size", format_size_exact(options.part_size_bytes)},
      {"limits of a repeat", plan.limits()},
      {"repeats", std::to_string(plan.repeats)},
      {"objects", fmt::format("{} keys below {}/{}/", plan.spec.objects.size(), plan.spec.bucket,
                              plan.prefix)},
      {"signing",
       target.endpoint.credentials.access_key.empty() ? "none" : "SigV4, UNSIGNED-PAYLOAD"}};
  const auto server = target.settings();
  report.settings.insert(report.settings.end(), server.begin(), server.end());
  if (options.quick) report.notes.push_back("Quick: a short run; take it for a first impression.");
  if (plan.streams() < plan.connections())
    report.notes.push_back(fmt::format("The ceiling was measured with {} streams, not {}.",
                                       plan.streams(), plan.connections()));
}

int fail(const Error& error) {
  fmt::print(stderr, "s3-bench: {}\n", error.message);
  return interrupted() ? kInterruptedExit : kFailure;
}

int finish(const LoadRun& run, const RunReport& report, const std::string& directory) {
  const std::string table = format_table_for_stdout(report);
  std::fwrite(table.data(), 1, table.size(), stdout);
  for (const std::string& line : run.error_lines()) fmt::print(stderr, "s3-bench: {}\n", line);
  if (const Status written = write_run(directory, report); !written) return fail(written.error());
  fmt::print("\nRun directory: {}\n", directory);
  std::fflush(stdout);
  if (report.partial) return kInterruptedExit;
  return report.rows.front().valid ? 0 : kFailure;
}

}  // namespace

int run_load_command(const Options& options, const std::string& command_line) {
  const bool own_objects = options.endpoint.empty() || options.command == Command::put;
  LoadPlan plan = make_load_plan(options, random_prefix(), own_objects);
  Result<Target> target = open_target(options, server_arguments(options, plan));
  if (!target) return fail(target.error());
  const Result<std::string> directory = make_run_directory(options.out, plan.op_name());
  if (!directory) return fail(directory.error());
  RunReport report;
  describe(options, plan, *target, command_line, report);
  LoadRun run(std::move(plan), std::move(*target));
  if (const Status ran = run.run(report); !ran) {
    discard_run_directory(*directory);
    return fail(ran.error());
  }
  return finish(run, report, *directory);
}

}  // namespace mocks3::client
