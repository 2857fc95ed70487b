#include "shared/proto/chunked_decoder.hpp"

#include <doctest/doctest.h>

#include "tests/unit/decoder_runs.hpp"

using namespace mocks3;

namespace {
Decoded decode(std::string_view vector) { return mocks3::decode<ChunkedDecoder>(vector); }
std::string state_of(std::string_view vector) { return decode(vector).state; }
const std::string kSignature = ";chunk-signature=" + std::string(64, 'a');
}  // namespace

TEST_CASE("chunked: HTTP framing, with what follows left alone") {
  const Decoded out = decode("4\r\nWiki\r\n6\r\npedia \r\n0\r\n\r\nGET / HTTP/1.1\r\n");
  CHECK(out.state == "done");
  CHECK(out.payload == "Wikipedia ");
  CHECK(out.consumed == 25);
  CHECK(out.trailers.empty());
}

TEST_CASE("chunked: sizes in either case, with leading zeros, white space and extensions") {
  CHECK(decode("A\r\n0123456789\r\na \t\r\nabcdefghij\r\n0\r\n\r\n").payload ==
        "0123456789abcdefghij");
  CHECK(decode("0000000000000003;x=\"y;z\"\r\nabc\r\n00;end\r\n\r\n").payload == "abc");
  CHECK(state_of("00000000000000003\r\nabc\r\n0\r\n\r\n") == "a chunk without a valid size");
}

TEST_CASE("chunked: the signed form of aws-chunked, and data that look like framing") {
  const Decoded out =
      decode("a" + kSignature + "\r\n0\r\n\r\n0\r\n\r\n\r\n0" + kSignature + "\r\n\r\n");
  CHECK(out.state == "done");
  CHECK(out.payload == "0\r\n\r\n0\r\n\r\n");
}

TEST_CASE("chunked: trailers, names in lower case, values trimmed") {
  const Decoded out = decode(
      "9\r\n123456789\r\n0\r\nX-Amz-Checksum-CRC64NVME:rosUhgp5mIg=\r\nEmpty:\r\n"
      "x-amz-trailer-signature: \t00 11 \r\n\r\n");
  CHECK(out.state == "done");
  REQUIRE(out.trailers.size() == 3);
  CHECK(out.trailers[0].first == "x-amz-checksum-crc64nvme");
  CHECK(out.trailers[0].second == "rosUhgp5mIg=");
  CHECK(out.trailers[1].second.empty());
  CHECK(out.trailers[2].second == "00 11");
}

TEST_CASE("chunked: bare LF ends a line too") {
  const Decoded out = decode("3\nabc\n2\r\nde\n0\na:b\n\n");
  CHECK(out.state == "done");
  CHECK(out.payload == "abcde");
  CHECK(out.trailers.size() == 1);
}

TEST_CASE("chunked: LF CRLF ends a trailer of aws-chunked, but HTTP's trailers") {
  const std::string vector = "0\r\na:b\nc:d\n\r\nx-amz-trailer-signature:00\r\n\r\nrest";
  const Decoded aws = mocks3::decode<ChunkedDecoder>(vector, ChunkedDecoder::Dialect::aws);
  CHECK(aws.state == "done");
  CHECK(aws.trailers.size() == 3);
  CHECK(aws.consumed == vector.size() - 4);
  const Decoded http = decode(vector);
  CHECK(http.state == "done");
  CHECK(http.trailers.size() == 2);
  const auto consumed_by_aws = [](std::string_view text) {
    return mocks3::decode<ChunkedDecoder>(text, ChunkedDecoder::Dialect::aws).consumed;
  };
  CHECK(consumed_by_aws("0\r\na:b\n\nrest") == 8);
  CHECK(consumed_by_aws("0\r\na:b\r\n\r\nrest") == 10);
  CHECK(consumed_by_aws("0\r\na:b\n\r\n\r\nrest") == 11);
  CHECK(consumed_by_aws("0\n\r\nrest") == 4);
}

TEST_CASE("chunked: unfinished input wants more") {
  for (const std::string_view vector :
       {"", "4", "4\r", "4\r\n", "4\r\nWi", "4\r\nWiki", "4\r\nWiki\r", "4\r\nWiki\r\n0", "0\r\n",
        "0\r\n\r", "0\r\na:b\r\n"}) {
    CAPTURE(vector);
    CHECK(state_of(vector) == "more");
  }
}

