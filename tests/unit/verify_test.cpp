#include "data-gen/verify.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "data-gen/pattern.hpp"
#include "data-gen/text_form.hpp"

using namespace mocks3;

namespace {

using Bytes = std::vector<uint8_t>;

Bytes slice(FileKind kind, uint32_t seed, uint64_t offset, size_t length) {
  Bytes bytes(length);
  file_bytes({"", 0, seed, kind}, offset, bytes);
  return bytes;
}

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Gives the bytes in pieces of at most `piece`.
ByteSource source_of(const Bytes& bytes, size_t piece = SIZE_MAX) {
  return [&bytes, piece, at = size_t{0}](std::span<uint8_t> out) mutable -> Result<size_t> {
    const size_t count = std::min({piece, out.size(), bytes.size() - at});
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), count, out.begin());
    at += count;
    return count;
  };
}

Finding recognised(const Bytes& bytes, bool joined = false) {
  return verify_recognised(source_of(bytes), joined);
}

void check_right(const Finding& finding, uint64_t bytes) {
  CAPTURE(finding.about);
  CHECK(finding.verdict == Verdict::right);
  CHECK(finding.bytes == bytes);
}

void check_wrong_at(const Finding& finding, uint64_t offset) {
  CHECK(finding.verdict == Verdict::wrong);
  CHECK(finding.about == "wrong byte at offset " + std::to_string(offset));
}

constexpr FileKind kKinds[] = {FileKind::stream, FileKind::text};

}  // namespace

