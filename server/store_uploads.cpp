#include <algorithm>

#include "server/conditions.hpp"
#include "server/store.hpp"
#include "server/store_bucket.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::server {

namespace {

/// Ends the key in an upload's position: no key holds it, and it sorts before all that keys hold.
constexpr char kKeyEnd = '\0';
/// Greater than any upload id.
constexpr std::string_view kBehindIds = "\xff";

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

/// Where the parts of the object end.
S3Result<std::vector<uint64_t>> check_parts(StoredUpload& upload,
                                            const std::vector<CompletedPart>& parts,
                                            std::string_view upload_id) {
  if (parts.empty()) return S3Error(S3Code::MalformedXML);
  std::vector<uint64_t> ends;
  ends.reserve(parts.size());
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
    ends.push_back(found->size + (ends.empty() ? 0 : ends.back()));
  }
  if (small) return too_small(*small);
  return ends;
}

}  // namespace

std::vector<PartRecord>::iterator StoredUpload::at(uint32_t number) {
  return std::lower_bound(parts.begin(), parts.end(), number,
                          [](const PartRecord& part, uint32_t n) { return part.number < n; });
}

std::string upload_position(std::string_view key, std::string_view id) {
  std::string position(key);
  position += kKeyEnd;
  position += id.empty() ? kBehindIds : id;
  return position;
}

UploadIndex::iterator Store::Bucket::upload(std::string_view key, std::string_view upload_id) {
  return uploads.find(upload_position(key, upload_id));
}

S3Result<std::string> Store::create_upload(std::string_view bucket, std::string_view key,
                                           std::shared_ptr<const ObjectHeaders> headers,
                                           UnixMillis now) {
  // Ids rise with time, so that those of one key sort as S3 lists them.
  const uint64_t sequence = next_id_.fetch_add(1, std::memory_order_relaxed);
  std::string id = hex_u64(sequence) + hex_u64(mix64(seed_ ^ sequence));
  for (;;) {
    const std::shared_ptr<Bucket> target = find_or_create(bucket, now);
    if (!target) return no_such_bucket(bucket);
    const std::lock_guard lock(target->uploads_mutex);
    if (target->removed) continue;
    if (target->uploads.size() >= kMaxUploads) {
      return S3Error(S3Code::InvalidRequest,
                     "Too many uploads are in progress in this bucket: abort some.");
    }
    target->uploads.emplace(upload_position(key, id), StoredUpload{now, std::move(headers), {}});
    return id;
  }
}

S3Result<std::monostate> Store::require_upload(std::string_view bucket, std::string_view key,
                                               std::string_view upload_id) const {
  const std::shared_ptr<Bucket> found = find(bucket);
  if (!found) return no_such_bucket(bucket);
  const std::lock_guard lock(found->uploads_mutex);
  if (found->upload(key, upload_id) == found->uploads.end()) return S3Error(S3Code::NoSuchUpload);
  return std::monostate{};
}

S3Result<UploadPage> Store::list_uploads(std::string_view bucket, const ListQuery& query) const {
  const std::shared_ptr<Bucket> found = find(bucket);
  if (!found) return no_such_bucket(bucket);
  const std::lock_guard lock(found->uploads_mutex);
  return page_of<ListedUpload>(
      found->uploads, query,
      [](std::string_view position) { return position.substr(0, position.find(kKeyEnd)); },
      [](std::string_view position, const StoredUpload& upload) {
        const size_t end = position.find(kKeyEnd);
        return ListedUpload{std::string(position.substr(0, end)),
                            std::string(position.substr(end + 1)), upload.initiated,
                            upload.headers};
      });
}

