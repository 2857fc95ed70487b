#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "data-gen/corpus.hpp"
#include "data-gen/manifest.hpp"
#include "data-gen/verify.hpp"

namespace mocks3 {

/// What came out of verifying many files.
struct VerifyTotals {
  uint64_t right = 0;
  uint64_t wrong = 0;  ///< wrong, missing, unreadable, or not of the set
  uint64_t unchecked = 0;
  uint64_t right_bytes = 0;  ///< of the files that are right
  bool stopped = false;
};

/// How a long verification tells what it finds.
struct VerifyEvents {
  /// One line for each file that is not right, "FILE: what is wrong".
  std::function<void(const std::string& line)> line;
  /// Bytes read so far, now and then; returning false stops the verification.
  ReadProgress progress;
};

/// Verifies files, folders with all that is in them, and "-", standard input (which may hold
/// several files' streams one after another). Each file is recognised from its own bytes.
/// Manifests among them are passed over.
VerifyTotals verify_paths(const std::vector<std::string>& paths, const VerifyEvents& events);

/// Verifies that `directory` holds exactly these files; only a manifest may be there besides.
VerifyTotals verify_set(const std::vector<FileSpec>& files, const std::string& directory,
                        const VerifyEvents& events);

/// Verifies that `directory` holds the files of the manifest, byte by byte and by digest. Other
/// files play no part.
VerifyTotals verify_manifest(const Manifest& manifest, const std::string& directory,
                             const VerifyEvents& events);

}  // namespace mocks3
