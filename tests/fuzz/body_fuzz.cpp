#include <algorithm>

#include "shared/proto/body_decoder.hpp"
#include "tests/fuzz/decode.hpp"

using namespace mocks3;

namespace {

/// Throws away what may be thrown away unseen, as the server does, and feeds the rest.
BodyDecoder discard(const BodyFraming& framing, std::string_view input) {
  BodyDecoder decoder(framing);
  while (!input.empty() && decoder.state() == BodyDecoder::State::more) {
    size_t used = static_cast<size_t>(std::min<uint64_t>(decoder.discardable(), input.size()));
    if (used > 0) {
      decoder.skip(used);
    } else {
      used = decoder.feed(std::span<const char>(input.data(), input.size())).consumed;
    }
    input.remove_prefix(used);
  }
  return decoder;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view input = fuzz::text_of(data, size);
  const uint8_t flags = fuzz::take_byte(input);
  const size_t piece = 1 + fuzz::take_byte(input) % 64;
  BodyFraming framing;
  framing.http_chunked = (flags & 1) != 0;
  framing.aws_chunked = (flags & 2) != 0;
  if (!framing.http_chunked) framing.http_length = input.size();
  if (framing.aws_chunked && (flags & 4) != 0) framing.decoded_length = 9;

  fuzz::check_pieces_agree(BodyDecoder(framing), BodyDecoder(framing), input, piece);
  BodyDecoder fed(framing);
  const std::string payload = fuzz::feed_all(fed, input);
  const BodyDecoder discarded = discard(framing, input);
  fuzz::require(fed.state() == discarded.state(), "discarding ends as feeding does");
  fuzz::require(fed.payload_bytes() == payload.size(), "payload bytes are counted");
  const bool ended = fed.state() != BodyDecoder::State::failed;
  fuzz::require(!ended || fed.payload_bytes() == discarded.payload_bytes(), "and both count alike");
  return 0;
}
