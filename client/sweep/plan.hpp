#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/ceiling.hpp"
#include "client/options.hpp"
#include "client/tools/tool.hpp"

namespace mocks3::client {

/// A client of the sweep: the native one, or a tool that was found.
struct SweepClient {
  std::string name;
  const Tool* tool = nullptr;  ///< nullptr: native
  FoundTool found;
};

/// One row of the table.
struct Cell {
  size_t client = 0;  ///< index into SweepPlan::clients
  Direction op = Direction::put;
  size_t threads = 1;
  FileSet files;

  uint64_t bytes() const { return files.count * files.size_bytes; }
  /// Directories that the files are split over: no more than there are files.
  size_t parts() const;
  std::string op_name() const;
};

/// What is measured, in which order, for how long.
struct SweepPlan {
  std::vector<SweepClient> clients;
  std::vector<Cell> cells;
  size_t rounds = 3;
  /// A round does not begin where it would end after this time.
  std::optional<std::chrono::seconds> budget;
  std::chrono::milliseconds ceiling_time{1000};
  uint64_t seed = 1;
  std::string bucket;
  std::string prefix;  ///< of every key; no slash at its end
  std::string data_dir;

  bool has_tools() const;
  /// Bytes of the largest file set of that operation, 0 where no tool does it.
  uint64_t largest_set(Direction op) const;
  std::vector<size_t> thread_counts() const;
  std::vector<Direction> directions() const;
  std::string label(const Cell& cell) const;  ///< "aws-cli put 4x16MiB threads=2"
};

/// Fills in what the options leave open. Files of no bytes are left to other commands.
/// Error: nothing to measure.
Result<SweepPlan> make_plan(const Options& options, std::vector<SweepClient> clients,
                            const std::string& prefix);

/// The cells' indices in the random order of that round; the same for the same seed.
std::vector<size_t> round_order(size_t cells, uint64_t seed, size_t round);

/// `count` files in `parts` runs of neighbours, as even as can be: first file and length of each.
struct FileRange {
  uint64_t first = 0, count = 0;
  bool operator==(const FileRange&) const = default;
};
std::vector<FileRange> split_files(uint64_t count, size_t parts);

/// Names of a set's files; they have one length. REQUIRES a set that passed make_plan().
std::vector<std::string> file_names(const FileSet& files);

/// Prefix of the objects that part `part` of a download reads; uploads use one of their own.
std::string get_prefix(const SweepPlan& plan, const Cell& cell, size_t part);
std::string put_prefix(const SweepPlan& plan, const Cell& cell, size_t round, size_t part);

/// --preload values of mock-s3 for all downloads of the plan.
std::vector<std::string> preload_specs(const SweepPlan& plan);

}  // namespace mocks3::client