S3Result<PartRecord> Store::put_part(std::string_view bucket, std::string_view key,
                                     std::string_view upload_id, uint32_t number, uint64_t size,
                                     UnixMillis now) {
  const std::shared_ptr<Bucket> found = find(bucket);
  if (!found) return no_such_bucket(bucket);
  const PartRecord part{number, size, now, new_etag(size, 1)};
  const std::lock_guard lock(found->uploads_mutex);
  const auto upload = found->upload(key, upload_id);
  if (upload == found->uploads.end()) return S3Error(S3Code::NoSuchUpload);
  std::vector<PartRecord>& parts = upload->second.parts;
  const auto at = upload->second.at(number);
  if (at != parts.end() && at->number == number) {
    *at = part;
  } else {
    parts.insert(at, part);
  }
  return part;
}

S3Result<PartPage> Store::list_parts(std::string_view bucket, std::string_view key,
                                     std::string_view upload_id, uint32_t after, size_t max) const {
  const std::shared_ptr<Bucket> found = find(bucket);
  if (!found) return no_such_bucket(bucket);
  const std::lock_guard lock(found->uploads_mutex);
  const auto upload = found->upload(key, upload_id);
  if (upload == found->uploads.end()) return S3Error(S3Code::NoSuchUpload);
  const auto end = upload->second.parts.end();
  const auto first = after == UINT32_MAX ? end : upload->second.at(after + 1);
  const size_t count = std::min(max, static_cast<size_t>(end - first));
  const auto last = first + static_cast<std::ptrdiff_t>(count);
  return PartPage{{first, last}, max > 0 && last != end, upload->second.headers};
}

S3Error wrong_object_size(uint64_t declared, uint64_t bytes) {
  return {S3Code::InvalidRequest,
          "The provided 'x-amz-mp-object-size' header value " + std::to_string(declared) +
              " does not match what was computed: " + std::to_string(bytes)};
}

S3Result<ObjectRecord> Store::complete_upload(std::string_view bucket, std::string_view key,
                                              std::string_view upload_id,
                                              const std::vector<CompletedPart>& parts,
                                              const WriteCondition& condition, UnixMillis now) {
  const std::shared_ptr<Bucket> found = find(bucket);
  if (!found) return no_such_bucket(bucket);
  const std::lock_guard lock(found->uploads_mutex);
  const auto upload = found->upload(key, upload_id);
  const uint64_t hash = hash_of(parts);
  if (upload == found->uploads.end()) {
    for (const FinishedUpload& done : found->finished) {
      if (done.id == upload_id && done.key == key && done.parts_hash == hash) return done.object;
    }
    return S3Error(S3Code::NoSuchUpload);
  }
  S3Result<std::vector<uint64_t>> ends = check_parts(upload->second, parts, upload_id);
  if (!ends) return ends.error();
  if (condition.object_bytes.value_or(ends->back()) != ends->back()) {
    return wrong_object_size(*condition.object_bytes, ends->back());
  }
  const auto [high, low] = unique_bits();
  const ObjectRecord record{
      ends->back(), now, {high, low, static_cast<uint32_t>(parts.size())}, upload->second.headers};
  auto part_ends = std::make_shared<const std::vector<uint64_t>>(*std::move(ends));
  {
    const std::unique_lock objects_lock(found->objects_mutex);
    if (auto done = found->put(key, record, condition); !done) return done.error();
    found->part_ends.emplace(high, std::move(part_ends));
  }
  found->uploads.erase(upload);
  if (found->finished.size() >= kRememberedUploads) found->finished.pop_front();
  found->finished.push_back({std::string(upload_id), std::string(key), hash, record});
  return record;
}

S3Result<std::monostate> Store::abort_upload(std::string_view bucket, std::string_view key,
                                             std::string_view upload_id) {
  const std::shared_ptr<Bucket> found = find(bucket);
  if (!found) return no_such_bucket(bucket);
  const std::lock_guard lock(found->uploads_mutex);
  const auto upload = found->upload(key, upload_id);
  if (upload == found->uploads.end()) return S3Error(S3Code::NoSuchUpload);
  found->uploads.erase(upload);
  return std::monostate{};
}

}  // namespace mocks3::server
