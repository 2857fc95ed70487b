#include "data-gen/verify_tree.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

#include "data-gen/write_checks.hpp"

namespace mocks3 {
namespace {

namespace fs = std::filesystem;

/// An open file, closed at the end of its scope.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (fd_ >= 0) close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

/// A path on a line of its own: as it is, but for control characters.
std::string shown(const std::string& path) {
  std::string text = path_text(path);
  return text.substr(1, text.size() - 2);
}

std::string joined_path(const std::string& directory, const std::string& name) {
  return directory.ends_with('/') ? directory + name : directory + '/' + name;
}

/// Verifies files one after another and keeps the totals.
class Verification {
 public:
  explicit Verification(const VerifyEvents& events) : events_(events) {}

  bool stopped() const { return totals_.stopped; }
  VerifyTotals totals() const { return totals_; }

  void count(const std::string& path, const Finding& finding) {
    if (totals_.stopped) return;
    switch (finding.verdict) {
      case Verdict::right:
        ++totals_.right;
        totals_.right_bytes += finding.bytes;
        break;
      case Verdict::wrong:
        ++totals_.wrong;
        break;
      case Verdict::unchecked:
        ++totals_.unchecked;
        break;
      case Verdict::manifest:
        break;
    }
    if (finding.verdict != Verdict::right && finding.verdict != Verdict::manifest) {
      events_.line(shown(path) + ": " + finding.about);
    }
  }

  void count_wrong(const std::string& path, std::string about) {
    count(path, {Verdict::wrong, std::move(about), 0});
  }

  /// False, and counted, where there is no such directory: one line instead of one a file.
  bool enter(const std::string& directory) {
    std::error_code unknown;
    if (fs::is_directory(directory, unknown)) return true;
    count_wrong(directory, "no such directory");
    return false;
  }

  ByteSource source(int fd) {
    return descriptor_source(fd, [this, before = done_](uint64_t bytes) {
      done_ = before + bytes;
      if (events_.progress && !events_.progress(done_)) totals_.stopped = true;
      return !totals_.stopped;
    });
  }

  /// Opens a file and counts what `verify(source)` finds in it.
  template <class Verify>
  void verify_file(const std::string& path, Verify verify) {
    const OpenFile file(path);
    if (file.fd() < 0) {
      count_wrong(path, "cannot read: " + system_error_text(errno));
      return;
    }
    count(path, verify(source(file.fd())));
  }

  void verify_recognised_file(const std::string& path) {
    verify_file(path, [](const ByteSource& bytes) { return verify_recognised(bytes); });
  }

 private:
  const VerifyEvents& events_;
  VerifyTotals totals_;
  uint64_t done_ = 0;
};

/// What is below a directory, folders left out, sorted; paths are relative to it.
struct Listing {
  std::vector<std::string> files;
  std::vector<std::string> others;  ///< sockets, broken links and the like
};

Result<Listing> list_below(const std::string& directory) {
  std::error_code failed;
  Listing listing;
  fs::recursive_directory_iterator entry(directory, failed);
  for (const fs::recursive_directory_iterator end; !failed && entry != end;
       entry.increment(failed)) {
    std::error_code unknown;
    if (entry->is_directory(unknown) && !entry->is_symlink(unknown)) continue;
    const std::string path = entry->path().string();
    std::string name = path.substr(joined_path(directory, "").size());
    auto& list = entry->is_regular_file(unknown) ? listing.files : listing.others;
    list.push_back(std::move(name));
  }
  if (failed) return Error{"cannot read the directory: " + failed.message()};
  std::sort(listing.files.begin(), listing.files.end());
  std::sort(listing.others.begin(), listing.others.end());
  return listing;
}

void verify_directory(const std::string& directory, Verification& verification) {
  const auto listing = list_below(directory);
  if (!listing) return verification.count_wrong(directory, listing.error().message);
  if (listing->files.empty()) return verification.count_wrong(directory, "no files");
  for (const std::string& name : listing->files) {
    if (verification.stopped()) return;
    verification.verify_recognised_file(joined_path(directory, name));
  }
  for (const std::string& name : listing->others) {
    verification.count(joined_path(directory, name), {Verdict::unchecked, "not a regular file", 0});
  }
}

void verify_specified(const FileSpec& file, const std::optional<Sha256>& digest,
                      const std::string& directory, Verification& verification) {
  const std::string path = joined_path(directory, file.name);
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) {
    const bool missing = errno == ENOENT || errno == ENOTDIR;
    return verification.count_wrong(path, missing ? "missing" : system_error_text(errno));
  }
  if (!S_ISREG(found.st_mode)) return verification.count_wrong(path, "not a regular file");
  if (static_cast<uint64_t>(found.st_size) != file.size) {
    return verification.count_wrong(
        path, fmt::format("{} bytes, should be {}", found.st_size, file.size));
  }
  verification.verify_file(
      path, [&](const ByteSource& bytes) { return verify_against(file, bytes, digest); });
}

bool is_manifest(const std::string& path) {
  const OpenFile file(path);
  std::array<uint8_t, 64> start;
  const auto got = file.fd() < 0 ? Result<size_t>(size_t{0}) : descriptor_source(file.fd())(start);
  return got && starts_as_manifest(std::span(start).first(*got));
}

/// Counts what is in the directory, but not in the set.
void find_extra(const std::vector<FileSpec>& files, const std::string& directory,
                Verification& verification) {
  auto listing = list_below(directory);
  if (!listing) return verification.count_wrong(directory, listing.error().message);
  std::vector<std::string> expected;
  for (const FileSpec& file : files) expected.push_back(file.name);
  std::sort(expected.begin(), expected.end());
  auto& there = listing->files;
  there.insert(there.end(), listing->others.begin(), listing->others.end());
  for (const std::string& name : there) {
    if (std::binary_search(expected.begin(), expected.end(), name)) continue;
    const std::string path = joined_path(directory, name);
    if (!is_manifest(path)) verification.count_wrong(path, "not of this set");
  }
}

}  // namespace

VerifyTotals verify_paths(const std::vector<std::string>& paths, const VerifyEvents& events) {
  Verification verification(events);
  for (const std::string& path : paths) {
    std::error_code unknown;
    if (verification.stopped()) break;
    if (path == "-") {
      verification.count("standard input", verify_recognised(verification.source(0), true));
    } else if (fs::is_directory(path, unknown)) {
      verify_directory(path, verification);
    } else {
      verification.verify_recognised_file(path);
    }
  }
  return verification.totals();
}

VerifyTotals verify_set(const std::vector<FileSpec>& files, const std::string& directory,
                        const VerifyEvents& events) {
  Verification verification(events);
  if (!verification.enter(directory)) return verification.totals();
  for (const FileSpec& file : files) {
    if (verification.stopped()) return verification.totals();
    verify_specified(file, std::nullopt, directory, verification);
  }
  find_extra(files, directory, verification);
  return verification.totals();
}

VerifyTotals verify_manifest(const Manifest& manifest, const std::string& directory,
                             const VerifyEvents& events) {
  Verification verification(events);
  if (!verification.enter(directory)) return verification.totals();
  for (size_t i = 0; i < manifest.files.size() && !verification.stopped(); ++i) {
    verify_specified(manifest.files[i], manifest.digests[i], directory, verification);
  }
  return verification.totals();
}

}  // namespace mocks3
