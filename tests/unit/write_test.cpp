#include "data-gen/write.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "shared/util/encode.hpp"
#include "shared/util/units.hpp"
#include "tests/unit/temp_dir.hpp"

using namespace mocks3;
namespace fs = std::filesystem;

namespace {

std::vector<FileSpec> set_of(std::string_view set) { return expand_set(set, 1).value(); }

std::vector<uint8_t> bytes_of(const FileSpec& file) {
  std::vector<uint8_t> bytes(file.size);
  file_bytes(file, 0, bytes);
  return bytes;
}

void check_all_written(const std::vector<FileSpec>& files, const TempDir& dir) {
  for (const FileSpec& file : files) {
    CAPTURE(file.name);
    REQUIRE(read_file(dir.path(file.name)) == bytes_of(file));
  }
}

/// Message of a writing that has to fail.
std::string failure(const Status& status) {
  REQUIRE_FALSE(status);
  CHECK(status.error().message.find('\n') == std::string::npos);
  return status.error().message;
}

bool contains(const std::string& text, std::string_view part) {
  CAPTURE(text);
  CAPTURE(part);
  const bool found = text.find(part) != std::string::npos;
  CHECK(found);
  return found;
}

/// Reads a pipe to its end in a thread of its own.
class PipeReader {
 public:
  PipeReader() {
    REQUIRE(pipe(fds_) == 0);
    thread_ = std::thread([this] {
      std::vector<uint8_t> piece(100'000);
      for (ssize_t got; (got = read(fds_[0], piece.data(), piece.size())) > 0;) {
        bytes_.insert(bytes_.end(), piece.begin(), piece.begin() + got);
      }
    });
  }
  int write_end() const { return fds_[1]; }
  std::vector<uint8_t> finish() {
    close(fds_[1]);
    thread_.join();
    close(fds_[0]);
    return std::move(bytes_);
  }

 private:
  int fds_[2];
  std::vector<uint8_t> bytes_;
  std::thread thread_;
};

}  // namespace

TEST_CASE("write_corpus: every byte of every file, in folders that it makes") {
  for (const char* set : {"3x300KiB", "2x0", "hostile"}) {
    CAPTURE(set);
    const TempDir dir;
    const auto files = set_of(set);
    const std::string below = dir.path("a/b//c/");
    REQUIRE(write_corpus(files, below).ok());
    for (const FileSpec& file : files) {
      CAPTURE(file.name);
      REQUIRE(read_file(below + file.name) == bytes_of(file));
    }
  }
}

TEST_CASE("write_corpus: writing it again replaces the same files") {
  const TempDir dir;
  const auto files = set_of("2x100");
  REQUIRE(write_corpus(files, dir.path()).ok());
  flip_byte(dir.path("00"), 50);
  REQUIRE(write_corpus(files, dir.path()).ok());
  check_all_written(files, dir);
}

TEST_CASE("write_corpus: digests are those of the bytes") {
  const TempDir dir;
  const auto files = set_of("2x300001");
  std::vector<std::string> names;
  const auto written = write_corpus(
      files, dir.path(), {}, [&](const FileSpec& file, const Sha256& digest) -> Status {
        const auto bytes = read_file(dir.path(file.name));
        CHECK(sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()}) == digest);
        names.push_back(file.name);
        return ok_status();
      });
  REQUIRE(written.ok());
  CHECK(names == std::vector<std::string>{"00", "01"});
}

TEST_CASE("write_corpus: progress ends with all bytes, and can stop it") {
  const TempDir dir;
  uint64_t last = 0;
  REQUIRE(write_corpus(set_of("3x6MiB"), dir.path("whole"), [&](uint64_t done) {
            CHECK(done > last);
            last = done;
            return true;
          }).ok());
  CHECK(last == 18 * kMiB);
  // Stopped in the second file: the first stays, the second goes.
  const auto stop_at = [](uint64_t limit) { return [=](uint64_t done) { return done < limit; }; };
  CHECK(failure(write_corpus(set_of("3x6MiB"), dir.path("part"), stop_at(8 * kMiB))) == "stopped");
  CHECK(fs::file_size(dir.path("part/00")) == 6 * kMiB);
  CHECK_FALSE(fs::exists(dir.path("part/01")));
  // Stopped in the first: not even the folders stay.
  CHECK(failure(write_corpus(set_of("3x6MiB"), dir.path("x/y/z"), stop_at(1))) == "stopped");
  CHECK_FALSE(fs::exists(dir.path("x")));
}

TEST_CASE("write_corpus: an error of file_done removes the file") {
  const TempDir dir;
  const auto refuse = [](const FileSpec&, const Sha256&) -> Status { return Error{"no"}; };
  CHECK(failure(write_corpus(set_of("1x10"), dir.path("d"), {}, refuse)) == "no");
  CHECK_FALSE(fs::exists(dir.path("d")));
}

