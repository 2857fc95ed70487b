#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "data-gen/corpus.hpp"
#include "shared/util/digest.hpp"
#include "shared/util/result.hpp"

namespace mocks3 {

using ReadProgress = std::function<bool(uint64_t bytes_done)>;
/// Puts the next bytes of what is verified into the span; 0 at the end. Error: cannot be read on.
using ByteSource = std::function<Result<size_t>(std::span<uint8_t>)>;
/// Reads an open descriptor, which stays the caller's. `progress` is called with the number of
/// bytes before each read, and when a signal comes in; where it returns false, reading fails.
ByteSource descriptor_source(int fd, ReadProgress progress = {});

enum class Verdict : uint8_t {
  right,      ///< every byte was checked
  wrong,      ///< or could not be read
  unchecked,  ///< too short to tell what it should be
  manifest,   ///< not of the corpus: a manifest of one
};

struct Finding {
  Verdict verdict = Verdict::right;
  std::string about;   ///< what is wrong or why it was not checked; empty where right
  uint64_t bytes = 0;  ///< right bytes from the start on
};

/// Recognises the bytes from themselves, whatever seed, kind and offset they are from, and checks
/// all of them. A wrong byte among the first does not hinder that: it is found once later bytes
/// were recognised, as long as those are within the first 256 KiB.
/// With `joined`, a stream may be followed by the start of the one with the next seed, as
/// stream_corpus writes them; each needs at least 23 bytes (text 95).
Finding verify_recognised(const ByteSource& source, bool joined = false);

/// Checks that the bytes are those of `file`, all of them and no more, and have that digest.
Finding verify_against(const FileSpec& file, const ByteSource& source,
                       const std::optional<Sha256>& digest = std::nullopt);

}  // namespace mocks3
