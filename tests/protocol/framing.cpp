#include "tests/protocol/framing.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>

#include "shared/util/crc.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::test {
namespace {

const std::string kSignature(64, 'a');

template <class Each>
void for_each_piece(std::string_view bytes, size_t piece_bytes, Each each) {
  for (size_t at = 0; at < bytes.size(); at += piece_bytes) each(bytes.substr(at, piece_bytes));
}

/// The last chunk and the trailer of `payload`.
std::string checksum_trailer(std::string_view payload) {
  std::array<uint8_t, 8> bytes;
  uint64_t crc = crc64nvme(payload);
  for (size_t i = bytes.size(); i-- > 0; crc >>= 8) bytes[i] = static_cast<uint8_t>(crc);
  return "0\r\nx-amz-checksum-crc64nvme:" + base64_encode(bytes) + "\r\n\r\n";
}

}  // namespace

std::string signed_nine(bool with_trailer) {
  const std::string extension = ";chunk-signature=" + kSignature + "\r\n";
  std::string text = "9" + extension + "123456789\r\n0" + extension;
  if (with_trailer)
    text += "x-amz-checksum-crc32c:4waSgw==\r\nx-amz-trailer-signature:" + kSignature + "\r\n";
  return text + "\r\n";
}

std::string http_chunk(std::string_view data) {
  return fmt::format("{:x}\r\n{}\r\n", data.size(), data);
}

std::string aws_chunked(std::string_view payload, size_t chunk_bytes) {
  std::string text;
  for_each_piece(payload, chunk_bytes, [&](std::string_view piece) { text += http_chunk(piece); });
  return text + checksum_trailer(payload);
}

std::string http_chunked(std::string_view content, size_t chunk_bytes) {
  std::string text;
  for_each_piece(content, chunk_bytes, [&](std::string_view piece) { text += http_chunk(piece); });
  return text + "0\r\n\r\n";
}

std::string nested_piecewise(std::string_view payload, size_t chunk_bytes) {
  std::string text;
  for_each_piece(payload, chunk_bytes, [&](std::string_view piece) {
    text += http_chunk(fmt::format("{:x}\r\n", piece.size()));
    text += http_chunk(piece);
    text += http_chunk("\r\n");
  });
  text += http_chunk(checksum_trailer(payload));
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

void check_put(const TestServer& server, const Headers& headers, std::string_view body,
               std::string_view size) {
  CAPTURE(headers.empty() ? "" : headers.front().second);
  server.remove("/bkt/checked");
  CHECK(server.put("/bkt/checked", body, headers).status == 200);
  CHECK(server.size_of("/bkt/checked") == size);
}

}  // namespace mocks3::test
