#include "tests/protocol/framing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mocks3::test {
namespace {

const std::string kSignature(64, 'a');

template <class Each>
void for_each_piece(std::string_view bytes, size_t piece_bytes, Each each) {
  for (size_t at = 0; at < bytes.size(); at += piece_bytes) each(bytes.substr(at, piece_bytes));
}

void append_chunk(std::string& out, std::string_view data) {
  out += fmt::format("{:x}\r\n{}\r\n", data.size(), data);
}

}  // namespace

std::string signed_nine(bool with_trailer) {
  const std::string extension = ";chunk-signature=" + kSignature + "\r\n";
  std::string text = "9" + extension + "123456789\r\n0" + extension;
  if (with_trailer)
    text += "x-amz-checksum-crc32c:4waSgw==\r\nx-amz-trailer-signature:" + kSignature + "\r\n";
  return text + "\r\n";
}

std::string aws_chunked(std::string_view payload, size_t chunk_bytes) {
  std::string text;
  for_each_piece(payload, chunk_bytes, [&](std::string_view piece) { append_chunk(text, piece); });
  return text + "0\r\nx-amz-checksum-crc32:y/Q5Jg==\r\n\r\n";
}

std::string http_chunked(std::string_view content, size_t chunk_bytes) {
  std::string text;
  for_each_piece(content, chunk_bytes, [&](std::string_view piece) { append_chunk(text, piece); });
  return text + "0\r\n\r\n";
}

std::string nested_piecewise(std::string_view payload, size_t chunk_bytes) {
  std::string text;
  for_each_piece(payload, chunk_bytes, [&](std::string_view piece) {
    append_chunk(text, fmt::format("{:x}\r\n", piece.size()));
    append_chunk(text, piece);
    append_chunk(text, "\r\n");
  });
  append_chunk(text, "0\r\nx-amz-checksum-crc32:y/Q5Jg==\r\n\r\n");
  return text + "0\r\n\r\n";
}

Headers streaming_headers(size_t decoded_bytes) {
  return {{"Content-Encoding", "aws-chunked"},
          {"x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"},
          {"x-amz-decoded-content-length", std::to_string(decoded_bytes)},
          {"x-amz-trailer", "x-amz-checksum-crc64nvme"}};
}

Headers with(Headers headers, const Headers& more) {
  headers.insert(headers.end(), more.begin(), more.end());
  return headers;
}

}  // namespace mocks3::test
