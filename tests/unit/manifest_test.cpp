#include "data-gen/manifest.hpp"

#include <doctest/doctest.h>

#include "tests/unit/temp_dir.hpp"

using namespace mocks3;
namespace fs = std::filesystem;

namespace {

Manifest manifest_of(std::string_view set) {
  Manifest manifest{"v1", std::string(set), 3, expand_set(set, 3).value(), {}};
  for (const FileSpec& file : manifest.files) manifest.digests.push_back(sha256(file.name));
  return manifest;
}

const std::string kEntry = R"({"name": "a", "size": 5, "seed": 1, "kind": "text", "sha256": ")" +
                           std::string(64, '0') + "\"}";

std::string manifest_text(const std::string& entries, int count = 1) {
  return "{\"format\": \"data-gen-manifest/1\", \"version\": \"v\", \"set\": \"s\", \"seed\": 1, "
         "\"count\": " +
         std::to_string(count) + ", \"files\": [" + entries + "]}";
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// What reading a file with this text says, a line in any case.
Result<Manifest> read_text(const std::string& text) {
  const TempDir dir;
  write_file(dir.path("m"), text);
  auto manifest = read_manifest(dir.path("m"));
  if (!manifest) CHECK(manifest.error().message.find('\n') == std::string::npos);
  return manifest;
}

std::string problem(const std::string& text) {
  const auto manifest = read_text(text);
  CAPTURE(text);
  REQUIRE_FALSE(manifest);
  const std::string marker = "is not a manifest, or is damaged: ";
  const size_t at = manifest.error().message.find(marker);
  REQUIRE(at != std::string::npos);
  return manifest.error().message.substr(at + marker.size());
}

}  // namespace

TEST_CASE("a manifest reads back as it was written") {
  for (const char* set : {"1x0", "3x5MiB", "hostile", "mixed"}) {
    CAPTURE(set);
    const TempDir dir;
    const Manifest written = manifest_of(set);
    REQUIRE(write_manifest(dir.path("m.json"), written).ok());
    CHECK_FALSE(fs::exists(dir.path("m.json.part")));
    const auto read = read_manifest(dir.path("m.json"));
    REQUIRE(read.ok());
    CHECK(read->version == "v1");
    CHECK(read->set == set);
    CHECK(read->seed == 3);
    CHECK(read->digests == written.digests);
    REQUIRE(read->files.size() == written.files.size());
    for (size_t i = 0; i < read->files.size(); ++i) {
      CHECK(read->files[i].name == written.files[i].name);
      CHECK(read->files[i].size == written.files[i].size);
      CHECK(read->files[i].seed == written.files[i].seed);
      CHECK(read->files[i].kind == written.files[i].kind);
    }
    CHECK(starts_as_manifest(read_file(dir.path("m.json"))));
  }
}

TEST_CASE("writing replaces an older manifest, and leaves nothing behind where it cannot") {
  const TempDir dir;
  write_file(dir.path("m"), "older");
  REQUIRE(write_manifest(dir.path("m"), manifest_of("1x1")).ok());
  CHECK(read_manifest(dir.path("m")).ok());
  const auto nowhere = write_manifest(dir.path("no/m"), manifest_of("1x1"));
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error().message.find("No such file or directory") != std::string::npos);
  fs::create_directory(dir.path("d"));
  CHECK_FALSE(write_manifest(dir.path("d"), manifest_of("1x1")));
  CHECK_FALSE(fs::exists(dir.path("d.part")));
}

TEST_CASE("check_manifest_target: what cannot work is told beforehand") {
  const TempDir dir;
  const auto files = expand_set("2x1", 1).value();
  const std::string to = dir.path("new");
  CHECK(check_manifest_target(dir.path("m"), to, files).ok());
  CHECK(check_manifest_target(to + "/m", to, files).ok());  // the directory comes into being first
  CHECK(check_manifest_target(to + "/../new/./m", to + "/", files).ok());
  CHECK(check_manifest_target("m-in-the-working-directory", "", files).ok());
  CHECK_FALSE(check_manifest_target(dir.path("no/m"), to, files));
  CHECK_FALSE(check_manifest_target(dir.path(), to, files));
  CHECK_FALSE(check_manifest_target(dir.path("x/"), to, files));
  CHECK_FALSE(check_manifest_target("", to, files));
  CHECK_FALSE(check_manifest_target(to + "/01", to, files));
  CHECK_FALSE(check_manifest_target(to + "/./00", to, files));
  CHECK_FALSE(check_manifest_target(to + "/sizes", to, expand_set("hostile", 1).value()));
}

