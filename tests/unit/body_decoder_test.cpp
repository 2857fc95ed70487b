#include "shared/proto/body_decoder.hpp"

#include <doctest/doctest.h>

#include "tests/unit/decoder_runs.hpp"

using namespace mocks3;

namespace {

const std::string kSignature = ";chunk-signature=" + std::string(64, 'a');
const std::string kTrailerBody =
    "9\r\n123456789\r\n0\r\nx-amz-checksum-crc64nvme:rosUhgp5mIg=\r\n\r\n";

BodyFraming framing_of(std::string_view body, bool aws_chunked,
                       std::optional<uint64_t> decoded_length = std::nullopt) {
  return {body.size(), false, aws_chunked, decoded_length};
}

/// As a body with Content-Length.
Decoded decode_aws(std::string_view body, std::optional<uint64_t> decoded_length = std::nullopt) {
  return decode<BodyDecoder>(body, framing_of(body, true, decoded_length));
}

/// `content` in HTTP chunks of `size` bytes.
std::string http_chunks(std::string_view content, size_t size) {
  std::string out;
  while (!content.empty()) {
    const std::string_view piece = content.substr(0, size);
    content.remove_prefix(piece.size());
    const char digit = "0123456789abcdef"[piece.size() % 16];
    out += piece.size() < 16 ? std::string(1, digit) : std::string("1") + digit;
    out += "\r\n" + std::string(piece) + "\r\n";
  }
  return out + "0\r\n\r\n";
}

RequestHead head_with(std::vector<HeaderView> headers) {
  RequestHead head;
  head.headers = std::move(headers);
  head.content_length = 58;
  return head;
}

bool is_aws_chunked(std::vector<HeaderView> headers) {
  const auto framing = BodyFraming::of(head_with(std::move(headers)));
  REQUIRE(framing);
  return framing->aws_chunked;
}

/// Runs `wire` through the decoder as the server does: throws away what it may unseen, in bites of
/// `bite`, and feeds the rest.
Decoded discard(std::string_view wire, const BodyFraming& framing, size_t bite) {
  BodyDecoder decoder(framing);
  Decoded out;
  while (decoder.state() == BodyDecoder::State::more && !wire.empty()) {
    const size_t take = std::min(bite, wire.size());
    if (const uint64_t due = std::min<uint64_t>(decoder.discardable(), take); due > 0) {
      out.payload += wire.substr(0, due);
      out.consumed += due;
      wire.remove_prefix(due);
      decoder.skip(due);
    } else {
      const auto step = decoder.feed(std::span<const char>(wire.data(), take));
      out.payload.append(step.payload.data(), step.payload.size());
      out.consumed += step.consumed;
      wire.remove_prefix(step.consumed);
    }
  }
  CHECK(decoder.payload_bytes() == out.payload.size());
  return result_of(decoder, std::move(out));
}

}  // namespace

TEST_CASE("framing: any one sign tells aws-chunked") {
  CHECK_FALSE(is_aws_chunked({}));
  CHECK_FALSE(is_aws_chunked({{"x-amz-content-sha256", "UNSIGNED-PAYLOAD"}}));
  CHECK_FALSE(is_aws_chunked({{"Content-Encoding", "gzip"}}));
  CHECK_FALSE(is_aws_chunked({{"Content-Encoding", "x-aws-chunked"}}));
  CHECK(is_aws_chunked({{"Content-Encoding", "AWS-Chunked"}}));
  CHECK(is_aws_chunked({{"Content-Encoding", "gzip , aws-chunked"}}));
  CHECK(is_aws_chunked({{"Content-Encoding", "gzip"}, {"content-encoding", "aws-chunked"}}));
  CHECK(is_aws_chunked({{"X-Amz-Decoded-Content-Length", "9"}}));
  for (const std::string_view kind :
       {"STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
        "STREAMING-UNSIGNED-PAYLOAD-TRAILER", "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD",
        "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD-TRAILER"}) {
    CAPTURE(kind);
    CHECK(is_aws_chunked({{"X-Amz-Content-Sha256", kind}}));
  }
}

