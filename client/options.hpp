#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shared/util/result.hpp"

namespace mocks3::client {

enum class Command { none, put, get, sweep, ceiling };

/// `COUNTxSIZE`, e.g. 32x128MiB.
struct FileSet {
  uint64_t count = 0;
  uint64_t size_bytes = 0;
  std::string text() const;  ///< "32x128MiB"
};

struct Options {
  Command command = Command::none;

  // Every subcommand.
  std::string
      endpoint;  ///< URL; default AWS_ENDPOINT_URL; empty: a private mock-s3 (--server auto)
  bool server_asked_for = false;  ///< --server auto: AWS_ENDPOINT_URL does not count
  size_t server_workers = 0;      ///< of the private server; 0: its default
  std::string out;                ///< run directory
  size_t repeat = 0;              ///< 0: the subcommand's default
  bool quick = false;

  // put, get
  size_t threads = 1;
  size_t concurrency = 1;
  uint64_t size_bytes = 64ULL << 20;
  uint64_t part_size_bytes = 64ULL << 20;
  std::optional<std::chrono::nanoseconds> duration;
  std::optional<uint64_t> max_objects;
  std::optional<uint64_t> max_bytes;
  std::string bucket = "bench";

  // sweep
  std::vector<std::string> clients;  ///< empty: native and every tool that is found
  std::vector<size_t> thread_counts;
  std::vector<FileSet> file_sets;
  std::vector<std::string> ops = {"put", "get"};
  std::string data_dir = "/dev/shm";
  uint64_t seed = 1;

  // ceiling
  std::vector<size_t> streams = {1, 2, 4};
  std::chrono::nanoseconds ceiling_time = std::chrono::seconds(2);
};

/// Names that --clients takes.
const std::vector<std::string>& known_clients();

/// What main() is to do after reading the command line.
struct ParsedOptions {
  bool run = false;
  Options options;
  int exit_code = 0;  ///< where not run: 0, then `text` goes to stdout; 2, then to stderr
  std::string text;   ///< lines, the last ended too
};
/// `arguments` without the program's name. Reads the environment for the endpoint's default.
ParsedOptions parse_options(const std::vector<std::string>& arguments);

// The subcommands; each gives the exit status.
int run_load_command(const Options& options, const std::string& command_line);
int run_sweep_command(const Options& options, const std::string& command_line);
int run_ceiling_command(const Options& options, const std::string& command_line);

}  // namespace mocks3::client