TEST_CASE("write_corpus: no room is told before the first byte, with both figures") {
  const TempDir dir;
  const std::string message = failure(write_corpus(set_of("1000x8TiB"), dir.path("d")));
  contains(message, "no room");
  contains(message, "7.8 PiB needed");
  contains(message, "available");
  CHECK_FALSE(fs::exists(dir.path("d")));
  failure(write_corpus(set_of("10000000x8TiB"), dir.path("d")));  // overflows 64 bits
}

TEST_CASE("write_corpus: what stands in the way is told before the first byte") {
  const TempDir dir;
  const auto files = set_of("3x100");
  SUBCASE("the directory is a file") {
    write_file(dir.path("f"), "x");
    contains(failure(write_corpus(files, dir.path("f"))), "/f\" is not a directory");
    contains(failure(write_corpus(files, dir.path("f/sub"))), "/f\" is not a directory");
  }
  SUBCASE("a file with another size") {
    write_file(dir.path("02"), "x");
    contains(failure(write_corpus(files, dir.path())), "/02\" exists with another size (1 bytes");
    CHECK(read_file(dir.path("02")).size() == 1);
  }
  SUBCASE("a folder where a file should be") {
    fs::create_directory(dir.path("01"));
    contains(failure(write_corpus(files, dir.path())), "/01\" exists and is not a regular file");
  }
  SUBCASE("a symbolic link where a file should be") {
    write_file(dir.path("elsewhere"), std::string(100, 'x'));
    fs::create_symlink(dir.path("elsewhere"), dir.path("01"));
    contains(failure(write_corpus(files, dir.path())), "/01\" exists and is not a regular file");
    CHECK(read_file(dir.path("elsewhere"))[0] == 'x');
  }
  SUBCASE("a file where one of the set's folders should be") {
    write_file(dir.path("large"), "x");
    const std::vector<FileSpec> nested{{"large/0", 10, 1, FileKind::stream}};
    contains(failure(write_corpus(nested, dir.path())), "/large\" is a file where a directory");
  }
  CHECK_FALSE(fs::exists(dir.path("00")));
}

TEST_CASE("write_corpus: an unwritable directory") {
  if (geteuid() == 0) return;  // to root every directory is writable
  const TempDir dir;
  fs::permissions(dir.path(), fs::perms::owner_read | fs::perms::owner_exec);
  contains(failure(write_corpus(set_of("1x1"), dir.path("d"))), "cannot write into");
  fs::permissions(dir.path(), fs::perms::owner_all);
}

TEST_CASE("write_corpus: a write that fails half-way removes the unfinished file") {
  const TempDir dir;
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{kMiB, kMiB};
    setrlimit(RLIMIT_FSIZE, &limit);
    const auto written = write_corpus(set_of("1x2MiB"), dir.path("d"));
    const bool as_expected = !written && written.error().message.find(
                                             "after 1048576 bytes: File "
                                             "too large") != std::string::npos;
    _exit(as_expected ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK_FALSE(fs::exists(dir.path("d")));
}

TEST_CASE("stream_corpus: the files one after another") {
  const auto files = set_of("3x700001");
  PipeReader reader;
  REQUIRE(stream_corpus(files, reader.write_end()).ok());
  std::vector<uint8_t> expected;
  for (const FileSpec& file : files) {
    const auto bytes = bytes_of(file);
    expected.insert(expected.end(), bytes.begin(), bytes.end());
  }
  CHECK(reader.finish() == expected);
}

TEST_CASE("stream_corpus: a descriptor that does not block is waited for") {
  const auto files = set_of("1x5MiB");
  PipeReader reader;
  fcntl(reader.write_end(), F_SETFL, O_NONBLOCK);
  REQUIRE(stream_corpus(files, reader.write_end()).ok());
  CHECK(reader.finish() == bytes_of(files[0]));
}

TEST_CASE("stream_corpus: a reader that goes away, a full device, a closed descriptor") {
  signal(SIGPIPE, SIG_IGN);
  int fds[2];
  REQUIRE(pipe(fds) == 0);
  close(fds[0]);
  contains(failure(stream_corpus(set_of("1x1MiB"), fds[1])), "closed by its reader after 0 bytes");
  close(fds[1]);
  contains(failure(stream_corpus(set_of("1x1MiB"), fds[1])), "Bad file descriptor");
  const int full = open("/dev/full", O_WRONLY);
  REQUIRE(full >= 0);
  contains(failure(stream_corpus(set_of("1x1MiB"), full)), "No space left on device");
  close(full);
  signal(SIGPIPE, SIG_DFL);
}

TEST_CASE("room_below: of the volume of the nearest existing parent") {
  const TempDir dir;
  struct statvfs volume {};
  REQUIRE(statvfs(dir.path().c_str(), &volume) == 0);
  const double free_bytes =
      static_cast<double>(volume.f_bavail) * static_cast<double>(volume.f_frsize);
  for (const char* path : {"", "not/there/yet", "trailing/"}) {
    const auto room = room_below(dir.path(path));
    REQUIRE(room.ok());
    CHECK(static_cast<double>(*room) == doctest::Approx(free_bytes).epsilon(0.2));
  }
  CHECK(room_below("relative/path").ok());
}
