#include "data-gen/verify.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "data-gen/manifest.hpp"
#include "data-gen/pattern.hpp"
#include "data-gen/text_form.hpp"
#include "data-gen/write_checks.hpp"

namespace mocks3 {
namespace {

constexpr size_t kBlockBytes = 256 * 1024;  // stays in the L2 cache
constexpr size_t kStreamRecogniseBytes = 23;
constexpr size_t kLookBack = 16;  // bytes that two streams may have in common at a join
constexpr size_t kLookAhead = 128;

Finding wrong(std::string about, uint64_t right_bytes) {
  return {Verdict::wrong, std::move(about), right_bytes};
}

Finding wrong_byte(uint64_t offset) {
  return wrong(fmt::format("wrong byte at offset {}", offset), offset);
}

/// Reads until `out` is full or the source at its end; gives the number of bytes.
Result<size_t> read_full(const ByteSource& source, std::span<uint8_t> out) {
  size_t total = 0;
  while (total < out.size()) {
    const auto got = source(out.subspan(total));
    if (!got) return got.error();
    if (*got == 0) break;
    total += *got;
  }
  return total;
}

/// What the bytes at a known place have to be. Its size plays no part.
struct Expected {
  FileSpec file;
  uint64_t offset = 0;

  std::optional<size_t> mismatch(std::span<const uint8_t> bytes) const {
    const uint64_t left = max_file_bytes(file.kind) - std::min(offset, max_file_bytes(file.kind));
    const size_t within = static_cast<size_t>(std::min<uint64_t>(bytes.size(), left));
    const auto wrong_at = file_mismatch(file, offset, bytes.first(within));
    if (!wrong_at && within < bytes.size()) return within;  // beyond the end of the stream
    return wrong_at;
  }
};

std::optional<Expected> recognise_at_start(std::span<const uint8_t> bytes) {
  if (const auto found = pattern_recognise(bytes)) {
    return Expected{{"", 0, found->seed, FileKind::stream}, found->offset};
  }
  if (const auto found = text_recognise(bytes)) {
    return Expected{{"", 0, found->seed, FileKind::text}, found->offset};
  }
  return std::nullopt;
}

/// Where the bytes were recognised, and what stands there.
struct Recognised {
  size_t at = 0;
  Expected expected;
};

std::optional<Recognised> recognise_anywhere(std::span<const uint8_t> bytes) {
  for (size_t at = 0; at + kStreamRecogniseBytes <= bytes.size(); at += kStreamRecogniseBytes) {
    if (const auto expected = recognise_at_start(bytes.subspan(at)))
      return Recognised{at, *expected};
  }
  return std::nullopt;
}

/// Checks bytes as they come in against what the first of them were recognised as.
class RecognisedCheck {
 public:
  RecognisedCheck(const ByteSource& source, bool joined)
      : source_(source), joined_(joined), buffer_(kBlockBytes + kLookBack + kLookAhead) {}

  Finding run() {
    if (auto failed = refill()) return *failed;
    if (starts_as_manifest(unread())) return {Verdict::manifest, "a manifest", 0};
    if (auto unknown = recognise()) return *unknown;
    for (;;) {
      if (auto failed = check_block()) return *failed;
      if (at_end_ && next_ == end_) return {Verdict::right, "", offset()};
      if (auto failed = refill()) return *failed;
    }
  }

 private:
  std::span<const uint8_t> unread() const {
    return std::span(buffer_).subspan(next_, end_ - next_);
  }
  uint64_t offset() const { return dropped_ + next_; }

  /// Keeps the last bytes that were checked and the unchecked ones; reads on behind them.
  std::optional<Finding> refill() {
    const size_t drop = next_ - std::min(next_, kLookBack);
    std::memmove(buffer_.data(), buffer_.data() + drop, end_ - drop);
    next_ -= drop;
    end_ -= drop;
    dropped_ += drop;
    const auto got = read_full(source_, std::span(buffer_).subspan(end_));
    if (!got) return wrong(got.error().message, offset());
    end_ += *got;
    at_end_ = end_ < buffer_.size();
    return std::nullopt;
  }

