#pragma once
// Inside of Store: only its own sources include this.
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/object_index.hpp"
#include "server/store.hpp"

namespace mocks3::server {

/// An upload in progress.
struct StoredUpload {
  UnixMillis initiated;
  std::shared_ptr<const ObjectHeaders> headers;
  std::vector<PartRecord> parts;  ///< in order of number

  /// Where part `number` is or would be.
  std::vector<PartRecord>::iterator at(uint32_t number);
};

/// By upload_position() of key and id, which sorts them as they are listed.
using UploadIndex = std::map<std::string, StoredUpload, std::less<>>;

/// A completed upload, remembered for clients that repeat the request.
struct FinishedUpload {
  std::string id, key;
  uint64_t parts_hash = 0;
  ObjectRecord object;
};

/// Locks are taken in this order: Store::mutex_, uploads_mutex, objects_mutex.
struct Store::Bucket {
  explicit Bucket(UnixMillis when) : created(when) {}

  const UnixMillis created;

  std::shared_mutex objects_mutex;
  ObjectIndex objects;

  /// By ETag::high; only of multipart objects. Under objects_mutex.
  std::unordered_map<uint64_t, PartEnds> part_ends;

  std::mutex uploads_mutex;
  UploadIndex uploads;
  std::deque<FinishedUpload> finished;  ///< oldest first

  BucketConfigurations configurations;

  /// No longer in the store: whoever still holds it must not write into it. Changed under both
  /// locks, so that either suffices to read it.
  bool removed = false;

  /// REQUIRES uploads_mutex. The end where the id is not of this key.
  UploadIndex::iterator upload(std::string_view key, std::string_view upload_id);
  /// REQUIRES objects_mutex, for writing. Keeps NoSuchKey and PreconditionFailed as put() does.
  S3Result<std::monostate> put(std::string_view key, const ObjectRecord& record,
                               const WriteCondition& condition);
  /// REQUIRES objects_mutex.
  std::optional<S3Error> refusal(ObjectIndex::const_iterator found,
                                 const WriteCondition& condition) const;
  std::optional<S3Error> refusal(ObjectIndex::const_iterator found,
                                 const DeleteCondition& condition) const;
};

/// With the element that S3 adds: <Key>.
S3Error no_such_key(std::string_view key);

}  // namespace mocks3::server
