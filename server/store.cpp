#include "server/store.hpp"

#include <mutex>
#include <random>

#include "server/conditions.hpp"
#include "server/store_bucket.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::server {

namespace {

constexpr ETag kEmptyMd5{0xd41d8cd98f00b204, 0xe9800998ecf8427e, 0};

uint64_t random_seed() {
  std::random_device device;
  return uint64_t{device()} << 32 | device();
}

}  // namespace

std::string ETag::text() const {
  const std::string with_quotes = quoted();
  return with_quotes.substr(1, with_quotes.size() - 2);
}

std::string ETag::quoted() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(33, '"');
  text.reserve(40);
  for (size_t i = 0; i < 16; ++i) {
    text[1 + i] = kDigits[(high >> (60 - 4 * i)) & 15];
    text[17 + i] = kDigits[(low >> (60 - 4 * i)) & 15];
  }
  if (parts > 0) text.append("-").append(std::to_string(parts));
  text += '"';
  return text;
}

Store::Store(bool strict_buckets) : strict_(strict_buckets), seed_(random_seed()) {}

std::pair<uint64_t, uint64_t> Store::unique_bits() {
  const uint64_t id = next_id_.fetch_add(1, std::memory_order_relaxed);
  return {mix64(seed_ + id), mix64(~seed_ ^ (id << 1))};
}

ETag Store::new_etag(uint64_t size, uint32_t parts) {
  if (size == 0 && parts <= 1) return kEmptyMd5;
  const auto [high, low] = unique_bits();
  return {high, low, parts};
}

std::shared_ptr<Store::Bucket> Store::find(std::string_view bucket) const {
  const std::shared_lock lock(mutex_);
  const auto found = buckets_.find(bucket);
  return found == buckets_.end() ? nullptr : found->second;
}

std::shared_ptr<Store::Bucket> Store::find_or_create(std::string_view bucket, UnixMillis now) {
  if (std::shared_ptr<Bucket> found = find(bucket); found || strict_) return found;
  const std::unique_lock lock(mutex_);
  auto& slot = buckets_[std::string(bucket)];
  if (!slot) slot = std::make_shared<Bucket>(now);
  return slot;
}

std::vector<Store::BucketInfo> Store::buckets() const {
  const std::shared_lock lock(mutex_);
  std::vector<BucketInfo> infos;
  infos.reserve(buckets_.size());
  for (const auto& [name, bucket] : buckets_) infos.push_back({name, bucket->created});
  return infos;
}

S3Error no_such_bucket(std::string_view bucket) {
  S3Error error(S3Code::NoSuchBucket);
  error.details = {{"BucketName", std::string(bucket)}};
  return error;
}

S3Error no_such_key(std::string_view key) {
  S3Error error(S3Code::NoSuchKey);
  error.details = {{"Key", std::string(key)}};
  return error;
}

bool Store::has_bucket(std::string_view bucket) const { return find(bucket) != nullptr; }

std::shared_ptr<BucketConfigurations> Store::configurations(std::string_view bucket) const {
  const std::shared_ptr<Bucket> found = find(bucket);
  return found ? std::shared_ptr<BucketConfigurations>(found, &found->configurations) : nullptr;
}

bool Store::create_bucket(std::string_view bucket, UnixMillis now) {
  const std::unique_lock lock(mutex_);
  auto& slot = buckets_[std::string(bucket)];
  if (slot) return false;
  slot = std::make_shared<Bucket>(now);
  return true;
}

S3Result<std::monostate> Store::delete_bucket(std::string_view bucket) {
  const std::unique_lock lock(mutex_);
  const auto found = buckets_.find(bucket);
  if (found == buckets_.end()) return no_such_bucket(bucket);
  const std::shared_ptr<Bucket> gone = found->second;
  const std::scoped_lock inner(gone->uploads_mutex, gone->objects_mutex);
  if (!gone->objects.empty()) return S3Error(S3Code::BucketNotEmpty);
  gone->removed = true;
  gone->uploads.clear();
  buckets_.erase(found);
  return std::monostate{};
}

void Store::clear() {
  decltype(buckets_) gone;
  {
    const std::unique_lock lock(mutex_);
    gone.swap(buckets_);
    for (const auto& [name, bucket] : gone) {
      const std::scoped_lock inner(bucket->uploads_mutex, bucket->objects_mutex);
      bucket->removed = true;
      bucket->uploads.clear();
    }
  }
  // Millions of records are freed here, when nobody waits for the lock any more.
}

std::optional<S3Error> Store::Bucket::refusal(ObjectIndex::const_iterator found,
                                              const WriteCondition& condition) const {
  const bool exists = found != objects.end();
  if (condition.if_match) {
    if (!exists) return S3Error(S3Code::NoSuchKey);
    if (!etag_list_matches(*condition.if_match, found->second.etag.text())) {
      return precondition_failed("If-Match");
    }
  }
  if (condition.if_none_match_any && exists) return precondition_failed("If-None-Match");
  return std::nullopt;
}

