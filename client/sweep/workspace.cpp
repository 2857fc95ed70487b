#include "client/sweep/workspace.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "client/interrupt.hpp"
#include "data-gen/write.hpp"
#include "shared/util/units.hpp"

namespace mocks3::client {
namespace {

namespace fs = std::filesystem;

/// Left to the tools' own memory where the files are in memory too.
constexpr uint64_t kMemoryReserve = 256 * kMiB;

Error data_dir_error(const std::string& directory, const std::string& why) {
  return Error{
      fmt::format("data directory {}: {}; choose another with --data-dir DIR", directory, why)};
}

bool in_memory(const std::string& directory) {
  struct statfs info {};
  if (statfs(directory.c_str(), &info) != 0) return false;
  return info.f_type == TMPFS_MAGIC || info.f_type == RAMFS_MAGIC;
}

/// Nothing where the kernel does not say.
std::optional<uint64_t> available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string name, unit; file >> name;) {
    uint64_t kibibytes = 0;
    if (name != "MemAvailable:") continue;
    if (file >> kibibytes) return kibibytes * kKiB;
  }
  return std::nullopt;
}

constexpr std::string_view kNamePrefix = "s3-bench-";
constexpr std::string_view kNamePattern = "s3-bench-XXXXXX";

/// A descriptor of the directory that holds its lock while it is open; -1 where another process
/// has it, or where it is not a directory of this user.
int lock_directory(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return -1;
  struct stat info {};
  const bool ours = fstat(fd, &info) == 0 && info.st_uid == geteuid();
  if (ours && flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  close(fd);
  return -1;
}

/// Removes what runs that were killed left here: their directories are not locked.
void remove_abandoned(const std::string& data_dir) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(data_dir, error)) {
    const std::string name = entry.path().filename();
    if (name.size() != kNamePattern.size() || name.rfind(kNamePrefix, 0) != 0) continue;
    const int lock = lock_directory(entry.path());
    if (lock < 0) continue;
    std::error_code ignored;  // what stays shows as missing room
    fs::remove_all(entry.path(), ignored);
    close(lock);
  }
}

Status check_room(const SweepPlan& plan, Direction op, uint64_t room) {
  const uint64_t needed = plan.largest_set(op);
  if (needed <= room) return ok_status();
  return Error{fmt::format(
      "data directory {} has room for {}, but the largest file set needs {} to {}; choose smaller "
      "--files, or another place with --data-dir DIR",
      plan.data_dir, format_size(room), format_size(needed),
      op == Direction::put ? "upload from" : "download into")};
}

Status make_directory(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return Error{fmt::format("cannot make {}: {}", path, error.message())};
  return ok_status();
}

std::string part_path(const std::string& directory, size_t part) {
  return fmt::format("{}/{}", directory, part);
}

std::vector<std::string> part_paths(const std::string& directory, size_t parts) {
  std::vector<std::string> paths;
  for (size_t part = 0; part < parts; ++part) paths.push_back(part_path(directory, part));
  return paths;
}

/// Files and bytes below `directory` must be those named, each of `size` bytes.
Status check_part(const std::string& directory, const std::vector<std::string>& names,
                  FileRange range, uint64_t size) {
  std::error_code error;
  for (uint64_t i = range.first; i < range.first + range.count; ++i) {
    const auto found = fs::file_size(directory + "/" + names[i], error);
    if (error) return Error{fmt::format("file {} was not downloaded", names[i])};
    if (found != size) {
      return Error{fmt::format("file {} has {} bytes, not {}", names[i], found, size)};
    }
  }
  const auto entries = std::distance(fs::directory_iterator(directory, error), {});
  if (static_cast<uint64_t>(entries) == range.count) return ok_status();
  return Error{fmt::format("{} files were downloaded, not {}", entries, range.count)};
}

}  // namespace

Result<uint64_t> room_for_data(const std::string& directory) {
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (!fs::exists(status)) return data_dir_error(directory, "there is no such directory");
  if (!fs::is_directory(status)) return data_dir_error(directory, "a file is in its place");
  Result<uint64_t> room = room_below(directory);
  if (!room || !in_memory(directory)) return room;
  const auto memory = available_memory();
  if (!memory) return room;
  return std::min(*room, *memory > kMemoryReserve ? *memory - kMemoryReserve : 0);
}

