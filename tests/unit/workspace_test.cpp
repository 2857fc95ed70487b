#include "client/sweep/workspace.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

using namespace mocks3;
using namespace mocks3::client;
namespace fs = std::filesystem;

namespace {

const Tool& some_tool() {
  static const Tool tool{"tool", true, {}, {}};
  return tool;
}

/// A plan with one tool whose data directory is new and gone at the end.
struct Fixture {
  explicit Fixture(FileSet files = {5, 1000}) {
    char name[] = "/tmp/workspace_test.XXXXXX";
    REQUIRE(mkdtemp(name) != nullptr);
    directory = name;
    Options options;
    options.thread_counts = {2};
    options.file_sets = {files};
    options.data_dir = directory;
    auto made = make_plan(options, {{"tool", &some_tool(), {}}}, "p");
    REQUIRE(made);
    plan = std::move(*made);
  }
  ~Fixture() { fs::remove_all(directory); }

  std::string directory;
  SweepPlan plan;
};

}  // namespace

TEST_CASE("sources: the set's files, split over directories") {
  Fixture fixture;
  auto workspace = Workspace::make(fixture.plan);
  REQUIRE(workspace);
  const auto directories = (*workspace)->sources({5, 1000}, 2);
  REQUIRE(directories);
  REQUIRE(directories->size() == 2);
  CHECK(fs::file_size(directories->at(0) + "/00") == 1000);
  CHECK(fs::file_size(directories->at(0) + "/02") == 1000);
  CHECK(fs::file_size(directories->at(1) + "/04") == 1000);
  CHECK_FALSE(fs::exists(directories->at(1) + "/02"));
  CHECK((*workspace)->sources({5, 1000}, 2).value() == *directories);
  const auto one = (*workspace)->sources({5, 1000}, 1);
  REQUIRE(one);
  CHECK(fs::exists(one->at(0) + "/04"));
  // The same file, not another copy.
  CHECK(fs::equivalent(one->at(0) + "/04", directories->at(1) + "/04"));
}

TEST_CASE("nothing stays in the data directory") {
  Fixture fixture;
  {
    auto workspace = Workspace::make(fixture.plan);
    REQUIRE(workspace);
    REQUIRE((*workspace)->sources({5, 1000}, 2));
    REQUIRE((*workspace)->make_sink({5, 1000}, 2));
    CHECK_FALSE(fs::is_empty(fixture.directory));
  }
  CHECK(fs::is_empty(fixture.directory));
}

TEST_CASE("downloads are checked by name, size and number") {
  Fixture fixture;
  auto made = Workspace::make(fixture.plan);
  REQUIRE(made);
  Workspace& workspace = **made;
  const FileSet set{3, 10};
  const auto sink = workspace.make_sink(set, 2);
  REQUIRE(sink);
  const auto write = [&](const std::string& path, size_t size) {
    std::ofstream(path) << std::string(size, 'x');
  };
  write(sink->at(0) + "/00", 10);
  write(sink->at(0) + "/01", 10);
  CHECK(workspace.check_sink(set, 2).error().message == "file 02 was not downloaded");
  write(sink->at(1) + "/02", 9);
  CHECK(workspace.check_sink(set, 2).error().message == "file 02 has 9 bytes, not 10");
  write(sink->at(1) + "/02", 10);
  CHECK(workspace.check_sink(set, 2));
  write(sink->at(1) + "/03", 10);
  CHECK(workspace.check_sink(set, 2).error().message == "2 files were downloaded, not 1");
  workspace.remove_sink();
  CHECK_FALSE(fs::exists(sink->at(0)));
}

TEST_CASE("a new sink is empty") {
  Fixture fixture;
  auto workspace = Workspace::make(fixture.plan);
  REQUIRE(workspace);
  const auto first = (*workspace)->make_sink({1, 10}, 1);
  REQUIRE(first);
  std::ofstream(first->at(0) + "/left") << "x";
  const auto second = (*workspace)->make_sink({1, 10}, 1);
  REQUIRE(second);
  CHECK(fs::is_empty(second->at(0)));
}

TEST_CASE("a data directory that cannot be used is one clear line") {
  Fixture fixture;
  fixture.plan.data_dir = fixture.directory + "/none";
  auto none = Workspace::make(fixture.plan);
  REQUIRE_FALSE(none);
  CHECK(none.error().message == "data directory " + fixture.directory +
                                    "/none: there is no such directory; choose another with "
                                    "--data-dir DIR");
  std::ofstream(fixture.directory + "/file") << "x";
  fixture.plan.data_dir = fixture.directory + "/file";
  auto file = Workspace::make(fixture.plan);
  REQUIRE_FALSE(file);
  CHECK(file.error().message.find("a file is in its place") != std::string::npos);
  fixture.plan.data_dir = "/proc";
  CHECK_FALSE(Workspace::make(fixture.plan));
}

TEST_CASE("too little room is known before anything is written") {
  Fixture fixture({1000, 1ULL << 40});
  const auto workspace = Workspace::make(fixture.plan);
  REQUIRE_FALSE(workspace);
  CHECK(workspace.error().message.find("to upload from; choose smaller --files") !=
        std::string::npos);
  CHECK(fs::is_empty(fixture.directory));
}

TEST_CASE("what a killed run left is removed, what a living one uses is not") {
  Fixture fixture;
  auto living = Workspace::make(fixture.plan);
  REQUIRE(living);
  const std::string abandoned = fixture.directory + "/s3-bench-abcdef";
  const std::string other = fixture.directory + "/s3-bench-results";
  fs::create_directories(abandoned + "/sink");
  fs::create_directory(other);
  auto next = Workspace::make(fixture.plan);
  REQUIRE(next);
  CHECK_FALSE(fs::exists(abandoned));
  CHECK(fs::exists(other));
  CHECK(fs::exists((*living)->path()));
}
