#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>

#include "client/interrupt.hpp"
#include "client/local_server.hpp"
#include "client/options.hpp"
#include "client/report/run_directory.hpp"
#include "client/server_stats.hpp"
#include "client/sweep/run.hpp"
#include "shared/util/encode.hpp"
#include "shared/util/version.hpp"

namespace mocks3::client {
namespace {

constexpr int kFailure = 1;

std::string search_path() {
  const char* path = std::getenv("PATH");
  return path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
}

/// The clients asked for, or all there are; names of tools that were looked for in vain go to
/// `missing`.
std::vector<SweepClient> find_clients(const Options& options, std::vector<std::string>& missing) {
  std::vector<std::string> names = options.clients;
  if (names.empty()) {
    names = {"native"};
    for (const Tool& tool : all_tools()) names.push_back(tool.name);
  }
  std::vector<SweepClient> clients;
  for (const std::string& name : names) {
    const Tool* tool = tool_named(name);
    if (tool == nullptr) {
      clients.push_back({name, nullptr, {"", std::string(version())}});
    } else if (auto found = tool->find(search_path())) {
      clients.push_back({name, tool, std::move(*found)});
    } else {
      missing.push_back(name);
    }
  }
  return clients;
}

Error missing_error(const std::vector<std::string>& missing) {
  return Error{fmt::format(
      "not found on PATH, or not able to run: {}; install with script/bootstrap, put on PATH, or "
      "leave out of --clients",
      fmt::join(missing, ", "))};
}

/// Unlike any prefix that someone else uses on a server that is not ours.
std::string random_prefix() {
  std::random_device device;
  return fmt::format("s3-bench-{:08x}{:08x}", device(), device());
}

/// What a sweep needs, in the order in which it is made; undone in the reverse.
struct Setup {
  std::vector<std::string> missing;
  SweepPlan plan;
  std::unique_ptr<Workspace> workspace;
  std::string run_directory;
  std::unique_ptr<LocalServer> server;
  SweepTarget target;
};

std::vector<std::string> server_arguments(const Options& options, const SweepPlan& plan) {
  std::vector<std::string> arguments;
  if (options.server_workers > 0) {
    arguments = {"--workers", fmt::format("{}", options.server_workers)};
  }
  for (const std::string& spec : preload_specs(plan)) {
    arguments.emplace_back("--preload");
    arguments.push_back(spec);
  }
  return arguments;
}

Status set_up_target(const Options& options, Setup& setup) {
  setup.target.private_server = options.endpoint.empty();
  if (setup.target.private_server) {
    auto server = LocalServer::start(server_arguments(options, setup.plan));
    if (!server) return server.error();
    setup.server = std::move(*server);
    setup.target.endpoint = setup.server->endpoint();
  } else {
    auto endpoint = parse_endpoint(options.endpoint);
    if (!endpoint) return endpoint.error();
    setup.target.endpoint = std::move(*endpoint);
  }
  const auto stats = fetch_server_stats(setup.target.endpoint);
  if (!stats) return stats.error();
  setup.target.server_stats = stats->has_value();
  return ok_status();
}

Status set_up(const Options& options, Setup& setup) {
  std::vector<SweepClient> clients = find_clients(options, setup.missing);
  if (interrupted()) return Error{"interrupted before anything was measured"};
  if (!options.clients.empty() && !setup.missing.empty()) return missing_error(setup.missing);
  const std::string prefix = options.endpoint.empty() ? "sweep" : random_prefix();
  auto plan = make_plan(options, std::move(clients), prefix);
  if (!plan) return plan.error();
  setup.plan = std::move(*plan);
  if (setup.plan.has_tools()) {
    auto workspace = Workspace::make(setup.plan);
    if (!workspace) return workspace.error();
    setup.workspace = std::move(*workspace);
  }
  if (Status target = set_up_target(options, setup); !target) return target;
  auto directory = make_run_directory(options.out, "sweep");
  if (!directory) return directory.error();
  setup.run_directory = std::move(*directory);
  return ok_status();
}

std::string joined(const std::vector<size_t>& numbers) {
  return fmt::format("{}", fmt::join(numbers, ","));
}

std::string file_sets(const SweepPlan& plan) {
  std::string text;
  for (const Cell& cell : plan.cells) {
    const std::string set = cell.files.text();
    if (("," + text + ",").find("," + set + ",") != std::string::npos) continue;
    text += (text.empty() ? "" : ",") + set;
  }
  return text;
}

void describe_clients(const SweepPlan& plan, RunReport& report) {
  for (const SweepClient& client : plan.clients) {
    report.settings.emplace_back(
        "client " + client.name,
        client.tool == nullptr
            ? client.found.version + ", threads of s3-bench, one connection each, parts of 64 MiB"
            : fmt::format("{}, {}, default settings, processes for threads", client.found.version,
                          client.found.path));
  }
}

void describe(const Setup& setup, const std::string& command_line, RunReport& report) {
  const SweepPlan& plan = setup.plan;
  report.name = "sweep";
  report.provenance = collect_provenance();
  report.provenance.emplace_back("command", command_line);
  describe_clients(plan, report);
  auto& settings = report.settings;
  settings.emplace_back("threads", joined(plan.thread_counts()));
  settings.emplace_back("files", file_sets(plan));
  settings.emplace_back("rounds", fmt::format("{}, cells in random order", plan.rounds));
  settings.emplace_back("seed", fmt::format("{}", plan.seed));
  if (setup.workspace) settings.emplace_back("data directory", plan.data_dir);
  settings.emplace_back("endpoint", setup.target.endpoint.url());
  std::string server;
  if (setup.server) {
    for (const std::string& word : setup.server->command()) server += shell_quote(word) + " ";
    server.pop_back();
    settings.emplace_back("server", server);
  }
}

void note_circumstances(const Setup& setup, RunReport& report) {
  if (!setup.missing.empty()) {
    report.notes.push_back(
        fmt::format("Not found, so not measured: {} (script/bootstrap installs "
                    "them).",
                    fmt::join(setup.missing, ", ")));
  }
  if (!is_loopback(setup.target.endpoint)) {
    report.notes.emplace_back(
        "The server is on another host: no raw ceiling of the path was measured; run iperf3 beside "
        "it.");
  }
  if (setup.target.private_server) return;
  report.notes.push_back(
      setup.target.server_stats
          ? fmt::format("From /_mock/stats of {}: Server CPU, Requests, and the byte count that "
                        "every row was checked with.",
                        setup.target.endpoint.url())
          : fmt::format("{} has no /_mock/stats: no server columns, and bytes are checked at the "
                        "client only.",
                        setup.target.endpoint.url()));
}

int exit_status(const RunReport& report) {
  if (report.partial) return kInterruptedExit;
  for (const ResultRow& row : report.rows) {
    if (!row.valid) return kFailure;
  }
  return 0;
}

int fail(const Error& error) {
  fmt::print(stderr, "s3-bench: {}\n", error.message);
  return interrupted() ? kInterruptedExit : kFailure;
}

int finish(const Setup& setup, const RunReport& report) {
  const std::string table = format_table_for_stdout(report);
  std::fwrite(table.data(), 1, table.size(), stdout);
  if (Status written = write_run(setup.run_directory, report); !written) {
    return fail(written.error());
  }
  fmt::print("\nRun directory: {}\n", setup.run_directory);
  std::fflush(stdout);
  return exit_status(report);
}

}  // namespace

int run_sweep_command(const Options& options, const std::string& command_line) {
  Setup setup;
  if (Status ready = set_up(options, setup); !ready) return fail(ready.error());
  RunReport report;
  describe(setup, command_line, report);
  {
    Progress progress;
    Sweep sweep(setup.plan, setup.target, setup.workspace.get(), progress);
    if (Status ran = sweep.run(report); !ran) {
      discard_run_directory(setup.run_directory);
      return fail(ran.error());
    }
  }
  note_circumstances(setup, report);
  return finish(setup, report);
}

}  // namespace mocks3::client
