#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shared/util/result.hpp"

namespace mocks3 {

enum class FileKind : uint8_t {
  stream,  ///< the synthetic stream itself: does not compress
  text,    ///< the stream written as hexadecimal digits, 64 to a line: compresses about 2:1
};

/// A file of a corpus. Its bytes follow from seed, kind and size alone.
struct FileSpec {
  std::string name;  ///< relative, '/' between folders
  uint64_t size = 0;
  uint32_t seed = 0;
  FileKind kind = FileKind::stream;
};

/// The files of a set, in order. `set` is a named set (many-tiny, few-large, mixed, hostile) or
/// NxSIZE such as "16x64MiB" (files 00 to N-1, as wide as the last needs, at least 2 digits). Same
/// set and seed, same files; each file's seed is one more than that of the file before, modulo
/// 2^24. Error: no such set, a number of files over 10 million, a size over 8 TiB, or a seed over
/// kMaxSeed.
Result<std::vector<FileSpec>> expand_set(std::string_view set, uint32_t seed);

/// Name and one-line description of each named set, for --help.
struct NamedSet {
  std::string_view name;
  std::string_view about;
};
const std::vector<NamedSet>& named_sets();

/// Sum of the sizes; UINT64_MAX where it is more than that.
uint64_t total_bytes(const std::vector<FileSpec>& files);

/// Writes the bytes [offset, offset + out.size()) of the file.
void file_bytes(const FileSpec& file, uint64_t offset, std::span<uint8_t> out);

/// Index of the first byte of `bytes` that is not what the file has at `offset`; nothing where all
/// are right. Seed and kind alone count, not the file's size.
std::optional<size_t> file_mismatch(const FileSpec& file, uint64_t offset,
                                    std::span<const uint8_t> bytes);

/// Largest offset up to which a file of this kind has bytes.
uint64_t max_file_bytes(FileKind kind);

}  // namespace mocks3
