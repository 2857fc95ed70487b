#pragma once
#include <algorithm>
#include <span>
#include <string>

#include "shared/proto/body_decoder.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace mocks3::fuzz {

inline std::span<const char> payload_of(const ChunkedDecoder::Step& step) { return step.data; }
inline std::span<const char> payload_of(const BodyDecoder::Step& step) { return step.payload; }

/// Feeds as much as the decoder takes; gives the payload.
template <class Decoder>
std::string feed_all(Decoder& decoder, std::string_view input) {
  std::string payload;
  while (!input.empty() && decoder.state() == Decoder::State::more) {
    const auto step = decoder.feed(std::span<const char>(input.data(), input.size()));
    require(step.consumed <= input.size(), "consumed is within the input");
    require(step.consumed > 0 || step.state != Decoder::State::more, "each step advances");
    payload.append(payload_of(step).data(), payload_of(step).size());
    input.remove_prefix(step.consumed);
  }
  return payload;
}

/// Two decoders, one fed whole and one in pieces of `piece` bytes, must agree.
template <class Decoder>
void check_pieces_agree(Decoder whole, Decoder pieces, std::string_view input, size_t piece) {
  const std::string expected = feed_all(whole, input);
  std::string got;
  for (; !input.empty(); input.remove_prefix(std::min(piece, input.size()))) {
    got += feed_all(pieces, input.substr(0, piece));
  }
  require(whole.state() == pieces.state(), "the end state does not depend on how input is cut");
  if (whole.state() == Decoder::State::failed) return;
  require(expected == got, "the payload does not depend on how input is cut");
  require(whole.trailers() == pieces.trailers(), "nor do the trailers");
}

}  // namespace mocks3::fuzz
