#include <algorithm>

#include "server/conditions.hpp"
#include "server/store.hpp"
#include "server/store_bucket.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::server {

namespace {

uint64_t hash_of(const std::vector<CompletedPart>& parts) {
  uint64_t hash = parts.size();
  for (const CompletedPart& part : parts) hash = stable_hash(part.etag, hash ^ part.number);
  return hash;
}

S3Error part_error(S3Code code, const CompletedPart& part, std::string_view upload_id) {
  S3Error error(code);
  error.details = {{"UploadId", std::string(upload_id)},
                   {"PartNumber", std::to_string(part.number)},
                   {"ETag", part.etag}};
  return error;
}

S3Error too_small(const PartRecord& part) {
  S3Error error(S3Code::EntityTooSmall);
  error.details = {{"ProposedSize", std::to_string(part.size)},
                   {"MinSizeAllowed", std::to_string(Store::kMinPartBytes)},
                   {"PartNumber", std::to_string(part.number)},
                   {"ETag", part.etag.text()}};
  return error;
}

/// The whole object's size.
S3Result<uint64_t> check_parts(StoredUpload& upload, const std::vector<CompletedPart>& parts,
                               std::string_view upload_id) {
  if (parts.empty()) return S3Error(S3Code::MalformedXML);
  uint64_t size = 0;
  uint32_t previous = 0;
  const PartRecord* small = nullptr;
  for (const CompletedPart& part : parts) {
    if (part.number <= previous) return S3Error(S3Code::InvalidPartOrder);
    previous = part.number;
    const auto found = upload.at(part.number);
    if (found == upload.parts.end() || found->number != part.number ||
        found->etag.text() != part.etag) {
      return part_error(S3Code::InvalidPart, part, upload_id);
    }
    if (!small && &part != &parts.back() && found->size < Store::kMinPartBytes) small = &*found;
    size += found->size;
  }
  if (small) return too_small(*small);
  return size;
}

}  // namespace

std::vector<PartRecord>::iterator StoredUpload::at(uint32_t number) {
  return std::lower_bound(parts.begin(), parts.end(), number,
                          [](const PartRecord& part, uint32_t n) { return part.number < n; });
}

StoredUpload* Store::Bucket::upload(std::string_view key, std::string_view upload_id) {
  const auto found = uploads.find(std::string(upload_id));
  return found == uploads.end() || found->second.key != key ? nullptr : &found->second;
}

S3Result<std::string> Store::create_upload(std::string_view bucket, std::string_view key,
                                           std::shared_ptr<const ObjectHeaders> headers,
                                           UnixMillis now) {
  const auto [high, low] = unique_bits();
  std::string id = hex_u64(high) + hex_u64(low);
  for (;;) {
    const std::shared_ptr<Bucket> target = find_or_create(bucket, now);
    if (!target) return no_such_bucket(bucket);
    const std::lock_guard lock(target->uploads_mutex);
    if (target->removed) continue;
    if (target->uploads.size() >= kMaxUploads) {
      return S3Error(S3Code::InvalidRequest,
                     "Too many uploads are in progress in this bucket: abort some.");
    }
    target->uploads.emplace(id, StoredUpload{std::string(key), std::move(headers), {}});
    return id;
  }
}

S3Result<std::monostate> Store::require_upload(std::string_view bucket, std::string_view key,
                                               std::string_view upload_id) const {
  const std::shared_ptr<Bucket> found = find(bucket);
  if (!found) return no_such_bucket(bucket);
  const std::lock_guard lock(found->uploads_mutex);
  if (!found->upload(key, upload_id)) return S3Error(S3Code::NoSuchUpload);
  return std::monostate{};
}

S3Result<PartRecord> Store::put_part(std::string_view bucket, std::string_view key,
                                     std::string_view upload_id, uint32_t number, uint64_t size,
                                     UnixMillis now) {
  const std::shared_ptr<Bucket> found = find(bucket);
  if (!found) return no_such_bucket(bucket);
  const PartRecord part{number, size, now, new_etag(size, 1)};
  const std::lock_guard lock(found->uploads_mutex);
  StoredUpload* upload = found->upload(key, upload_id);
  if (!upload) return S3Error(S3Code::NoSuchUpload);
  const auto at = upload->at(number);
  if (at != upload->parts.end() && at->number == number) {
    *at = part;
  } else {
    upload->parts.insert(at, part);
  }
  return part;
}

S3Result<std::vector<PartRecord>> Store::list_parts(std::string_view bucket, std::string_view key,
                                                    std::string_view upload_id, uint32_t after,
                                                    size_t max) const {
  const std::shared_ptr<Bucket> found = find(bucket);
  if (!found) return no_such_bucket(bucket);
  const std::lock_guard lock(found->uploads_mutex);
  StoredUpload* upload = found->upload(key, upload_id);
  if (!upload) return S3Error(S3Code::NoSuchUpload);
  const auto first = after == UINT32_MAX ? upload->parts.end() : upload->at(after + 1);
  const auto left = static_cast<size_t>(upload->parts.end() - first);
  const auto count = static_cast<std::ptrdiff_t>(left <= max ? left : max + 1);
  return std::vector<PartRecord>(first, first + count);
}

S3Result<ObjectRecord> Store::complete_upload(std::string_view bucket, std::string_view key,
                                              std::string_view upload_id,
                                              const std::vector<CompletedPart>& parts,
                                              const WriteCondition& condition, UnixMillis now) {
  const std::shared_ptr<Bucket> found = find(bucket);
  if (!found) return no_such_bucket(bucket);
  const std::lock_guard lock(found->uploads_mutex);
  StoredUpload* upload = found->upload(key, upload_id);
  const uint64_t hash = hash_of(parts);
  if (!upload) {
    for (const FinishedUpload& done : found->finished) {
      if (done.id == upload_id && done.key == key && done.parts_hash == hash) return done.object;
    }
    return S3Error(S3Code::NoSuchUpload);
  }
  const S3Result<uint64_t> size = check_parts(*upload, parts, upload_id);
  if (!size) return size.error();
  const auto [high, low] = unique_bits();
  const ObjectRecord record{
      *size, now, {high, low, static_cast<uint32_t>(parts.size())}, upload->headers};
  {
    const std::unique_lock objects_lock(found->objects_mutex);
    if (auto done = found->put(key, record, condition); !done) return done.error();
  }
  found->uploads.erase(std::string(upload_id));
  if (found->finished.size() >= kRememberedUploads) found->finished.pop_front();
  found->finished.push_back({std::string(upload_id), std::string(key), hash, record});
  return record;
}

S3Result<std::monostate> Store::abort_upload(std::string_view bucket, std::string_view key,
                                             std::string_view upload_id) {
  const std::shared_ptr<Bucket> found = find(bucket);
  if (!found) return no_such_bucket(bucket);
  const std::lock_guard lock(found->uploads_mutex);
  if (!found->upload(key, upload_id)) return S3Error(S3Code::NoSuchUpload);
  found->uploads.erase(std::string(upload_id));
  return std::monostate{};
}

}  // namespace mocks3::server
