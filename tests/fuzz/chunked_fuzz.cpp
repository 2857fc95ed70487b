#include "shared/proto/chunked_decoder.hpp"
#include "tests/fuzz/decode.hpp"

using namespace mocks3;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  const size_t piece = 1 + size % 7;
  for (const auto dialect : {ChunkedDecoder::Dialect::http, ChunkedDecoder::Dialect::aws}) {
    fuzz::check_pieces_agree(ChunkedDecoder(dialect), ChunkedDecoder(dialect), input, piece);
  }
  return 0;
}
