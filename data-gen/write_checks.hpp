#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "data-gen/corpus.hpp"
#include "shared/util/result.hpp"

namespace mocks3 {

/// What the system says about the error number `code`, e.g. "No space left on device".
std::string system_error_text(int code);

/// A path as messages show it: in quotes, whole, without control characters.
std::string path_text(std::string_view path);

/// Whether the files can be written below `directory`, as far as that can be known beforehand:
/// see write_corpus.
Status check_target(const std::vector<FileSpec>& files, const std::string& directory);

/// Whether `bytes` can be appended to an open descriptor; only a regular file knows.
Status check_stream_target(uint64_t bytes, int fd);

}  // namespace mocks3
