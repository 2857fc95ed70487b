#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/bucket_configurations.hpp"
#include "server/list_page.hpp"
#include "server/object_record.hpp"
#include "shared/proto/s3_error.hpp"
#include "shared/proto/s3_xml.hpp"
#include "shared/util/time_text.hpp"

namespace mocks3::server {

struct ListedObject {
  std::string key;
  ObjectRecord object;
};
using ObjectPage = PageOf<ListedObject>;

struct ListedUpload {
  std::string key, id;
  UnixMillis initiated;
  std::shared_ptr<const ObjectHeaders> headers;
};
using UploadPage = PageOf<ListedUpload>;

/// Parts of an upload in order of number, those above a given one and at most as many as asked for.
struct PartPage {
  std::vector<PartRecord> parts;
  bool truncated = false;
  std::shared_ptr<const ObjectHeaders> headers;  ///< of the object to be
};

/// Where a page of uploads goes on behind upload `id` of `key`, be it there or not; behind all of
/// that key where `id` is empty.
std::string upload_position(std::string_view key, std::string_view id);

/// Buckets, object records and uploads in progress, in memory. Every call is atomic and may come
/// from any thread. Time is an argument.
class Store {
 public:
  explicit Store(bool strict_buckets);

  struct BucketInfo {
    std::string name;
    UnixMillis created;
  };
  std::vector<BucketInfo> buckets() const;
  bool has_bucket(std::string_view bucket) const;
  /// False where it was there already.
  bool create_bucket(std::string_view bucket, UnixMillis now);
  /// NoSuchBucket, BucketNotEmpty. Uploads in progress go with the bucket.
  S3Result<std::monostate> delete_bucket(std::string_view bucket);
  /// What was configured for the bucket; null where there is none. It goes with the bucket.
  std::shared_ptr<BucketConfigurations> configurations(std::string_view bucket) const;
  /// What put() would answer now, without doing it: known before the body is there. NoSuchBucket
  /// where buckets are strict, NoSuchKey, PreconditionFailed.
  S3Result<std::monostate> check_write(std::string_view bucket, std::string_view key,
                                       const WriteCondition& condition) const;

  /// NoSuchBucket, NoSuchKey.
  S3Result<ObjectRecord> get(std::string_view bucket, std::string_view key) const;
  S3Result<ObjectWithParts> get_with_parts(std::string_view bucket, std::string_view key) const;
  /// Puts or replaces; the ETag is chosen here. NoSuchBucket, NoSuchKey (If-Match on a missing
  /// key), PreconditionFailed. Makes the bucket unless strict.
  S3Result<ObjectRecord> put(std::string_view bucket, std::string_view key, ObjectRecord record,
                             const WriteCondition& condition);
  /// Gives an object the headers that `edit` makes of it, without writing it anew. NoSuchBucket,
  /// NoSuchKey. `edit` runs under the bucket's lock.
  S3Result<std::monostate> set_headers(
      std::string_view bucket, std::string_view key,
      const std::function<std::shared_ptr<const ObjectHeaders>(const ObjectRecord&)>& edit);
  /// Success also where the key is missing. NoSuchBucket; PreconditionFailed; NoSuchKey where there
  /// is an `if_match`.
  S3Result<std::monostate> remove(std::string_view bucket, std::string_view key,
                                  const DeleteCondition& condition = {});
  /// NoSuchBucket.
  S3Result<ObjectPage> list(std::string_view bucket, const ListQuery& query) const;

  // Uploads. A missing bucket is NoSuchBucket for all but create_upload, which makes it unless
  // buckets are strict.

  /// Upload id: 32 hex digits, greater than those of earlier uploads. NoSuchBucket; InvalidRequest
  /// over kMaxUploads in the bucket.
  S3Result<std::string> create_upload(std::string_view bucket, std::string_view key,
                                      std::shared_ptr<const ObjectHeaders> headers, UnixMillis now);
  /// Ordered by key, those of one key by the time of their creation. `query.after` is a key or
  /// what upload_position() gives. NoSuchBucket.
  S3Result<UploadPage> list_uploads(std::string_view bucket, const ListQuery& query) const;
  /// NoSuchUpload where the id is not of this bucket and key.
  S3Result<std::monostate> require_upload(std::string_view bucket, std::string_view key,
                                          std::string_view upload_id) const;
  /// REQUIRES 1 <= number <= 10000.
  S3Result<PartRecord> put_part(std::string_view bucket, std::string_view key,
                                std::string_view upload_id, uint32_t number, uint64_t size,
                                UnixMillis now);
  S3Result<PartPage> list_parts(std::string_view bucket, std::string_view key,
                                std::string_view upload_id, uint32_t after, size_t max) const;
  /// InvalidPart, InvalidPartOrder, EntityTooSmall, NoSuchUpload and put()'s errors. An error
  /// leaves the upload as it was. Completing once more with the same list gives the same answer,
  /// for the latest kRememberedUploads of the bucket.
  S3Result<ObjectRecord> complete_upload(std::string_view bucket, std::string_view key,
                                         std::string_view upload_id,
                                         const std::vector<CompletedPart>& parts,
                                         const WriteCondition& condition, UnixMillis now);
  S3Result<std::monostate> abort_upload(std::string_view bucket, std::string_view key,
                                        std::string_view upload_id);

  /// Removes everything.
  void clear();

  static constexpr size_t kMaxUploads = 100'000;
  static constexpr size_t kRememberedUploads = 1'000;
  static constexpr uint64_t kMinPartBytes = 5 * 1024 * 1024;

 private:
  struct Bucket;  ///< store_bucket.hpp
  std::shared_ptr<Bucket> find(std::string_view bucket) const;
  std::shared_ptr<Bucket> find_or_create(std::string_view bucket, UnixMillis now);
  std::pair<uint64_t, uint64_t> unique_bits();
  ETag new_etag(uint64_t size, uint32_t parts);

  const bool strict_;
  const uint64_t seed_;  ///< differs from run to run
  std::atomic<uint64_t> next_id_{0};
  mutable std::shared_mutex mutex_;  ///< of buckets_ itself; each bucket has its own
  std::map<std::string, std::shared_ptr<Bucket>, std::less<>> buckets_;
};

/// With the element that S3 adds: <BucketName>.
S3Error no_such_bucket(std::string_view bucket);

}  // namespace mocks3::server
