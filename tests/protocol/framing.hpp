#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tests/protocol/raw_client.hpp"

namespace mocks3::test {

/// Nine bytes in aws-chunked with a checksum trailer: 58 bytes on the wire.
inline constexpr std::string_view kFramedNine =
    "9\r\n123456789\r\n0\r\nx-amz-checksum-crc64nvme:rosUhgp5mIg=\r\n\r\n";
/// The same, signed chunk by chunk.
std::string signed_nine(bool with_trailer);

/// `payload` in aws-chunked, in chunks of `chunk_bytes`, with a checksum trailer.
std::string aws_chunked(std::string_view payload, size_t chunk_bytes);
/// `data` as one chunk of either framing.
std::string http_chunk(std::string_view data);
/// `content` in HTTP chunks of `chunk_bytes`.
std::string http_chunked(std::string_view content, size_t chunk_bytes);
/// As @aws-sdk/client-s3 nests them: size line, data and line end of each inner chunk are HTTP
/// chunks of their own.
std::string nested_piecewise(std::string_view payload, size_t chunk_bytes);

/// What a client of 2025 sends with an upload in aws-chunked with a trailer.
Headers streaming_headers(size_t decoded_bytes);
/// `headers` and `more`.
Headers with(Headers headers, const Headers& more);

/// A PUT of `body` with these headers is taken and makes an object of `size` bytes.
void check_put(const TestServer& server, const Headers& headers, std::string_view body,
               std::string_view size);

}  // namespace mocks3::test
