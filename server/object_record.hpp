#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "shared/util/time_text.hpp"

namespace mocks3::server {

/// 128 bits of ETag and the number after its dash; no dash where parts is 0 (empty objects, whose
/// ETag is their MD5). `high` alone differs between any two ETags that a store has chosen.
struct ETag {
  uint64_t high = 0, low = 0;
  uint32_t parts = 1;

  std::string text() const;  ///< without quotes
  std::string quoted() const;
  bool operator==(const ETag&) const = default;
};

/// Response headers to give back with an object, as the client set them: content-type,
/// cache-control, x-amz-meta-*, ... Names in the case to be sent.
using ObjectHeaders = std::vector<std::pair<std::string, std::string>>;

/// What is kept of an object. `headers` is shared by copies and null where there are none.
struct ObjectRecord {
  uint64_t size = 0;
  UnixMillis modified;
  ETag etag;
  std::shared_ptr<const ObjectHeaders> headers;
};

/// Where each part of a multipart object ends, as an offset into the object, in order; null for an
/// object that was not uploaded in parts. The first is part 1, whatever number it was sent with.
using PartEnds = std::shared_ptr<const std::vector<uint64_t>>;

struct ObjectWithParts {
  ObjectRecord object;
  PartEnds part_ends;
};

/// A part of an upload in progress.
struct PartRecord {
  uint32_t number = 0;
  uint64_t size = 0;
  UnixMillis modified;
  ETag etag;
};

/// Preconditions of a write, checked under the same lock as the write.
struct WriteCondition {
  bool if_none_match_any = false;             ///< If-None-Match: *
  std::optional<std::string> if_match = {};   ///< ETag list as sent
  std::optional<uint64_t> object_bytes = {};  ///< x-amz-mp-object-size of a CompleteMultipartUpload
};

/// Preconditions of a delete, checked under the same lock. The last two hold for a missing object.
struct DeleteCondition {
  std::string if_match = {};                ///< ETag list as sent; empty where there is none
  std::optional<UnixMillis> modified = {};  ///< compared in whole seconds
  std::optional<uint64_t> size = {};
};

}  // namespace mocks3::server
