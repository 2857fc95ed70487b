#include "client/report/run_directory.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "tests/unit/report_fixture.hpp"

using namespace mocks3::client;
namespace fs = std::filesystem;

namespace {

/// A new directory that is the working directory while the object lives.
struct ScratchDirectory {
  ScratchDirectory() : before(fs::current_path()) {
    char name[] = "/tmp/run_directory_test.XXXXXX";
    REQUIRE(mkdtemp(name) != nullptr);
    path = name;
    fs::current_path(path);
  }
  ~ScratchDirectory() {
    fs::current_path(before);
    fs::remove_all(path);
  }
  fs::path before, path;
};

}  // namespace

TEST_CASE("without --out a run directory of its own is made each time") {
  ScratchDirectory scratch;
  std::set<std::string> names;
  for (int i = 0; i < 3; ++i) {
    const auto made = make_run_directory("", "sweep");
    REQUIRE(made);
    CHECK(made->rfind("runs/", 0) == 0);
    CHECK(made->find("Z-sweep") != std::string::npos);
    CHECK(fs::is_directory(*made));
    names.insert(*made);
  }
  CHECK(names.size() == 3);
  for (const std::string& name : names) discard_run_directory(name);
  CHECK(fs::is_empty(scratch.path));
}

TEST_CASE("a directory with results is not discarded") {
  ScratchDirectory scratch;
  const auto made = make_run_directory("", "sweep");
  REQUIRE(made);
  REQUIRE(write_run(*made, sample_report()));
  discard_run_directory(*made);
  CHECK(fs::exists(*made + "/run.json"));
}

TEST_CASE("all files are written, none is left half-written") {
  ScratchDirectory scratch;
  const auto made = make_run_directory("a/b", "sweep");
  REQUIRE(made);
  REQUIRE(write_run(*made, sample_report()));
  std::set<std::string> files;
  for (const auto& entry : fs::directory_iterator("a/b")) files.insert(entry.path().filename());
  CHECK(files == std::set<std::string>{"bench.txt", "run.json", "samples.csv", "table.md"});
  std::ifstream table("a/b/table.md");
  const std::string text(std::istreambuf_iterator<char>(table), {});
  CHECK(text.find("- version: v0.1.0") != std::string::npos);
  CHECK(text.find("| Client ") != std::string::npos);
}

TEST_CASE("a file where the directory should be is a clear error") {
  ScratchDirectory scratch;
  std::ofstream("taken") << "x";
  for (const char* out : {"taken", "taken/below"}) {
    const auto made = make_run_directory(out, "sweep");
    REQUIRE_FALSE(made);
    CHECK(made.error().message.find("--out DIR") != std::string::npos);
  }
  std::ofstream("runs") << "x";
  CHECK_FALSE(make_run_directory("", "sweep"));
}

TEST_CASE("a place that cannot be written is an error before anything is measured") {
  CHECK_FALSE(make_run_directory("/proc/run", "sweep"));
  CHECK_FALSE(make_run_directory("/proc", "sweep"));
}

TEST_CASE("a directory that has gone cannot be written") {
  const auto written = write_run("/nonexistent/run", sample_report());
  REQUIRE_FALSE(written);
  CHECK(written.error().message.find("run.json") != std::string::npos);
}
