#pragma once
#include <doctest/doctest.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/proto/body_decoder.hpp"

namespace mocks3 {

/// What became of one vector.
struct Decoded {
  std::string payload;
  std::string state;  ///< "more", "done" or the reason of a failure
  size_t consumed = 0;
  std::vector<std::pair<std::string, std::string>> trailers;
};

inline std::span<const char> payload_of(const ChunkedDecoder::Step& step) { return step.data; }
inline std::span<const char> payload_of(const BodyDecoder::Step& step) { return step.payload; }

/// Feeds `input` as far as the decoder takes it; checks what every step promises.
template <class Decoder>
void feed_all(Decoder& decoder, std::string_view input, Decoded& out) {
  while (!input.empty() && decoder.state() == Decoder::State::more) {
    const auto step = decoder.feed(std::span<const char>(input.data(), input.size()));
    const std::span<const char> payload = payload_of(step);
    REQUIRE(step.consumed <= input.size());
    REQUIRE(payload.size() <= step.consumed);
    if (!payload.empty()) {
      REQUIRE(payload.data() >= input.data());
      REQUIRE(payload.data() + payload.size() <= input.data() + step.consumed);
    }
    REQUIRE(step.state == decoder.state());
    const bool advanced = step.consumed > 0 || step.state != Decoder::State::more;
    REQUIRE(advanced);
    out.payload.append(payload.data(), payload.size());
    out.consumed += step.consumed;
    input.remove_prefix(step.consumed);
  }
}

template <class Decoder>
Decoded result_of(const Decoder& decoder, Decoded out) {
  out.state = decoder.state() == Decoder::State::done   ? "done"
              : decoder.state() == Decoder::State::more ? "more"
                                                        : std::string(decoder.reason());
  out.trailers = decoder.trailers();
  return out;
}

inline void check_same(const Decoded& a, const Decoded& b) {
  CHECK(a.state == b.state);
  CHECK(a.trailers == b.trailers);
  if (a.state != "done" && a.state != "more") return;  // a failure may be seen sooner or later
  CHECK(a.payload == b.payload);
  CHECK(a.consumed == b.consumed);
}

/// Runs a vector whole, split at every offset and byte by byte, and gives the common result.
template <class Decoder, class... Arguments>
Decoded decode(std::string_view vector, const Arguments&... arguments) {
  const auto run = [&](const std::vector<std::string_view>& pieces) {
    Decoder decoder(arguments...);
    Decoded out;
    for (const std::string_view piece : pieces) feed_all(decoder, piece, out);
    return result_of(decoder, std::move(out));
  };
  const Decoded whole = run({vector});
  for (size_t split = 0; split <= vector.size(); ++split) {
    CAPTURE(split);
    check_same(whole, run({vector.substr(0, split), vector.substr(split)}));
  }
  std::vector<std::string_view> bytes;
  for (size_t i = 0; i < vector.size(); ++i) bytes.push_back(vector.substr(i, 1));
  check_same(whole, run(bytes));
  return whole;
}

}  // namespace mocks3
