#include <algorithm>
#include <string>

#include "shared/proto/form_decoder.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace mocks3;

namespace {

/// What was decoded, in pieces of `piece` bytes.
std::string decode(std::string_view input, size_t piece, FormDecoder& decoder) {
  std::string file;
  for (; !input.empty(); input.remove_prefix(std::min(piece, input.size()))) {
    const std::string_view bytes = input.substr(0, piece);
    std::span<const char> rest(bytes.data(), bytes.size());
    while (!rest.empty() && decoder.state() == FormDecoder::State::more) {
      const FormDecoder::Step step = decoder.feed(rest);
      fuzz::require(step.consumed <= rest.size(), "consumed is within the input");
      fuzz::require(step.consumed > 0 || !step.data.empty(), "each step advances");
      file.append(step.data.data(), step.data.size());
      rest = rest.subspan(step.consumed);
    }
  }
  return file;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  FormDecoder whole("XX"), pieces("XX");
  const std::string expected = decode(input, std::max<size_t>(size, 1), whole);
  const std::string got = decode(input, 1 + size % 7, pieces);
  fuzz::require(whole.state() == pieces.state(), "the state does not depend on how input is cut");
  if (whole.state() == FormDecoder::State::too_large) return 0;
  fuzz::require(expected == got, "the file does not depend on how input is cut");
  fuzz::require(whole.fields() == pieces.fields(), "nor do the fields");
  form_boundary(input);
  return 0;
}
