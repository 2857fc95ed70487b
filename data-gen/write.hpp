#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "data-gen/corpus.hpp"
#include "shared/util/digest.hpp"

namespace mocks3 {

/// Called with the bytes written so far, now and then; returning false stops the writing.
using WriteProgress = std::function<bool(uint64_t bytes_done)>;

/// Bytes that can be written below `directory` (or the nearest existing parent).
/// Error: no such volume.
Result<uint64_t> room_below(const std::string& directory);

/// Called after each file with the digest of the bytes that were written; an error stops the
/// writing.
using FileDone = std::function<Status(const FileSpec&, const Sha256&)>;

/// Writes the files below `directory`, which is made where missing. Room and names are checked
/// first: a volume that is too small, a file where a directory should be, or a file that exists
/// already with another size is an error before the first byte; one with the same size is
/// replaced. An unfinished file is removed, and so are folders that were made and stay empty.
/// Without `file_done` no digest is computed.
Status write_corpus(const std::vector<FileSpec>& files, const std::string& directory,
                    const WriteProgress& progress = {}, const FileDone& file_done = {});

/// Writes all files' bytes one after another to an open descriptor (a pipe, standard output).
Status stream_corpus(const std::vector<FileSpec>& files, int fd, const WriteProgress& progress = {},
                     const FileDone& file_done = {});

}  // namespace mocks3