TEST_CASE("framing: lengths") {
  auto framing = BodyFraming::of(head_with({{"x-amz-decoded-content-length", "9"}}));
  REQUIRE(framing);
  CHECK(framing->http_length == 58);
  CHECK(framing->payload_length() == 9);
  CHECK(BodyFraming::of(head_with({}))->payload_length() == 58);
  CHECK_FALSE(BodyFraming::of(head_with({{"Content-Encoding", "aws-chunked"}}))->payload_length());
  RequestHead none;
  CHECK(BodyFraming::of(none)->payload_length() == 0);
  CHECK_FALSE(BodyFraming::of(none)->has_body());
  none.http_chunked = true;
  CHECK_FALSE(BodyFraming::of(none)->payload_length());
  CHECK(BodyFraming::of(none)->has_body());
  for (const std::string_view bad : {"", "x", "-1", "9 9", "99999999999999999999"}) {
    CAPTURE(bad);
    const auto refused = BodyFraming::of(head_with({{"x-amz-decoded-content-length", bad}}));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == S3Code::InvalidArgument);
  }
}

TEST_CASE("content encoding: aws-chunked is framing, the rest is kept") {
  CHECK(strip_aws_chunked("aws-chunked,gzip") == "gzip");
  CHECK(strip_aws_chunked("gzip, aws-chunked") == "gzip");
  CHECK(strip_aws_chunked("gzip,AWS-CHUNKED , br") == "gzip, br");
  CHECK(strip_aws_chunked("aws-chunked").empty());
  CHECK(strip_aws_chunked(" aws-chunked , ").empty());
  CHECK(strip_aws_chunked("").empty());
  CHECK(strip_aws_chunked("gzip") == "gzip");
  CHECK(strip_aws_chunked("deflate, gzip") == "deflate, gzip");
  CHECK(strip_aws_chunked("aws-chunkedx") == "aws-chunkedx");
}

TEST_CASE("body: none is done from the start") {
  CHECK(BodyDecoder(BodyFraming{}).state() == BodyDecoder::State::done);
  CHECK(BodyDecoder({0, false, false, {}}).state() == BodyDecoder::State::done);
  CHECK(BodyDecoder({0, false, true, 0}).state() == BodyDecoder::State::done);
  const BodyDecoder promised({0, false, true, 5});
  CHECK(promised.state() == BodyDecoder::State::failed);
  CHECK_FALSE(promised.reason().empty());
  CHECK(BodyDecoder({0, false, false, {}}).discardable() == 0);
}

TEST_CASE("body: Content-Length, with the next request left alone") {
  const Decoded out = decode<BodyDecoder>("123456789GET /", BodyFraming{9, false, false, {}});
  CHECK(out.state == "done");
  CHECK(out.payload == "123456789");
  CHECK(out.consumed == 9);
  CHECK(decode<BodyDecoder>("1234", BodyFraming{9, false, false, {}}).state == "more");
}

