#include "data-gen/verify_tree.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>

#include "data-gen/write.hpp"
#include "tests/unit/temp_dir.hpp"

using namespace mocks3;
namespace fs = std::filesystem;

namespace {

/// A set on disk, and what verifying it says.
struct Written {
  explicit Written(std::string_view set) : files(expand_set(set, 1).value()) {
    const auto done = write_corpus(files, dir.path(), {}, [&](const FileSpec&, const Sha256& d) {
      manifest.digests.push_back(d);
      return ok_status();
    });
    REQUIRE(done.ok());
    manifest.files = files;
  }

  VerifyEvents events() {
    lines.clear();
    return {[this](const std::string& line) { lines.push_back(line); }, {}};
  }
  VerifyTotals by_paths(const std::vector<std::string>& paths) {
    return verify_paths(paths, events());
  }
  VerifyTotals by_set() { return verify_set(files, dir.path(), events()); }
  VerifyTotals by_manifest() { return verify_manifest(manifest, dir.path(), events()); }

  TempDir dir;
  std::vector<FileSpec> files;
  Manifest manifest;
  std::vector<std::string> lines;
};

void check_totals(const VerifyTotals& totals, uint64_t right, uint64_t wrong, uint64_t unchecked) {
  CHECK(totals.right == right);
  CHECK(totals.wrong == wrong);
  CHECK(totals.unchecked == unchecked);
}

}  // namespace

TEST_CASE("a set that is right") {
  for (const char* set : {"3x100000", "hostile", "many-tiny"}) {
    CAPTURE(set);
    Written written(set);
    const auto count = written.files.size();
    check_totals(written.by_set(), count, 0, 0);
    check_totals(written.by_manifest(), count, 0, 0);
    CHECK(written.by_manifest().right_bytes == total_bytes(written.files));
    const auto short_files = static_cast<uint64_t>(std::count_if(
        written.files.begin(), written.files.end(),
        [](const FileSpec& f) { return f.size < (f.kind == FileKind::stream ? 23 : 95); }));
    check_totals(written.by_paths({written.dir.path()}), count - short_files, 0, short_files);
  }
}

TEST_CASE("one flipped byte is found in each way, with file and offset") {
  Written written("3x100000");
  flip_byte(written.dir.path("01"), 54'321);
  const std::string line = written.dir.path("01") + ": wrong byte at offset 54321";
  check_totals(written.by_set(), 2, 1, 0);
  CHECK(written.lines == std::vector{line});
  check_totals(written.by_manifest(), 2, 1, 0);
  CHECK(written.lines == std::vector{line});
  check_totals(written.by_paths({written.dir.path()}), 2, 1, 0);
  CHECK(written.lines == std::vector{line});
  check_totals(written.by_paths({written.dir.path("00"), written.dir.path("01")}), 1, 1, 0);
}

TEST_CASE("missing, short, long and extra files") {
  Written written("5x1000");
  fs::remove(written.dir.path("00"));
  fs::resize_file(written.dir.path("01"), 999);
  fs::resize_file(written.dir.path("02"), 1001);
  fs::create_directories(written.dir.path("sub"));
  write_file(written.dir.path("sub/extra\n"), "x");
  check_totals(written.by_set(), 2, 4, 0);
  CHECK(written.lines ==
        std::vector<std::string>{written.dir.path("00") + ": missing",
                                 written.dir.path("01") + ": 999 bytes, should be 1000",
                                 written.dir.path("02") + ": 1001 bytes, should be 1000",
                                 written.dir.path("sub/extra?") + ": not of this set"});
  check_totals(written.by_manifest(), 2, 3, 0);  // other files play no part
}

TEST_CASE("swapped files are wrong where names count") {
  Written written("2x1000");
  fs::rename(written.dir.path("00"), written.dir.path("x"));
  fs::rename(written.dir.path("01"), written.dir.path("00"));
  fs::rename(written.dir.path("x"), written.dir.path("01"));
  check_totals(written.by_set(), 0, 2, 0);
  check_totals(written.by_manifest(), 0, 2, 0);
  check_totals(written.by_paths({written.dir.path()}), 2, 0, 0);
}

TEST_CASE("a manifest beside the files is none of them") {
  Written written("2x1000");
  REQUIRE(write_manifest(written.dir.path("m.json"), written.manifest).ok());
  check_totals(written.by_set(), 2, 0, 0);
  check_totals(written.by_paths({written.dir.path()}), 2, 0, 0);
}

TEST_CASE("folders and other things where files should be") {
  Written written("2x1000");
  fs::remove(written.dir.path("00"));
  fs::create_directory(written.dir.path("00"));
  check_totals(written.by_set(), 1, 1, 0);
  CHECK(written.lines == std::vector{written.dir.path("00") + ": not a regular file"});
  REQUIRE(mkfifo(written.dir.path("pipe").c_str(), 0600) == 0);
  fs::create_symlink("nowhere", written.dir.path("broken"));
  check_totals(written.by_paths({written.dir.path()}), 1, 0, 2);
}

TEST_CASE("what is not there, or empty") {
  Written written("1x1000");
  fs::create_directory(written.dir.path("empty"));
  check_totals(written.by_paths({written.dir.path("nowhere")}), 0, 1, 0);
  CHECK(written.lines[0].ends_with("/nowhere: cannot read: No such file or directory"));
  check_totals(written.by_paths({written.dir.path("empty")}), 0, 1, 0);
  const VerifyEvents events = written.events();
  check_totals(verify_set(written.files, written.dir.path("nowhere"), events), 0, 1, 0);
  check_totals(verify_manifest(written.manifest, written.dir.path("00"), events), 0, 1, 0);
  CHECK(written.lines[1].ends_with("/00: no such directory"));
}

TEST_CASE("progress sees all bytes and can stop") {
  Written written("3x1000");
  VerifyEvents events = written.events();
  uint64_t last = 0;
  events.progress = [&](uint64_t done) {
    CHECK(done >= last);
    last = done;
    return true;
  };
  verify_set(written.files, written.dir.path(), events);
  CHECK(last == 3000);
  events.progress = [](uint64_t done) { return done < 1500; };
  const auto stopped = verify_set(written.files, written.dir.path(), events);
  CHECK(stopped.stopped);
  CHECK(stopped.right == 1);
  CHECK(stopped.wrong == 0);
  CHECK(written.lines.empty());
}
