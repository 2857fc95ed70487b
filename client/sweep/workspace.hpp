#pragma once
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "client/options.hpp"
#include "client/sweep/plan.hpp"
#include "shared/util/result.hpp"

namespace mocks3::client {

/// A private directory below the data directory for files that tools upload from and download
/// into; it goes with this object, and where this process is killed, with the next one that is made
/// there. Files of one set stay there while there is room.
class Workspace {
 public:
  /// Checks that the data directory is there, can be written, and has room for the plan's largest
  /// set, up and down. Error: what is wrong and what to do; nothing is left behind.
  static Result<std::unique_ptr<Workspace>> make(const SweepPlan& plan);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  /// Directories that hold the set's files, split as split_files() says. Writes them where they are
  /// not there, and makes room by removing other sets. Error: no room, or interrupted.
  Result<std::vector<std::string>> sources(const FileSet& files, size_t parts);

  /// Empty directories, one for each part. The former sink is removed.
  Result<std::vector<std::string>> make_sink(const FileSet& files, size_t parts);
  /// Whether the sink holds exactly the set's files in their sizes. Error: what differs.
  Status check_sink(const FileSet& files, size_t parts) const;
  void remove_sink();

  const std::string& path() const { return path_; }

 private:
  explicit Workspace(const SweepPlan& plan, std::string path)
      : plan_(plan), path_(std::move(path)) {}
  std::string set_path(const FileSet& files) const;
  std::string split_path(const FileSet& files, size_t parts) const;
  Status make_room(uint64_t bytes);
  Status write_set(const FileSet& files);
  Status link_parts(const FileSet& files, size_t parts);
  void remove_set(const std::string& set);

  const SweepPlan& plan_;
  std::string path_;
  int lock_ = -1;                ///< held while this process lives
  std::list<std::string> sets_;  ///< written ones, the latest used last
};

/// Bytes that can be written below `directory`; of a file system in memory no more than the memory
/// that is free, less a reserve for the programs. Error: no such directory, or no directory.
Result<uint64_t> room_for_data(const std::string& directory);

}  // namespace mocks3::client
