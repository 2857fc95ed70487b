#include "data-gen/write_checks.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "data-gen/write.hpp"
#include "shared/util/encode.hpp"
#include "shared/util/units.hpp"

namespace mocks3 {
namespace {

std::string parent_of(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// `path` itself, or the nearest parent that exists.
std::string nearest_existing(std::string path) {
  struct stat found {};
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  while (stat(path.c_str(), &found) != 0 && path != "." && path != "/") path = parent_of(path);
  return path;
}

/// What a volume can take. A volume that does not know its size says 0 blocks.
struct Room {
  uint64_t bytes = UINT64_MAX;
  uint64_t files = UINT64_MAX;
  uint64_t block_bytes = 1;
};

Room room_of(const struct statvfs& volume) {
  Room room;
  room.block_bytes = std::max<uint64_t>(1, volume.f_frsize);
  if (volume.f_blocks != 0) room.bytes = uint64_t{volume.f_bavail} * room.block_bytes;
  if (volume.f_files != 0) room.files = volume.f_favail;
  return room;
}

Result<Room> room_at(const std::string& directory) {
  const std::string existing = nearest_existing(directory);
  struct statvfs volume {};
  if (statvfs(existing.c_str(), &volume) != 0) {
    return Error{fmt::format("cannot look at the volume of {}: {}", path_text(existing),
                             system_error_text(errno))};
  }
  return room_of(volume);
}

Status enough(uint64_t needed, uint64_t available, const std::string& where) {
  if (needed <= available) return ok_status();
  return Error{fmt::format("no room in {}: {} needed, {} available ({} and {} bytes)", where,
                           format_size(needed), format_size(available), needed, available)};
}

/// Walks through the files of a set before they are written, and adds up what they will take.
class TargetCheck {
 public:
  TargetCheck(const std::string& directory, uint64_t block_bytes)
      : directory_(directory), block_bytes_(block_bytes) {}

  Status check_directory() {
    struct stat found {};
    const std::string existing = nearest_existing(directory_);
    if (stat(existing.c_str(), &found) == 0 && !S_ISDIR(found.st_mode)) {
      return Error{fmt::format("{} is not a directory; name another one", path_text(existing))};
    }
    if (access(existing.c_str(), W_OK | X_OK) != 0) {
      return Error{
          fmt::format("cannot write into {}: {}", path_text(existing), system_error_text(errno))};
    }
    return ok_status();
  }

  Status check_file(const FileSpec& file) {
    const std::string path = directory_ + '/' + file.name;
    if (auto parent = check_parent(path); !parent) return parent;
    bytes_ += (file.size + block_bytes_ - 1) / block_bytes_ * block_bytes_;
    struct stat found {};
    if (lstat(path.c_str(), &found) == 0) return check_existing(path, file, found);
    if (errno != ENOENT) {
      return Error{fmt::format("cannot write {}: {}", path_text(path), system_error_text(errno))};
    }
    ++new_entries_;
    return ok_status();
  }

  Status check_room(const Room& room) const {
    const std::string where = path_text(directory_);
    if (new_entries_ > room.files) {
      return Error{fmt::format("no room in {}: {} files and folders needed, {} can be made", where,
                               new_entries_, room.files)};
    }
    return enough(bytes_ > replaced_bytes_ ? bytes_ - replaced_bytes_ : 0, room.bytes, where);
  }

 private:
  /// Once for each folder: files of a set come folder by folder.
  Status check_parent(const std::string& path) {
    std::string parent = parent_of(path);
    if (parent == last_parent_) return ok_status();
    const std::string existing = nearest_existing(parent);
    struct stat found {};
    if (stat(existing.c_str(), &found) == 0 && !S_ISDIR(found.st_mode)) {
      return Error{
          fmt::format("{} is a file where a directory should be; remove it or choose "
                      "another directory",
                      path_text(existing))};
    }
    if (access(existing.c_str(), W_OK | X_OK) != 0) {
      return Error{
          fmt::format("cannot write into {}: {}", path_text(existing), system_error_text(errno))};
    }
    if (existing != parent) {
      ++new_entries_;
      bytes_ += block_bytes_;
    }
    last_parent_ = std::move(parent);
    return ok_status();
  }

  Status check_existing(const std::string& path, const FileSpec& file, const struct stat& found) {
    if (!S_ISREG(found.st_mode)) {
      return Error{
          fmt::format("{} exists and is not a regular file; remove it or choose another "
                      "directory",
                      path_text(path))};
    }
    if (static_cast<uint64_t>(found.st_size) != file.size) {
      return Error{
          fmt::format("{} exists with another size ({} bytes, not {}); remove it or "
                      "choose another directory",
                      path_text(path), found.st_size, file.size)};
    }
    if (access(path.c_str(), W_OK) != 0) {
      return Error{fmt::format("cannot replace {}: {}", path_text(path), system_error_text(errno))};
    }
    replaced_bytes_ += static_cast<uint64_t>(found.st_blocks) * 512;
    return ok_status();
  }

  std::string directory_;
  uint64_t block_bytes_;
  std::string last_parent_;
  uint64_t bytes_ = 0;
  uint64_t replaced_bytes_ = 0;
  uint64_t new_entries_ = 0;
};

}  // namespace

std::string system_error_text(int code) { return std::generic_category().message(code); }

std::string path_text(std::string_view path) { return in_quotes(path, path.size()); }

Result<uint64_t> room_below(const std::string& directory) {
  const auto room = room_at(directory);
  if (!room) return room.error();
  return room->bytes;
}

Status check_target(const std::vector<FileSpec>& files, const std::string& directory) {
  const auto room = room_at(directory);
  if (!room) return room.error();
  TargetCheck check(directory, room->block_bytes);
  if (auto usable = check.check_directory(); !usable) return usable;
  // Where more is wanted than any volume has, adding up blocks would overflow.
  if (auto rough = enough(total_bytes(files), room->bytes, path_text(directory));
      !rough && total_bytes(files) > uint64_t{1} << 62) {
    return rough;
  }
  for (const FileSpec& file : files) {
    if (auto writable = check.check_file(file); !writable) return writable;
  }
  return check.check_room(*room);
}

Status check_stream_target(uint64_t bytes, int fd) {
  struct stat target {};
  struct statvfs volume {};
  if (fstat(fd, &target) != 0 || !S_ISREG(target.st_mode) || fstatvfs(fd, &volume) != 0) {
    return ok_status();  // writing will tell
  }
  return enough(bytes, room_of(volume).bytes, "the output file's volume");
}

}  // namespace mocks3
