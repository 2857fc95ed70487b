#include "shared/proto/body_decoder.hpp"

#include <algorithm>
#include <utility>

#include "shared/util/encode.hpp"
#include "shared/util/units.hpp"

namespace mocks3 {
namespace {

constexpr std::string_view kDecodedLength = "x-amz-decoded-content-length";
constexpr std::string_view kAwsChunked = "aws-chunked";
constexpr std::string_view kLengthMismatch =
    "the payload is not as long as x-amz-decoded-content-length says";

/// Calls `visit` with each element of a comma-separated list, trimmed.
template <class Visitor>
void for_each_token(std::string_view list, Visitor visit) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    visit(trim(list.substr(0, comma)));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
}

/// Content-Encoding may come as several fields, which make one list.
bool says_aws_chunked(const RequestHead& head) {
  bool found = false;
  for (const HeaderView& header : head.headers) {
    if (!iequals(header.name, "content-encoding")) continue;
    for_each_token(header.value,
                   [&found](std::string_view token) { found |= iequals(token, kAwsChunked); });
  }
  return found;
}

S3Error invalid_decoded_length(std::string_view value) {
  S3Error error(S3Code::InvalidArgument, "x-amz-decoded-content-length must be a number of bytes");
  error.details = {{"ArgumentName", std::string(kDecodedLength)},
                   {"ArgumentValue", std::string(value)}};
  return error;
}

}  // namespace

S3Result<BodyFraming> BodyFraming::of(const RequestHead& head) {
  BodyFraming framing;
  framing.http_length = head.content_length;
  framing.http_chunked = head.http_chunked;
  framing.aws_chunked =
      istarts_with(head.header("x-amz-content-sha256"), "STREAMING-") || says_aws_chunked(head);
  if (head.has_header(kDecodedLength)) {
    const std::string_view value = head.header(kDecodedLength);
    const Result<uint64_t> length = parse_uint(value);
    if (!length) return invalid_decoded_length(value);
    framing.decoded_length = *length;
    framing.aws_chunked = true;
  }
  return framing;
}

std::optional<uint64_t> BodyFraming::payload_length() const {
  if (!has_body()) return 0;
  if (aws_chunked) return decoded_length;
  return http_chunked ? std::nullopt : http_length;
}

std::string strip_aws_chunked(std::string_view content_encoding) {
  std::string kept;
  bool first = true;
  for (size_t begin = 0; begin <= content_encoding.size();) {
    const size_t end = std::min(content_encoding.find(',', begin), content_encoding.size());
    const std::string_view token = content_encoding.substr(begin, end - begin);
    begin = end + 1;
    if (iequals(trim(token), kAwsChunked)) continue;
    if (!std::exchange(first, false)) kept += ',';
    kept += token;
  }
  return std::string(trim(kept));
}

BodyDecoder::BodyDecoder(const BodyFraming& framing)
    : framing_(framing), length_left_(framing.http_chunked ? 0 : framing.http_length.value_or(0)) {
  check_end();
}

BodyDecoder::Step BodyDecoder::feed(std::span<const char> input) {
  Step step;
  while (state_ == State::more && step.payload.empty() && step.consumed < input.size()) {
    const std::span<const char> rest = input.subspan(step.consumed);
    const uint64_t due = outer_due();
    if (due == 0) {
      take_outer_framing(rest, step);
    } else {
      take_content(rest.first(std::min<uint64_t>(due, rest.size())), step);
    }
    check_end();
  }
  step.state = state_;
  return step;
}

uint64_t BodyDecoder::discardable() const {
  if (state_ != State::more) return 0;
  return framing_.aws_chunked ? std::min(outer_due(), inner_.data_due()) : outer_due();
}

void BodyDecoder::skip(uint64_t bytes) {
  if (framing_.aws_chunked) inner_.skip(bytes);
  advance_outer(bytes);
  payload_ += bytes;
  check_end();
}

const std::vector<std::pair<std::string, std::string>>& BodyDecoder::trailers() const {
  return framing_.aws_chunked ? inner_.trailers() : outer_.trailers();
}

/// Bytes of content that the HTTP layer has due now; 0 while its own framing is.
uint64_t BodyDecoder::outer_due() const {
  return framing_.http_chunked ? outer_.data_due() : length_left_;
}

void BodyDecoder::take_outer_framing(std::span<const char> input, Step& step) {
  step.consumed += outer_.take_framing(input);
  if (outer_.state() == ChunkedDecoder::State::failed) fail(outer_.reason());
}

/// Takes some of `content`, which the HTTP layer has due.
void BodyDecoder::take_content(std::span<const char> content, Step& step) {
  if (framing_.aws_chunked && inner_.state() == ChunkedDecoder::State::done)
    return take_after_end(content, step);
  size_t framing_bytes = 0;
  if (framing_.aws_chunked) {
    framing_bytes = inner_.take_framing(content);
    if (inner_.state() == ChunkedDecoder::State::failed) fail(inner_.reason());
    check_declared_length();
    if (state_ == State::failed) return;
    content = content.subspan(framing_bytes);
    content = content.first(std::min<uint64_t>(inner_.data_due(), content.size()));
    inner_.skip(content.size());
  }
  step.payload = content;
  step.consumed += framing_bytes + content.size();
  advance_outer(framing_bytes + content.size());
  payload_ += content.size();
}

void BodyDecoder::take_after_end(std::span<const char> content, Step& step) {
  const auto is_line_end = [](char c) { return c == '\r' || c == '\n'; };
  if (!std::all_of(content.begin(), content.end(), is_line_end)) {
    return fail("the body goes on after the end of aws-chunked framing");
  }
  step.consumed += content.size();
  advance_outer(content.size());
}

void BodyDecoder::advance_outer(uint64_t bytes) {
  if (framing_.http_chunked) {
    outer_.skip(bytes);
  } else {
    length_left_ -= bytes;
  }
}

/// Payload beyond the declared length is refused at its size line, not after it was taken.
void BodyDecoder::check_declared_length() {
  const uint64_t declared = framing_.decoded_length.value_or(UINT64_MAX);
  if (payload_ > declared || inner_.data_due() > declared - payload_) {
    fail(kLengthMismatch);
  }
}

/// Ends the body where the HTTP layer has ended.
void BodyDecoder::check_end() {
  const bool outer_ended =
      framing_.http_chunked ? outer_.state() == ChunkedDecoder::State::done : length_left_ == 0;
  if (!outer_ended || state_ != State::more) return;
  const bool inner_ended = !framing_.aws_chunked || !framing_.has_body() ||
                           inner_.state() == ChunkedDecoder::State::done || inner_.may_end_here();
  if (!inner_ended) return fail("the body ends inside aws-chunked framing");
  if (payload_ != framing_.decoded_length.value_or(payload_)) {
    return fail(kLengthMismatch);
  }
  state_ = State::done;
}

void BodyDecoder::fail(std::string_view reason) {
  state_ = State::failed;
  reason_ = reason;
}

}  // namespace mocks3
