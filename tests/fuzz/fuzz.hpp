#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

/// libFuzzer calls this with every input; a sanitizer or require() ends the process on a fault.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace mocks3::fuzz {

inline std::string_view text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Cuts the first byte off, for a choice of the target's; 0 where there is none.
inline uint8_t take_byte(std::string_view& input) {
  if (input.empty()) return 0;
  const auto byte = static_cast<uint8_t>(input.front());
  input.remove_prefix(1);
  return byte;
}

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace mocks3::fuzz
