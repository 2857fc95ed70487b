#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data-gen/corpus.hpp"
#include "shared/util/digest.hpp"
#include "shared/util/result.hpp"

namespace mocks3 {

/// What a corpus consists of and where it came from. As a file it is JSON, one line to a file of
/// the corpus: docs/data-gen.md describes it.
struct Manifest {
  std::string version;  ///< of the data-gen that wrote it
  std::string set;
  uint32_t seed = 0;
  std::vector<FileSpec> files;
  std::vector<Sha256> digests;  ///< one for each file
};

/// Whether a manifest can be written to `path`, as far as that can be known before the files of
/// the corpus are written below `directory` (empty where they go elsewhere).
Status check_manifest_target(const std::string& path, const std::string& directory,
                             const std::vector<FileSpec>& files);

/// Writes `manifest` to `path`: whole or not at all; an older one is replaced.
/// REQUIRES a digest for each file.
Status write_manifest(const std::string& path, const Manifest& manifest);

/// Error: not readable, not a manifest, damaged, over 1 GiB, or with names that lead out of the
/// corpus' directory.
Result<Manifest> read_manifest(const std::string& path);

/// Whether a file that starts with these bytes is a manifest.
bool starts_as_manifest(std::span<const uint8_t> bytes);

/// "stream" or "text".
std::string_view kind_name(FileKind kind);

}  // namespace mocks3
