#pragma once
#include <cstdint>
#include <string_view>

#include "shared/proto/s3_error.hpp"

namespace mocks3 {

/// The bytes of an object to send: [offset, offset + length).
struct ByteRange {
  uint64_t offset = 0;
  uint64_t length = 0;
  bool partial = false;  ///< answer 206 with Content-Range
};

/// The Range header's meaning for an object of `size` bytes (RFC 9110 section 14, and what S3
/// does): one range is honoured and cut to the object; several ranges, another unit or an
/// unparsable value mean the whole object; "bytes=-N" is the last N bytes, of an empty object the
/// whole of it. An empty `header` is the whole object.
/// Error: InvalidRange, with ActualObjectSize and RangeRequested.
S3Result<ByteRange> resolve_range(std::string_view header, uint64_t size);

/// x-amz-copy-source-range: exactly "bytes=a-b" inside the source. Error: InvalidArgument.
S3Result<ByteRange> resolve_copy_range(std::string_view header, uint64_t size);

}  // namespace mocks3