TEST_CASE("body: aws-chunked in each of its forms") {
  CHECK(kTrailerBody.size() == 58);
  Decoded out = decode_aws(kTrailerBody, 9);
  CHECK(out.state == "done");
  CHECK(out.payload == "123456789");
  REQUIRE(out.trailers.size() == 1);
  CHECK(out.trailers[0].first == "x-amz-checksum-crc64nvme");
  CHECK(decode_aws(kTrailerBody).payload == "123456789");

  out = decode_aws("9" + kSignature + "\r\n123456789\r\n0" + kSignature + "\r\n\r\n", 9);
  CHECK(out.state == "done");
  CHECK(out.payload == "123456789");

  out = decode_aws("5" + kSignature + "\r\n12345\r\n4" + kSignature + "\r\n6789\r\n0" + kSignature +
                       "\r\nx-amz-checksum-crc32c:4waSgw==\r\nx-amz-trailer-signature:" +
                       std::string(64, 'b') + "\r\n\r\n",
                   9);
  CHECK(out.state == "done");
  CHECK(out.payload == "123456789");
  CHECK(out.trailers.size() == 2);

  // As minio-go signs trailers: the checksum's line ends in LF, and CRLF comes before the
  // signature.
  out = decode_aws("9" + kSignature + "\r\n123456789\r\n0" + kSignature +
                       "\r\nx-amz-checksum-crc32c:4waSgw==\n\r\nx-amz-trailer-signature:" +
                       std::string(64, 'b') + "\r\n\r\n",
                   9);
  CHECK(out.state == "done");
  CHECK(out.payload == "123456789");
  CHECK(out.trailers.size() == 2);
  CHECK(decode_aws("9\r\n123456789\r\n0\r\nx-amz-checksum-crc32c:4waSgw==\n\r\n", 9).state ==
        "done");

  CHECK(decode_aws("0\r\n\r\n", 0).state == "done");
  CHECK(decode_aws("0" + kSignature + "\r\n\r\n", 0).payload.empty());
}

TEST_CASE("body: HTTP chunked alone") {
  const Decoded out =
      decode<BodyDecoder>(http_chunks("123456789", 4) + "GET /", BodyFraming{{}, true, false, {}});
  CHECK(out.state == "done");
  CHECK(out.payload == "123456789");
  CHECK(out.consumed == http_chunks("123456789", 4).size());
  CHECK(
      decode<BodyDecoder>("0\r\na: b\r\n\r\n", BodyFraming{{}, true, false, {}}).trailers.size() ==
      1);
}

TEST_CASE("body: aws-chunked inside HTTP chunked, the two unaligned") {
  for (const size_t size : {1u, 2u, 3u, 7u, 9u, 16u, 31u}) {
    CAPTURE(size);
    const Decoded out = decode<BodyDecoder>(http_chunks(kTrailerBody, size) + "GET /",
                                            BodyFraming{{}, true, true, 9});
    CHECK(out.state == "done");
    CHECK(out.payload == "123456789");
    CHECK(out.consumed == http_chunks(kTrailerBody, size).size());
    CHECK(out.trailers.size() == 1);
  }
}

TEST_CASE("body: the last CRLF of aws-chunked may be missing, or there be one more") {
  CHECK(decode_aws("9\r\n123456789\r\n0\r\n", 9).state == "done");
  CHECK(decode_aws("9\r\n123456789\r\n0\r\na:b\r\n", 9).trailers.size() == 1);
  CHECK(decode_aws("9\r\n123456789\r\n0\r\n\r\n\r\n", 9).state == "done");
  CHECK(decode_aws("9\r\n123456789\r\n0\r\n\r\n\n", 9).consumed == 20);
  const std::string short_end = http_chunks("9\r\n123456789\r\n0\r\n", 7);
  CHECK(decode<BodyDecoder>(short_end, BodyFraming{{}, true, true, 9}).state == "done");
  // HTTP's own last CRLF is what the next request is found by.
  const std::string_view open_end = "9\r\n123456789\r\n0\r\n";
  CHECK(decode<BodyDecoder>(open_end, BodyFraming{{}, true, false, {}}).state == "more");
}

TEST_CASE("body: a Content-Length that disagrees with aws-chunked") {
  const std::string_view inside = "the body ends inside aws-chunked framing";
  CHECK(decode_aws("9\r\n123456789\r\n", 9).state == inside);
  CHECK(decode_aws("9\r\n12345", 9).state == inside);
  CHECK(decode_aws("9\r\n123456789", 9).state == inside);
  CHECK(decode_aws("9", 9).state == inside);
  CHECK(decode_aws("9\r\n123456789\r\n0", 9).state == inside);
  CHECK(decode_aws("9\r\n123456789\r\n0\r\na:b", 9).state == inside);
  CHECK(decode_aws("9\r\n123456789\r\n0\r\n\r\nX", 9).state ==
        "the body goes on after the end of aws-chunked framing");
  CHECK(decode_aws(kTrailerBody + kTrailerBody, 9).state ==
        "the body goes on after the end of aws-chunked framing");
  CHECK(decode<BodyDecoder>(kTrailerBody, BodyFraming{59, false, true, 9}).state == "more");
  CHECK(decode<BodyDecoder>("0\r\n\r\n", BodyFraming{{}, true, true, {}}).state == inside);
}

