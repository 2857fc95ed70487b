#pragma once
#include <cstdint>
#include <string_view>

namespace mocks3 {

// The CRCs that S3 has for checksums, reflected, as in the CRC catalogue of that name. Computed
// byte by byte: made for bodies that are kept, such as XML, not for a stream of payload.

uint32_t crc32(std::string_view bytes);      ///< CRC-32/ISO-HDLC
uint32_t crc32c(std::string_view bytes);     ///< CRC-32/ISCSI
uint64_t crc64nvme(std::string_view bytes);  ///< CRC-64/NVME

}  // namespace mocks3
