#include "data-gen/corpus.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "data-gen/hostile_names.hpp"
#include "data-gen/pattern.hpp"
#include "shared/util/units.hpp"

using namespace mocks3;

namespace {

std::vector<FileSpec> set_of(std::string_view set, uint32_t seed = 1) {
  auto files = expand_set(set, seed);
  REQUIRE(files.ok());
  return std::move(files).value();
}

bool same_specs(const std::vector<FileSpec>& a, const std::vector<FileSpec>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.name == y.name && x.size == y.size && x.seed == y.seed && x.kind == y.kind;
  });
}

std::vector<std::string> components(const std::string& path) {
  std::vector<std::string> parts{""};
  for (const char c : path) {
    if (c == '/') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

bool is_utf8_without_controls(const std::string& text) {
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<uint8_t>(text[i]);
    const size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0x20 || lead == 0x7f || (lead >= 0x80 && lead < 0xc2)) return false;
    for (size_t next = 1; next < length; ++next) {
      if (i + next >= text.size() || (static_cast<uint8_t>(text[i + next]) & 0xc0) != 0x80) {
        return false;
      }
    }
    i += length;
  }
  return true;
}

}  // namespace

TEST_CASE("expand_set: NxSIZE") {
  const auto files = set_of("16x64MiB", 5);
  REQUIRE(files.size() == 16);
  CHECK(files[0].name == "00");
  CHECK(files[15].name == "15");
  for (size_t i = 0; i < files.size(); ++i) {
    CHECK(files[i].size == 64 * kMiB);
    CHECK(files[i].seed == 5 + i);
    CHECK(files[i].kind == FileKind::stream);
  }
  CHECK(total_bytes(files) == kGiB);
  CHECK(set_of("1x4098MiB")[0].name == "00");
  CHECK(set_of("100x1")[99].name == "99");
  CHECK(set_of("101x1")[0].name == "000");
  CHECK(set_of("101x1")[100].name == "100");
  CHECK(set_of("2x0")[1].size == 0);
  CHECK(set_of("1x1.5KiB")[0].size == 1536);
  CHECK(set_of("1x8TiB")[0].size == kMaxStreamBytes);
}

TEST_CASE("expand_set: seeds start anew behind the last") {
  const auto files = set_of("3x1", kMaxSeed - 1);
  CHECK(files[0].seed == kMaxSeed - 1);
  CHECK(files[1].seed == kMaxSeed);
  CHECK(files[2].seed == 0);
}

TEST_CASE("expand_set: what is no set") {
  for (const auto* set : {"", "x", "foo", "16", "16x", "x64MiB", "0x64MiB", "-1x5", "16x-5",
                          "16x5Xi", "16X64MiB", "16 x 64MiB", "10000001x1", "1x9TiB",
                          "1x8796093022209", "1x1x1", "Hostile", "99999999999999999999x1"}) {
    CAPTURE(set);
    const auto files = expand_set(set, 1);
    REQUIRE_FALSE(files);
    CHECK_FALSE(files.error().message.empty());
    CHECK(files.error().message.find('\n') == std::string::npos);
  }
  CHECK(expand_set("foo", 1).error().message ==
        "no set \"foo\"; use NxSIZE such as 16x64MiB, or one of many-tiny, few-large, mixed, "
        "hostile");
  CHECK_FALSE(expand_set("1x1", kMaxSeed + 1));
}

TEST_CASE("named sets: same seed, same files, another seed, others, sound names and seeds") {
  REQUIRE(named_sets().size() == 4);
  for (const NamedSet& set : named_sets()) {
    CAPTURE(set.name);
    const auto files = set_of(set.name);
    CHECK(same_specs(files, set_of(set.name)));
    CHECK_FALSE(same_specs(files, set_of(set.name, 2)));
    std::set<std::string> names;
    std::set<uint32_t> seeds;
    for (const FileSpec& file : files) {
      names.insert(file.name);
      seeds.insert(file.seed);
    }
    CHECK(names.size() == files.size());
    CHECK(seeds.size() == files.size());
  }
}

TEST_CASE("many-tiny: 5000 files of about 2 KB in 100 folders") {
  const auto files = set_of("many-tiny");
  CHECK(files.size() == 5000);
  std::map<std::string, int> folders;
  for (const FileSpec& file : files) {
    CHECK(file.size >= 1024);
    CHECK(file.size <= 3072);
    ++folders[components(file.name).front()];
  }
  CHECK(folders.size() == 100);
  CHECK(total_bytes(files) / files.size() > 1950);
  CHECK(total_bytes(files) / files.size() < 2150);
}

