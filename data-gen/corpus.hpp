#pragma once
#include <cstdint>
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
/// NxSIZE such as "16x64MiB" (files 0000 to N-1, width as needed). Same set and seed, same files.
/// Error: no such set, or a number of files over 10 million, or a size over 8 TiB.
Result<std::vector<FileSpec>> expand_set(std::string_view set, uint32_t seed);

/// Name and one-line description of each named set, for --help.
struct NamedSet {
  std::string_view name;
  std::string_view about;
};
const std::vector<NamedSet>& named_sets();

uint64_t total_bytes(const std::vector<FileSpec>& files);

/// Writes the bytes [offset, offset + out.size()) of the file.
void file_bytes(const FileSpec& file, uint64_t offset, std::span<uint8_t> out);

}  // namespace mocks3
