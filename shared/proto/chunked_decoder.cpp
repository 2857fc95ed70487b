#include "shared/proto/chunked_decoder.hpp"

#include <algorithm>
#include <cstring>

#include "shared/util/encode.hpp"

namespace mocks3 {
namespace {

constexpr size_t kMaxSizeLine = 1024;
constexpr size_t kMaxTrailerBytes = 16 * 1024;
constexpr size_t kMaxTrailers = 64;
constexpr size_t kMaxSizeDigits = 16;
constexpr uint64_t kMaxBytes = uint64_t{1} << 62;
constexpr std::string_view kDataTooLong = "chunk data are longer than their size says";

/// Value of a hexadecimal digit; 16 where it is none.
unsigned hex_value(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return 16;
}

/// RFC 9110 section 5.6.2.
bool is_token(std::string_view text) {
  const auto is_token_char = [](char c) {
    const bool alphanumeric =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return alphanumeric || (c != '\0' && std::strchr("!#$%&'*+-.^_`|~", c) != nullptr);
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

}  // namespace

ChunkedDecoder::Step ChunkedDecoder::feed(std::span<const char> input) {
  Step step;
  step.consumed = take_framing(input);
  const size_t run = std::min<uint64_t>(data_due(), input.size() - step.consumed);
  step.data = input.subspan(step.consumed, run);
  step.consumed += run;
  skip(run);
  step.state = state();
  return step;
}

size_t ChunkedDecoder::take_framing(std::span<const char> input) {
  size_t position = 0;
  while (phase_ != Phase::data && state() == State::more && take_line(input, position)) {
  }
  return position;
}

void ChunkedDecoder::skip(uint64_t bytes) {
  if (bytes == 0) return;
  left_ -= bytes;
  decoded_ += bytes;
  if (left_ == 0) phase_ = Phase::data_end;
}

ChunkedDecoder::State ChunkedDecoder::state() const {
  if (phase_ == Phase::done) return State::done;
  return phase_ == Phase::failed ? State::failed : State::more;
}

/// Acts on the next line where the input holds its end, and keeps its beginning where not: a line
/// is copied only where two inputs share it.
bool ChunkedDecoder::take_line(std::span<const char> input, size_t& position) {
  const std::string_view rest(input.data() + position, input.size() - position);
  const size_t end = std::min(rest.find('\n'), rest.size());
  if (line_.size() + end > line_limit()) {
    fail(phase_ == Phase::data_end ? kDataTooLong : "a line of chunked framing is too long");
    return false;
  }
  if (end == rest.size()) {
    line_ += rest;
    position += end;
    return false;
  }
  position += end + 1;
  std::string_view line = rest.substr(0, end);
  if (!line_.empty()) line = line_ += line;
  const bool bare_lf = !line.ends_with('\r');
  if (!bare_lf) line.remove_suffix(1);
  end_line(line, bare_lf);
  line_.clear();
  return true;
}

size_t ChunkedDecoder::line_limit() const {
  switch (phase_) {
    case Phase::data_end:
      return 1;  // the CR
    case Phase::trailer:
      return kMaxTrailerBytes - trailer_bytes_;
    default:
      return kMaxSizeLine;
  }
}

void ChunkedDecoder::end_line(std::string_view line, bool bare_lf) {
  if (line.find('\r') != std::string_view::npos) return fail("a CR without LF in chunked framing");
  switch (phase_) {
    case Phase::size_line:
      return end_size_line(line);
    case Phase::trailer:
      return end_trailer_line(line, bare_lf);
    default:
      break;
  }
  if (!line.empty()) return fail(kDataTooLong);
  phase_ = Phase::size_line;
}

void ChunkedDecoder::end_size_line(std::string_view line) {
  std::string_view digits = line.substr(0, line.find(';'));
  while (digits.ends_with(' ') || digits.ends_with('\t')) digits.remove_suffix(1);
  if (digits.empty() || digits.size() > kMaxSizeDigits) return fail("a chunk without a valid size");
  uint64_t size = 0;
  for (const char c : digits) {
    const unsigned value = hex_value(c);
    if (value > 15) return fail("a chunk without a valid size");
    size = size << 4 | value;
  }
  if (size > kMaxBytes || decoded_ > kMaxBytes - size) return fail("a chunk is too large");
  left_ = size;
  phase_ = size == 0 ? Phase::trailer : Phase::data;
}

void ChunkedDecoder::end_trailer_line(std::string_view line, bool bare_lf) {
  if (line.empty()) {
    const bool ends_line_before = dialect_ == Dialect::aws && after_bare_lf_ && !bare_lf;
    if (!ends_line_before) phase_ = Phase::done;
    after_bare_lf_ = false;
    return;
  }
  after_bare_lf_ = bare_lf;
  trailer_bytes_ += line.size();
  const size_t colon = std::min(line.find(':'), line.size());
  const std::string_view name = line.substr(0, colon);
  if (colon == line.size() || !is_token(name)) return fail("a trailer that is no header field");
  if (trailers_.size() == kMaxTrailers) return fail("too many trailers");
  trailers_.emplace_back(to_lower(name), std::string(trim(line.substr(colon + 1))));
}

void ChunkedDecoder::fail(std::string_view reason) {
  phase_ = Phase::failed;
  reason_ = reason;
}

}  // namespace mocks3