TEST_CASE("few-large: 4 files between 6 and 20 MiB") {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    const auto files = set_of("few-large", seed);
    CHECK(files.size() == 4);
    for (const FileSpec& file : files) {
      CHECK(file.size >= 6 * kMiB);
      CHECK(file.size <= 20 * kMiB);
    }
  }
}

TEST_CASE("mixed: both kinds, from bytes to MiB") {
  const auto files = set_of("mixed");
  const auto count = [&](auto condition) {
    return std::count_if(files.begin(), files.end(), condition);
  };
  CHECK(count([](const FileSpec& f) { return f.kind == FileKind::text; }) == 60);
  CHECK(count([](const FileSpec& f) { return f.size < 1024; }) > 10);
  CHECK(count([](const FileSpec& f) { return f.size >= kMiB; }) > 10);
  CHECK(total_bytes(files) < 300 * kMiB);
}

TEST_CASE("hostile: names are valid on Linux and as S3 keys, and none is another's folder") {
  const auto files = set_of("hostile");
  std::set<std::string> names;
  size_t longest = 0;
  for (const FileSpec& file : files) names.insert(file.name);
  for (const FileSpec& file : files) {
    CAPTURE(file.name);
    longest = std::max(longest, file.name.size());
    CHECK(file.name.size() <= 1024);
    CHECK(is_utf8_without_controls(file.name));
    for (const std::string& part : components(file.name)) {
      CHECK_FALSE(part.empty());
      CHECK(part.size() <= 255);
      CHECK(part != ".");
      CHECK(part != "..");
    }
    for (size_t at = file.name.find('/'); at != std::string::npos;
         at = file.name.find('/', at + 1)) {
      CHECK(names.count(file.name.substr(0, at)) == 0);
    }
  }
  CHECK(longest > 980);
}

TEST_CASE("hostile: holds every awkward thing that it promises") {
  const auto files = set_of("hostile");
  const auto has_name = [&](auto condition) {
    return std::any_of(files.begin(), files.end(),
                       [&](const auto& f) { return condition(f.name); });
  };
  for (const char c : std::string_view(" +%&#?'\"\\=;,:@$*[]{}()|^~!`<>")) {
    CAPTURE(c);
    CHECK(has_name([&](const std::string& n) { return n.find(c) != std::string::npos; }));
  }
  CHECK(has_name([](const std::string& n) { return n.front() == '-'; }));
  CHECK(has_name([](const std::string& n) { return n.front() == ' '; }));
  CHECK(has_name([](const std::string& n) { return n.back() == ' '; }));
  CHECK(has_name([](const std::string& n) { return n.find("\xcc\x81") != std::string::npos; }));
  CHECK(has_name([](const std::string& n) { return n.find("\xf0\x9f") != std::string::npos; }));
  CHECK(has_name([](const std::string& n) { return components(n).size() > 60; }));
  for (const uint64_t size : {uint64_t{0}, uint64_t{1}, 5 * kMiB - 1, 5 * kMiB, 5 * kMiB + 1}) {
    CHECK(std::any_of(files.begin(), files.end(), [&](const auto& f) { return f.size == size; }));
  }
}

TEST_CASE("total_bytes: stops at the largest number") {
  const std::vector<FileSpec> files{{"a", UINT64_MAX - 5, 0, FileKind::stream},
                                    {"b", 6, 0, FileKind::stream}};
  CHECK(total_bytes(files) == UINT64_MAX);
  CHECK(total_bytes({}) == 0);
}

TEST_CASE("file_bytes and file_mismatch: of the file's kind") {
  std::vector<uint8_t> bytes(1000);
  for (const FileKind kind : {FileKind::stream, FileKind::text}) {
    const FileSpec file{"f", 5000, 9, kind};
    file_bytes(file, 123, bytes);
    CHECK_FALSE(file_mismatch(file, 123, bytes));
    bytes[500] ^= 1;
    CHECK(file_mismatch(file, 123, bytes) == 500);
  }
  file_bytes({"f", 100, 9, FileKind::text}, 0, bytes);
  CHECK(bytes[64] == '\n');
  file_bytes({"f", 100, 9, FileKind::stream}, 0, bytes);
  CHECK_FALSE(pattern_mismatch(9, 0, bytes));
}