TEST_CASE("read_manifest: the smallest") {
  const auto manifest = read_text(manifest_text(kEntry));
  REQUIRE(manifest.ok());
  REQUIRE(manifest->files.size() == 1);
  CHECK(manifest->files[0].name == "a");
  CHECK(manifest->files[0].kind == FileKind::text);
  CHECK(read_text(manifest_text("", 0)).ok());
}

TEST_CASE("read_manifest: foreign and damaged files") {
  CHECK(problem("").starts_with("no JSON from byte"));
  CHECK(problem("hello").starts_with("no JSON from byte"));
  CHECK(problem(std::string(1000, '[')).starts_with("no JSON from byte"));
  for (const char* foreign : {"{}", "[]", "null", "5", "\"x\"", "[[{}]]", "{\"format\": 5}",
                              "{\"format\": \"data-gen-manifest/2\"}", "{\"files\": [{}]}"}) {
    CHECK(problem(foreign) == "no manifest of data-gen");
  }
  const std::string whole = manifest_text(kEntry);
  for (size_t length = 0; length < whole.size(); ++length) {
    CHECK_FALSE(read_text(whole.substr(0, length)));
  }
  CHECK(problem(manifest_text(kEntry, 2)) == "it lists 1 files, not its \"count\"");
  CHECK(problem(replaced(whole, "\"count\"", "\"counts\"")) ==
        "it lists 1 files, not its \"count\"");
  CHECK(problem(replaced(whole, "\"seed\"", "\"sead\"")).find("missing") != std::string::npos);
  CHECK(problem(replaced(whole, "\"a\"", "\"\xff\"")).starts_with("no JSON from byte"));
  CHECK(problem(manifest_text("5", 0)) == "entry 1 is no object");
  CHECK(problem(manifest_text(kEntry + ", []")) == "entry 2 is no object");
  CHECK(problem(replaced(manifest_text("", 0), "[]", "{}")) == "\"files\" is no list");
}

TEST_CASE("read_manifest: entries that are not valid") {
  const auto entry_problem = [](std::string_view from, std::string_view to) {
    return problem(manifest_text(replaced(kEntry, from, to)));
  };
  const std::string invalid = "entry 1 lacks a valid name, kind, size, seed or sha256";
  CHECK(entry_problem("\"a\"", "5") == invalid);
  CHECK(entry_problem("5", "-5") == invalid);
  CHECK(entry_problem("5", "5.5") == invalid);
  CHECK(entry_problem("5", "\"5\"") == invalid);
  CHECK(entry_problem("5", "99999999999999999999") == invalid);
  CHECK(entry_problem("5", "18446744073709551615") == invalid);
  CHECK(entry_problem("1,", "16777216,") == invalid);
  CHECK(entry_problem("text", "texts") == invalid);
  CHECK(entry_problem("00", "0") == invalid);
  CHECK(entry_problem("00", "0g") == invalid);
  CHECK(entry_problem("\"sha256\"", "\"md5\"") == invalid);
  CHECK(problem(manifest_text(kEntry + "," + kEntry, 2)) == "\"a\" is there twice");
}

TEST_CASE("read_manifest: names that lead elsewhere are refused") {
  for (const char* name : {"", "/etc/passwd", "..", "../a", "a/../b", "a/..", "./a", "a/.", ".",
                           "a//b", "a/", "/", "a\\u0000b"}) {
    CAPTURE(name);
    const std::string text =
        manifest_text(replaced(kEntry, "\"a\"", '"' + std::string(name) + '"'));
    CHECK(problem(text).find("which is not below a directory") != std::string::npos);
  }
  for (const char* name : {"...", "..a", "a..", "a/...", "-", "a b", "a\\\\b"}) {
    CAPTURE(name);
    CHECK(read_text(manifest_text(replaced(kEntry, "\"a\"", '"' + std::string(name) + '"'))).ok());
  }
}

TEST_CASE("read_manifest: no file") {
  const TempDir dir;
  CHECK_FALSE(read_manifest(dir.path("nowhere")));
  CHECK_FALSE(read_manifest(dir.path()));
}

TEST_CASE("kind_name") {
  CHECK(kind_name(FileKind::stream) == "stream");
  CHECK(kind_name(FileKind::text) == "text");
}
