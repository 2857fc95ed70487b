#include "data-gen/write.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <utility>

#include "data-gen/write_checks.hpp"
#include "shared/util/units.hpp"

namespace mocks3 {
namespace {

constexpr size_t kBufferBytes = 256 * 1024;  // stays in the L2 cache
constexpr uint64_t kProgressBytes = 4 * kMiB;

/// Makes the bytes of files and puts them into descriptors, one file after another.
class Producer {
 public:
  Producer(const WriteProgress& progress, const FileDone& file_done)
      : progress_(progress),
        file_done_(file_done),
        buffer_(new (kAlignment) uint8_t[kBufferBytes]) {}

  /// Writes the whole of `file`; `name` is what messages call the descriptor.
  Status put(const FileSpec& file, int fd, const std::string& name) {
    std::optional<Sha256Stream> digest;
    if (file_done_) digest.emplace();
    for (uint64_t offset = 0; offset < file.size;) {
      const std::span<uint8_t> piece(
          buffer_.get(), static_cast<size_t>(std::min<uint64_t>(kBufferBytes, file.size - offset)));
      file_bytes(file, offset, piece);
      if (digest) digest->update(piece);
      if (auto written = write_all(fd, piece, name); !written) return written;
      offset += piece.size();
    }
    digest_ = digest ? digest->finish() : Sha256{};
    return ok_status();
  }

  /// To be called once the file that was put is safe.
  Status finish(const FileSpec& file) {
    return file_done_ ? file_done_(file, digest_) : ok_status();
  }

  /// Tells how far the writing is.
  Status report() {
    unreported_ = 0;
    return !progress_ || progress_(done_) ? ok_status() : Error{"stopped"};
  }

 private:
  static constexpr std::align_val_t kAlignment{4096};
  struct AlignedDelete {
    void operator()(uint8_t* bytes) const { operator delete[](bytes, kAlignment); }
  };

  Status write_all(int fd, std::span<const uint8_t> bytes, const std::string& name) {
    while (!bytes.empty()) {
      const ssize_t written = write(fd, bytes.data(), bytes.size());
      if (written < 0) {
        if (auto waited = wait_after(errno, fd, name); !waited) return waited;
        continue;
      }
      bytes = bytes.subspan(static_cast<size_t>(written));
      done_ += static_cast<uint64_t>(written);
      unreported_ += static_cast<uint64_t>(written);
    }
    return unreported_ >= kProgressBytes ? report() : ok_status();
  }

  /// After a write that failed with `code`: an error, or success where it should be tried again.
  Status wait_after(int code, int fd, const std::string& name) {
    if (code == EINTR) return report();
    if (code == EAGAIN || code == EWOULDBLOCK) {
      pollfd writable{fd, POLLOUT, 0};
      poll(&writable, 1, 1000);
      return report();
    }
    if (code == EPIPE) {
      return Error{fmt::format("{} was closed by its reader after {} bytes", name, done_)};
    }
    return Error{
        fmt::format("cannot write {} after {} bytes: {}", name, done_, system_error_text(code))};
  }

  const WriteProgress& progress_;
  const FileDone& file_done_;
  std::unique_ptr<uint8_t[], AlignedDelete> buffer_;
  Sha256 digest_{};
  uint64_t done_ = 0;
  uint64_t unreported_ = 0;
};

/// Folders that were made on the way, to be taken away again where they stay empty.
class MadeFolders {
 public:
  Status make(const std::string& path) {
    if (path == last_) return ok_status();
    if (auto made = make_missing(path); !made) return made;
    last_ = path;
    return ok_status();
  }

  void remove_empty() {
    for (auto path = made_.rbegin(); path != made_.rend(); ++path) rmdir(path->c_str());
  }

 private:
  Status make_missing(const std::string& path) {
    if (mkdir(path.c_str(), 0777) == 0) {
      made_.push_back(path);
      return ok_status();
    }
    const int code = errno;
    struct stat found {};
    if (code == EEXIST && stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode)) {
      return ok_status();
    }
    const size_t slash = path.find_last_of('/');
    if (code != ENOENT || slash == std::string::npos || slash == 0) {
      return Error{fmt::format("cannot make the directory {}: {}", path_text(path),
                               system_error_text(code))};
    }
    if (auto parent = make_missing(path.substr(0, slash)); !parent) return parent;
    return make_missing_last(path);
  }

  Status make_missing_last(const std::string& path) {
    if (mkdir(path.c_str(), 0777) == 0) {
      made_.push_back(path);
      return ok_status();
    }
    // "a//b" and "a/." name folders that making their parent has made already.
    struct stat found {};
    if (stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode)) return ok_status();
    return Error{
        fmt::format("cannot make the directory {}: {}", path_text(path), system_error_text(errno))};
  }

  std::string last_;
  std::vector<std::string> made_;
};

Status write_file(const FileSpec& file, const std::string& path, Producer& producer) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (fd < 0) {
    return Error{fmt::format("cannot write {}: {}", path_text(path), system_error_text(errno))};
  }
  Status written = producer.put(file, fd, path_text(path));
  // Network file systems tell only now that there was no room.
  if (close(fd) != 0 && written) {
    written = Error{fmt::format("cannot write {}: {}", path_text(path), system_error_text(errno))};
  }
  if (written) written = producer.finish(file);
  if (!written) unlink(path.c_str());
  return written;
}

Status write_files(const std::vector<FileSpec>& files, const std::string& directory,
                   Producer& producer, MadeFolders& folders) {
  if (auto made = folders.make(directory); !made) return made;
  for (const FileSpec& file : files) {
    const std::string path = directory + '/' + file.name;
    if (auto made = folders.make(path.substr(0, path.find_last_of('/'))); !made) return made;
    if (auto written = write_file(file, path, producer); !written) return written;
  }
  return producer.report();
}

}  // namespace

Status write_corpus(const std::vector<FileSpec>& files, const std::string& directory,
                    const WriteProgress& progress, const FileDone& file_done) {
  if (auto checked = check_target(files, directory); !checked) return checked;
  Producer producer(progress, file_done);
  MadeFolders folders;
  Status written = write_files(files, directory, producer, folders);
  if (!written) folders.remove_empty();
  return written;
}

Status stream_corpus(const std::vector<FileSpec>& files, int fd, const WriteProgress& progress,
                     const FileDone& file_done) {
  if (auto checked = check_stream_target(total_bytes(files), fd); !checked) return checked;
  // A larger pipe means fewer changes between writer and reader; fails where it is no pipe.
  fcntl(fd, F_SETPIPE_SZ, 1 << 20);
  Producer producer(progress, file_done);
  for (const FileSpec& file : files) {
    if (auto put = producer.put(file, fd, "the output"); !put) return put;
    if (auto finished = producer.finish(file); !finished) return finished;
  }
  return producer.report();
}

}  // namespace mocks3