Result<std::unique_ptr<Workspace>> Workspace::make(const SweepPlan& plan) {
  remove_abandoned(plan.data_dir);
  const auto room = room_for_data(plan.data_dir);
  if (!room) return room.error();
  for (const Direction op : {Direction::put, Direction::get}) {
    if (Status enough = check_room(plan, op, *room); !enough) return enough.error();
  }
  std::error_code error;
  std::string path = fs::absolute(plan.data_dir, error).lexically_normal() / kNamePattern;
  if (error || mkdtemp(path.data()) == nullptr) {
    return data_dir_error(plan.data_dir, std::strerror(errno));
  }
  std::unique_ptr<Workspace> workspace(new Workspace(plan, path));
  workspace->lock_ = lock_directory(path);
  if (workspace->lock_ < 0) return data_dir_error(plan.data_dir, "cannot lock a directory there");
  return workspace;
}

Workspace::~Workspace() {
  std::error_code error;
  fs::remove_all(path_, error);
  if (lock_ >= 0) close(lock_);
  if (error) fmt::print(stderr, "s3-bench: cannot remove {}: {}\n", path_, error.message());
}

std::string Workspace::set_path(const FileSet& files) const { return path_ + "/" + files.text(); }

std::string Workspace::split_path(const FileSet& files, size_t parts) const {
  return fmt::format("{}-parts/{}", set_path(files), parts);
}

void Workspace::remove_set(const std::string& set) {
  std::error_code ignored;  // what stays shows as missing room
  fs::remove_all(path_ + "/" + set, ignored);
  fs::remove_all(path_ + "/" + set + "-parts", ignored);
}

Status Workspace::make_room(uint64_t bytes) {
  while (true) {
    const auto room = room_for_data(plan_.data_dir);
    if (!room) return room.error();
    if (*room >= bytes) return ok_status();
    if (sets_.empty()) {
      return data_dir_error(plan_.data_dir, fmt::format("there is no longer room for {}, only {}",
                                                        format_size(bytes), format_size(*room)));
    }
    remove_set(sets_.front());
    sets_.pop_front();
  }
}

Status Workspace::write_set(const FileSet& files) {
  if (Status room = make_room(files.count * files.size_bytes); !room) return room;
  const auto specs = expand_set(files.text(), static_cast<uint32_t>(plan_.seed));
  if (!specs) return specs.error();
  const std::string directory = set_path(files);
  Status written = write_corpus(*specs, directory, [](uint64_t) { return !interrupted(); });
  if (!written) remove_set(files.text());
  return written;
}

Status Workspace::link_parts(const FileSet& files, size_t parts) {
  const std::string directory = split_path(files, parts);
  std::error_code error;
  if (fs::exists(directory, error)) return ok_status();
  const std::vector<std::string> names = file_names(files);
  const std::vector<FileRange> ranges = split_files(files.count, parts);
  for (size_t part = 0; part < parts; ++part) {
    const std::string target = part_path(directory, part);
    if (Status made = make_directory(target); !made) return made;
    for (uint64_t i = ranges[part].first; i < ranges[part].first + ranges[part].count; ++i) {
      fs::create_hard_link(set_path(files) + "/" + names[i], target + "/" + names[i], error);
      if (error) return Error{fmt::format("cannot link {}: {}", names[i], error.message())};
    }
  }
  return ok_status();
}

Result<std::vector<std::string>> Workspace::sources(const FileSet& files, size_t parts) {
  const auto known = std::find(sets_.begin(), sets_.end(), files.text());
  if (known == sets_.end()) {
    if (Status written = write_set(files); !written) return written.error();
  } else {
    sets_.erase(known);
  }
  sets_.push_back(files.text());
  if (Status linked = link_parts(files, parts); !linked) return linked.error();
  return part_paths(split_path(files, parts), parts);
}

Result<std::vector<std::string>> Workspace::make_sink(const FileSet& files, size_t parts) {
  remove_sink();
  if (Status room = make_room(files.count * files.size_bytes); !room) return room.error();
  std::vector<std::string> paths = part_paths(path_ + "/sink", parts);
  for (const std::string& path : paths) {
    if (Status made = make_directory(path); !made) return made.error();
  }
  return paths;
}

Status Workspace::check_sink(const FileSet& files, size_t parts) const {
  const std::vector<std::string> names = file_names(files);
  const std::vector<FileRange> ranges = split_files(files.count, parts);
  for (size_t part = 0; part < parts; ++part) {
    Status checked =
        check_part(part_path(path_ + "/sink", part), names, ranges[part], files.size_bytes);
    if (!checked) return checked;
  }
  return ok_status();
}

void Workspace::remove_sink() {
  std::error_code ignored;  // what stays shows as missing room, or as files too many
  fs::remove_all(path_ + "/sink", ignored);
}

}  // namespace mocks3::client