TEST_CASE("verify_recognised: any slice of either kind, however it comes in") {
  for (const FileKind kind : kKinds) {
    for (const uint64_t offset : {0U, 1U, 63U, 64U, 12'345'678U}) {
      const Bytes bytes = slice(kind, 321, offset, 1000);
      check_right(recognised(bytes), bytes.size());
      for (const size_t piece : {1U, 7U, 999U}) {
        check_right(verify_recognised(source_of(bytes, piece)), bytes.size());
      }
    }
    const Bytes large = slice(kind, 7, 5, 1'500'000);
    check_right(recognised(large), large.size());
    check_right(verify_recognised(source_of(large, 100'003)), large.size());
  }
}

TEST_CASE("verify_recognised: the first wrong byte, also among the first") {
  for (const FileKind kind : kKinds) {
    const Bytes right = slice(kind, 9, 77, 700'000);
    for (size_t at = 0; at < right.size(); at += at < 150 ? 1 : 34'567) {
      Bytes bytes = right;
      bytes[at] ^= 0x04;
      bytes.back() ^= 0x04;  // a later one
      check_wrong_at(recognised(bytes), at);
    }
    Bytes last = right;
    last.back() ^= 0x04;
    check_wrong_at(recognised(last), last.size() - 1);
  }
}

TEST_CASE("verify_recognised: a damaged start, a hole, an insertion, a foreign tail") {
  const Bytes right = slice(FileKind::stream, 9, 800, 300'000);
  Bytes zero_page = right;
  std::fill_n(zero_page.begin(), 4096, uint8_t{0});
  check_wrong_at(recognised(zero_page), 0);
  Bytes hole = right;
  hole.erase(hole.begin() + 5000);
  const auto finding = recognised(hole);
  CHECK(finding.verdict == Verdict::wrong);
  CHECK(finding.bytes >= 5000);
  CHECK(finding.bytes < 5016);
  // Bytes before the start of the stream cannot be its own.
  check_wrong_at(recognised(Bytes(5) + slice(FileKind::stream, 9, 0, 1000)), 0);
  check_wrong_at(recognised(right + Bytes(100, 0x55)), right.size());
}

TEST_CASE("verify_recognised: what runs on over the end of a stream is wrong there") {
  const Bytes end = slice(FileKind::stream, 9, kMaxStreamBytes - 1000, 1000);
  check_right(recognised(end), 1000);
  check_wrong_at(recognised(end + slice(FileKind::stream, 10, 0, 100)), 1000);
}

TEST_CASE("verify_recognised: too short, foreign, a manifest") {
  for (const FileKind kind : kKinds) {
    for (const size_t length : {0U, 1U, 22U}) {
      CHECK(recognised(slice(kind, 1, 0, length)).verdict == Verdict::unchecked);
    }
  }
  CHECK(recognised(slice(FileKind::text, 1, 0, 45)).verdict == Verdict::unchecked);
  check_right(recognised(slice(FileKind::text, 1, 0, 46)), 46);
  check_right(recognised(slice(FileKind::stream, 1, 0, 23)), 23);
  CHECK(recognised(Bytes(23, 'x')).verdict == Verdict::wrong);
  CHECK(recognised(Bytes(1'000'000, '0')).verdict == Verdict::wrong);
  const std::string_view manifest = "{\n\"format\": \"data-gen-manifest/1\",\n";
  CHECK(recognised(Bytes(manifest.begin(), manifest.end())).verdict == Verdict::manifest);
}

TEST_CASE("verify_recognised: a source that fails") {
  const ByteSource broken = [](std::span<uint8_t>) -> Result<size_t> { return Error{"cannot"}; };
  const auto finding = verify_recognised(broken);
  CHECK(finding.verdict == Verdict::wrong);
  CHECK(finding.about == "cannot");
}

TEST_CASE("verify_recognised: streams one after another are right only where they may be joined") {
  for (size_t first = 262'000; first < 262'300; first += 7) {
    const Bytes bytes = slice(FileKind::stream, kMaxSeed, 0, first) +
                        slice(FileKind::text, 0, 0, 400'000) + slice(FileKind::stream, 1, 0, 23) +
                        slice(FileKind::stream, 2, 0, 500);
    check_right(recognised(bytes, true), bytes.size());
    check_right(verify_recognised(source_of(bytes, 1000), true), bytes.size());
    const auto finding = recognised(bytes, false);
    CHECK(finding.verdict == Verdict::wrong);
    CHECK(finding.bytes >= first);
    CHECK(finding.bytes < first + 16);
  }
}

TEST_CASE("verify_recognised: joined streams with a wrong byte, in another order, or not whole") {
  const Bytes first = slice(FileKind::stream, 5, 0, 1000);
  const Bytes second = slice(FileKind::stream, 6, 0, 1000);
  for (const size_t at : {0U, 500U, 999U, 1000U, 1001U, 1010U, 1500U, 1999U}) {
    Bytes bytes = first + second;
    bytes[at] ^= 0x80;
    CAPTURE(at);
    const auto finding = recognised(bytes, true);
    CHECK(finding.verdict == Verdict::wrong);
    // Where the second does not begin well, the first is what goes on wrongly.
    CHECK(finding.bytes <= at);
    CHECK(finding.bytes + 16 > std::min<size_t>(at, 1000));
  }
  CHECK(recognised(first + slice(FileKind::stream, 7, 0, 1000), true).verdict == Verdict::wrong);
  CHECK(recognised(first + slice(FileKind::stream, 6, 1, 1000), true).verdict == Verdict::wrong);
}

TEST_CASE("verify_against: size, bytes and digest") {
  for (const FileKind kind : kKinds) {
    for (const size_t size : {0U, 1U, 262'144U, 262'145U, 600'000U}) {
      const FileSpec file{"f", size, 3, kind};
      const Bytes right = slice(kind, 3, 0, size);
      const Sha256 digest = sha256({reinterpret_cast<const char*>(right.data()), right.size()});
      check_right(verify_against(file, source_of(right)), size);
      check_right(verify_against(file, source_of(right, 1001), digest), size);
      CHECK(verify_against(file, source_of(right), Sha256{}).about ==
            "the bytes are right, but the manifest has another SHA-256");
      const Bytes longer = right + Bytes(1);
      CHECK(verify_against(file, source_of(longer)).verdict == Verdict::wrong);
      if (size == 0) continue;
      const Bytes shorter(right.begin(), right.end() - 1);
      CHECK(verify_against(file, source_of(shorter)).about ==
            std::to_string(size - 1) + " bytes, should be " + std::to_string(size));
      Bytes wrong = right;
      wrong[size / 2] ^= 1;
      check_wrong_at(verify_against(file, source_of(wrong), digest), size / 2);
    }
  }
}

TEST_CASE("descriptor_source: reads, counts, stops") {
  int fds[2];
  REQUIRE(pipe(fds) == 0);
  REQUIRE(write(fds[1], "abcdef", 6) == 6);
  close(fds[1]);
  uint64_t seen = 0;
  bool go_on = true;
  const ByteSource source = descriptor_source(fds[0], [&](uint64_t done) {
    seen = done;
    return go_on;
  });
  Bytes out(4);
  CHECK(source(out).value() == 4);
  CHECK(source(out).value() == 2);
  CHECK(seen == 4);
  CHECK(source(out).value() == 0);
  CHECK(seen == 6);
  go_on = false;
  CHECK_FALSE(source(out));
  close(fds[0]);
  go_on = true;
  CHECK(source(out).error().message == "cannot read: Bad file descriptor");
}