S3Result<std::monostate> Store::check_write(std::string_view bucket, std::string_view key,
                                            const WriteCondition& condition) const {
  const std::shared_ptr<Bucket> found = find(bucket);
  if (!found && strict_) return no_such_bucket(bucket);
  if (!found) {
    return condition.if_match ? S3Result<std::monostate>(no_such_key(key)) : std::monostate{};
  }
  const std::shared_lock lock(found->objects_mutex);
  if (auto refusal = found->refusal(found->objects.find(key), condition)) return *refusal;
  return std::monostate{};
}

S3Result<ObjectRecord> Store::get(std::string_view bucket, std::string_view key) const {
  const std::shared_ptr<Bucket> found = find(bucket);
  if (!found) return no_such_bucket(bucket);
  const std::shared_lock lock(found->objects_mutex);
  const auto object = found->objects.find(key);
  if (object == found->objects.end()) return no_such_key(key);
  return object->second;
}

S3Result<ObjectWithParts> Store::get_with_parts(std::string_view bucket,
                                                std::string_view key) const {
  const std::shared_ptr<Bucket> found = find(bucket);
  if (!found) return no_such_bucket(bucket);
  const std::shared_lock lock(found->objects_mutex);
  const auto object = found->objects.find(key);
  if (object == found->objects.end()) return no_such_key(key);
  const auto parts = found->part_ends.find(object->second.etag.high);
  return ObjectWithParts{object->second, parts == found->part_ends.end() ? nullptr : parts->second};
}

S3Result<std::monostate> Store::Bucket::put(std::string_view key, const ObjectRecord& record,
                                            const WriteCondition& condition) {
  const auto found = objects.find(key);
  if (auto refused = refusal(found, condition)) return *refused;
  if (found == objects.end()) {
    objects.insert(key, record);
  } else {
    part_ends.erase(found->second.etag.high);
    found->second = record;
  }
  return std::monostate{};
}

S3Result<ObjectRecord> Store::put(std::string_view bucket, std::string_view key,
                                  ObjectRecord record, const WriteCondition& condition) {
  record.etag = new_etag(record.size, 1);
  for (;;) {
    const std::shared_ptr<Bucket> target = find_or_create(bucket, record.modified);
    if (!target) return no_such_bucket(bucket);
    const std::unique_lock lock(target->objects_mutex);
    if (target->removed) continue;
    if (auto done = target->put(key, record, condition); !done) return done.error();
    return record;
  }
}

S3Result<std::monostate> Store::set_headers(
    std::string_view bucket, std::string_view key,
    const std::function<std::shared_ptr<const ObjectHeaders>(const ObjectRecord&)>& edit) {
  const std::shared_ptr<Bucket> target = find(bucket);
  if (!target) return no_such_bucket(bucket);
  const std::unique_lock lock(target->objects_mutex);
  const auto found = target->objects.find(key);
  if (found == target->objects.end()) return no_such_key(key);
  found->second.headers = edit(found->second);
  return std::monostate{};
}

std::optional<S3Error> Store::Bucket::refusal(ObjectIndex::const_iterator found,
                                              const DeleteCondition& condition) const {
  if (!condition.if_match.empty()) {
    if (auto refused = refusal(found, WriteCondition{.if_match = condition.if_match})) {
      return refused;
    }
  }
  if (found == objects.end()) return std::nullopt;
  const ObjectRecord& object = found->second;
  if (condition.modified && condition.modified->value / 1000 != object.modified.value / 1000) {
    return precondition_failed("x-amz-if-match-last-modified-time");
  }
  if (condition.size && *condition.size != object.size) {
    return precondition_failed("x-amz-if-match-size");
  }
  return std::nullopt;
}

S3Result<std::monostate> Store::remove(std::string_view bucket, std::string_view key,
                                       const DeleteCondition& condition) {
  const std::shared_ptr<Bucket> target = find(bucket);
  if (!target) return no_such_bucket(bucket);
  const std::unique_lock lock(target->objects_mutex);
  const auto found = target->objects.find(key);
  if (auto refused = target->refusal(found, condition)) return *refused;
  if (found == target->objects.end()) return std::monostate{};
  target->part_ends.erase(found->second.etag.high);
  target->objects.erase(found);
  return std::monostate{};
}

S3Result<ObjectPage> Store::list(std::string_view bucket, const ListQuery& query) const {
  const std::shared_ptr<Bucket> found = find(bucket);
  if (!found) return no_such_bucket(bucket);
  const std::shared_lock lock(found->objects_mutex);
  return page_of<ListedObject>(
      found->objects, query, [](std::string_view key) { return key; },
      [](std::string_view key, const ObjectRecord& object) {
        return ListedObject{std::string(key), object};
      });
}

}  // namespace mocks3::server