TEST_CASE("body: payload that disagrees with the decoded length") {
  const std::string_view mismatch =
      "the payload is not as long as x-amz-decoded-content-length says";
  CHECK(decode_aws(kTrailerBody, 8).state == mismatch);
  CHECK(decode_aws(kTrailerBody, 10).state == mismatch);
  CHECK(decode_aws(kTrailerBody, 0).state == mismatch);
  CHECK(decode_aws("0\r\n\r\n", 1).state == mismatch);
  // Too much is refused at the size line already, before any of it is taken.
  BodyDecoder decoder({uint64_t{1} << 40, false, true, 9});
  Decoded out;
  feed_all(decoder, "4000000000\r\n", out);
  CHECK(decoder.state() == BodyDecoder::State::failed);
  CHECK(decoder.discardable() == 0);
}

TEST_CASE("body: faults of either framing are told") {
  CHECK(decode_aws("zz\r\n123456789\r\n0\r\n\r\n", 9).state == "a chunk without a valid size");
  CHECK(decode<BodyDecoder>("zz\r\n", BodyFraming{{}, true, true, 9}).state ==
        "a chunk without a valid size");
  CHECK(decode<BodyDecoder>("3\r\nzz\n\r\n", BodyFraming{{}, true, true, 9}).state ==
        "a chunk without a valid size");
}

TEST_CASE("body: discarding unseen gives the same as feeding") {
  const std::string nested = http_chunks(kTrailerBody, 7);
  for (const size_t bite : {1u, 2u, 3u, 5u, 8u, 13u, 1000u}) {
    CAPTURE(bite);
    check_same(discard(nested + "GET /", BodyFraming{{}, true, true, 9}, bite),
               decode<BodyDecoder>(nested + "GET /", BodyFraming{{}, true, true, 9}));
    check_same(discard(kTrailerBody, framing_of(kTrailerBody, true, 9), bite),
               decode_aws(kTrailerBody, 9));
    check_same(discard("123456789GET /", BodyFraming{9, false, false, {}}, bite),
               decode<BodyDecoder>("123456789GET /", BodyFraming{9, false, false, {}}));
  }
}

TEST_CASE("body: what may be discarded is the least of both layers") {
  BodyDecoder identity({uint64_t{5} << 30, false, false, {}});
  CHECK(identity.discardable() == uint64_t{5} << 30);
  identity.skip(identity.discardable());
  CHECK(identity.state() == BodyDecoder::State::done);
  CHECK(identity.payload_bytes() == uint64_t{5} << 30);

  BodyDecoder nested({{}, true, true, 0x10000});
  Decoded out;
  CHECK(nested.discardable() == 0);
  feed_all(nested, "8000\r\n", out);
  CHECK(nested.discardable() == 0);
  feed_all(nested, "10000\r\n", out);
  CHECK(nested.discardable() == 0x8000 - 7);
  nested.skip(0x8000 - 7);
  CHECK(nested.discardable() == 0);
  feed_all(nested, "\r\n10000\r\n", out);
  CHECK(nested.discardable() == 0x8000 + 7);
  CHECK(nested.state() == BodyDecoder::State::more);

  // The inner chunk says more than Content-Length has left: the end comes inside the framing.
  BodyDecoder cut({10, false, true, {}});
  feed_all(cut, "100\r\n", out);
  CHECK(cut.discardable() == 5);
  cut.skip(5);
  CHECK(cut.state() == BodyDecoder::State::failed);
}