TEST_CASE("chunked: where the end may be missing") {
  const auto may_end = [](std::string_view vector) {
    ChunkedDecoder decoder;
    Decoded out;
    feed_all(decoder, vector, out);
    return decoder.may_end_here();
  };
  CHECK(may_end("1\r\nx\r\n0\r\n"));
  CHECK(may_end("0\r\na:b\r\n"));
  CHECK_FALSE(may_end(""));
  CHECK_FALSE(may_end("1\r\nx\r\n"));
  CHECK_FALSE(may_end("1\r\nx\r\n0"));
  CHECK_FALSE(may_end("0\r\na:b"));
  CHECK_FALSE(may_end("0\r\n\r"));
  CHECK_FALSE(may_end("0\r\n\r\n"));
}

TEST_CASE("chunked: what is no framing is refused") {
  for (const std::string_view vector :
       {"\r\n", ";x\r\n", "g\r\n", "0x5\r\n", "-1\r\n", "+1\r\n", " 5\r\nhello", "5 5\r\nhello",
        "5\rx\nhello", "5;\rx\nhello", "\n"}) {
    CAPTURE(vector);
    const std::string state = state_of(vector);
    CHECK(state != "more");
    CHECK(state != "done");
  }
  CHECK(state_of("3\r\nabcd\r\n0\r\n\r\n") == "chunk data are longer than their size says");
  CHECK(state_of("3\r\nabcX") == "more");
  CHECK(state_of("3\r\nabcXY") == "chunk data are longer than their size says");
  CHECK(state_of("0\r\nno colon\r\n\r\n") == "a trailer that is no header field");
  CHECK(state_of("0\r\n: v\r\n\r\n") == "a trailer that is no header field");
  CHECK(state_of("0\r\na b: v\r\n\r\n") == "a trailer that is no header field");
  CHECK(state_of("0\r\n folded: v\r\n\r\n") == "a trailer that is no header field");
}

TEST_CASE("chunked: sizes up to 2^62, also of all chunks together") {
  ChunkedDecoder decoder;
  Decoded out;
  feed_all(decoder, "4000000000000000\r\n", out);
  CHECK(decoder.data_due() == uint64_t{1} << 62);
  decoder.skip(decoder.data_due());
  CHECK(decoder.data_due() == 0);
  feed_all(decoder, "\r\n1\r\n", out);
  CHECK(decoder.reason() == "a chunk is too large");
  CHECK(state_of("4000000000000001\r\n") == "a chunk is too large");
  CHECK(state_of("ffffffffffffffff\r\n") == "a chunk is too large");
}

TEST_CASE("chunked: limits of lines and trailers") {
  const std::string extension(1022, 'x');
  CHECK(decode("1;" + extension.substr(1) + "\r\na\r\n0\r\n\r\n").state == "done");
  const std::string_view too_long = "a line of chunked framing is too long";
  CHECK(mocks3::decode<ChunkedDecoder>("1;" + extension + "\r\na\r\n0\r\n\r\n").state == too_long);

  ChunkedDecoder endless;
  Decoded out;
  feed_all(endless, "0\r\n" + std::string(17000, 'a'), out);
  CHECK(endless.reason() == too_long);

  std::string trailers = "0\r\n";
  for (int i = 0; i < 64; ++i) trailers += "a:b\r\n";
  CHECK(state_of(trailers + "\r\n") == "done");
  CHECK(state_of(trailers + "a:b\r\n\r\n") == "too many trailers");

  ChunkedDecoder wide;
  const std::string field = "a:" + std::string(1000, 'b') + "\r\n";
  feed_all(wide, "0\r\n", out);
  for (int i = 0; i < 17; ++i) feed_all(wide, field, out);
  CHECK(wide.state() == ChunkedDecoder::State::failed);
}

TEST_CASE("chunked: data thrown away unseen count as decoded") {
  ChunkedDecoder decoder;
  Decoded out;
  feed_all(decoder, "100000\r\nabc", out);
  CHECK(decoder.data_due() == 0x100000 - 3);
  decoder.skip(0x100000 - 4);
  CHECK(decoder.data_due() == 1);
  feed_all(decoder, "z\r\n0\r\n\r\n", out);
  CHECK(decoder.state() == ChunkedDecoder::State::done);
  CHECK(decoder.decoded_bytes() == 0x100000);
  CHECK(out.payload == "abcz");
}

TEST_CASE("chunked: taking framing stops where data begin") {
  const std::string_view input = "3\r\nabc\r\n0\r\n\r\nrest";
  const auto span = [](std::string_view text) {
    return std::span<const char>(text.data(), text.size());
  };
  ChunkedDecoder decoder;
  CHECK(decoder.take_framing(span(input)) == 3);
  CHECK(decoder.take_framing(span(input.substr(3))) == 0);
  decoder.skip(3);
  CHECK(decoder.take_framing(span(input.substr(6))) == 7);
  CHECK(decoder.state() == ChunkedDecoder::State::done);
  CHECK(decoder.take_framing(span(input.substr(13))) == 0);
}