  /// Nothing where the first block could be recognised.
  std::optional<Finding> recognise() {
    const auto found = recognise_anywhere(unread());
    if (!found) return unrecognised();
    expected_ = found->expected;
    // Bytes before the start of a stream cannot be right.
    if (expected_.offset < found->at) return wrong_byte(0);
    expected_.offset -= found->at;
    return std::nullopt;
  }

  Finding unrecognised() const {
    const auto bytes = unread();
    const bool may_be_text = bytes.size() < kTextRecogniseBytes && looks_like_text(bytes);
    if (at_end_ && (bytes.size() < kStreamRecogniseBytes || may_be_text)) {
      return {Verdict::unchecked, "too short to recognise; use a manifest", 0};
    }
    return wrong("not recognised: these bytes are not from data-gen", 0);
  }

  /// Checks what is there, but for the bytes that are needed to look ahead.
  std::optional<Finding> check_block() {
    const size_t limit = at_end_ ? end_ : end_ - std::min(end_ - next_, kLookAhead);
    while (next_ < limit) {
      const auto wrong_at = expected_.mismatch(unread().first(limit - next_));
      const size_t right = wrong_at.value_or(limit - next_);
      next_ += right;
      expected_.offset += right;
      if (wrong_at && !(joined_ && continue_with_next())) return wrong_byte(offset());
    }
    return std::nullopt;
  }

  /// Whether the stream with the next seed begins at the wrong byte, or at the few before it
  /// that happen to be the same in both.
  bool continue_with_next() {
    const uint32_t seed = (expected_.file.seed + 1) & kMaxSeed;
    for (size_t back = 0; back <= std::min({kLookBack, next_, size_t{expected_.offset}}); ++back) {
      const auto bytes = std::span(buffer_).subspan(next_ - back, end_ - next_ + back);
      const auto start = recognise_at_start(bytes);
      if (!start || start->offset != 0 || start->file.seed != seed) continue;
      expected_ = *start;
      next_ -= back;
      return true;
    }
    return false;
  }

  const ByteSource& source_;
  bool joined_;
  std::vector<uint8_t> buffer_;
  size_t next_ = 0;  ///< first unchecked byte in the buffer
  size_t end_ = 0;
  uint64_t dropped_ = 0;  ///< bytes that left the buffer
  bool at_end_ = false;
  Expected expected_;
};

}  // namespace

ByteSource descriptor_source(int fd, ReadProgress progress) {
  return [fd, progress = std::move(progress),
          done = uint64_t{0}](std::span<uint8_t> out) mutable -> Result<size_t> {
    for (;;) {
      if (progress && !progress(done)) return Error{"stopped"};
      const ssize_t got = read(fd, out.data(), out.size());
      if (got >= 0) {
        done += static_cast<uint64_t>(got);
        return static_cast<size_t>(got);
      }
      if (errno != EINTR) return Error{"cannot read: " + system_error_text(errno)};
    }
  };
}

Finding verify_recognised(const ByteSource& source, bool joined) {
  return RecognisedCheck(source, joined).run();
}

Finding verify_against(const FileSpec& file, const ByteSource& source,
                       const std::optional<Sha256>& digest) {
  std::vector<uint8_t> buffer(kBlockBytes);
  Sha256Stream stream;
  uint64_t offset = 0;
  for (;;) {
    const auto got = read_full(source, buffer);
    if (!got) return wrong(got.error().message, offset);
    const auto bytes = std::span(buffer).first(*got);
    if (bytes.size() > file.size - offset) {
      return wrong(fmt::format("longer than its {} bytes", file.size), file.size);
    }
    if (const auto at = file_mismatch(file, offset, bytes)) return wrong_byte(offset + *at);
    if (digest) stream.update(bytes);
    offset += bytes.size();
    if (bytes.size() < buffer.size()) break;
  }
  if (offset != file.size) {
    return wrong(fmt::format("{} bytes, should be {}", offset, file.size), offset);
  }
  if (digest && stream.finish() != *digest) {
    return wrong("the bytes are right, but the manifest has another SHA-256", offset);
  }
  return {Verdict::right, "", offset};
}

}  // namespace mocks3
