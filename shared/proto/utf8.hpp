#pragma once
#include <cstddef>
#include <string_view>

namespace mocks3 {

/// Length in bytes (1-4) of the well-formed UTF-8 sequence at the start of `bytes`; 0 where there
/// is none: empty input, a stray or missing continuation byte, an overlong form, a surrogate, or a
/// value over U+10FFFF (RFC 3629).
size_t utf8_sequence_length(std::string_view bytes);

bool valid_utf8(std::string_view bytes);

}  // namespace mocks3
