#include "server/upload.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "server/handler_tools.hpp"
#include "server/tags.hpp"
#include "shared/proto/body_decoder.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::server {

namespace {

constexpr std::string_view kMetaPrefix = "x-amz-meta-";
constexpr std::string_view kChecksumPrefix = "x-amz-checksum-";
constexpr std::string_view kComposite = "COMPOSITE";
constexpr std::string_view kFullObject = "FULL_OBJECT";

/// Headers kept besides x-amz-meta-* and the tags, as they are given back.
constexpr std::string_view kKeptHeaders[] = {
    "Content-Type",     "Cache-Control", "Content-Disposition", "Content-Encoding",
    "Content-Language", "Expires",       kStorageClassHeader,   kRedirectHeader,
};

/// Metadata in which clients note a hash of the body, to compare it with what they download. The
/// bytes served are others, so the note is not given back: the whole entry, or one element of a
/// list of name:value separated by slashes.
struct HashNote {
  std::string_view header;
  std::string_view element;  ///< empty: the whole entry
};
constexpr HashNote kHashNotes[] = {
    {"x-amz-meta-md5chksum", ""},       // rclone
    {"x-amz-meta-s3cmd-attrs", "md5"},  // s3cmd
};

/// An algorithm and the types that a multipart upload may have with it.
struct ChecksumKind {
  std::string_view algorithm;
  size_t bytes;
  bool composite, full_object;
};
constexpr ChecksumKind kChecksums[] = {
    {"CRC32", 4, true, true},       {"CRC32C", 4, true, true},    {"CRC64NVME", 8, false, true},
    {"SHA1", 20, true, false},      {"SHA256", 32, true, false},  {"SHA512", 64, true, false},
    {"MD5", 16, true, false},       {"XXHASH64", 8, true, false}, {"XXHASH3", 8, true, false},
    {"XXHASH128", 16, true, false},
};

const ChecksumKind* find_checksum(std::string_view algorithm) {
  const auto* found =
      std::find_if(std::begin(kChecksums), std::end(kChecksums),
                   [&](const ChecksumKind& kind) { return iequals(kind.algorithm, algorithm); });
  return found == std::end(kChecksums) ? nullptr : found;
}

std::string without_element(std::string_view list, std::string_view name) {
  std::string kept;
  while (!list.empty()) {
    const std::string_view element = list.substr(0, list.find('/'));
    list.remove_prefix(std::min(list.size(), element.size() + 1));
    if (element.starts_with(name) && element.substr(name.size()).starts_with(':')) continue;
    if (!kept.empty()) kept += '/';
    kept += element;
  }
  return kept;
}

void drop_hash_notes(ObjectHeaders& headers) {
  for (const HashNote& note : kHashNotes) {
    const auto found = std::find_if(headers.begin(), headers.end(), [&](const auto& header) {
      return header.first == note.header;
    });
    if (found == headers.end()) continue;
    if (!note.element.empty()) found->second = without_element(found->second, note.element);
    if (note.element.empty() || found->second.empty()) headers.erase(found);
  }
}

/// Adds a header, or its value after a comma where there is one of that name.
void add_joined(ObjectHeaders& headers, std::string name, std::string_view value) {
  for (auto& [known, joined] : headers) {
    if (known == name) {
      joined.append(",").append(value);
      return;
    }
  }
  headers.emplace_back(std::move(name), value);
}

bool is_default(std::string_view name, std::string_view value) {
  return value.empty() || (name == "Content-Type" && value == kDefaultContentType) ||
         (name == kStorageClassHeader && value == "STANDARD");
}

void keep_standard_header(ObjectHeaders& headers, const HeaderView& field) {
  const auto* kept = std::find_if(std::begin(kKeptHeaders), std::end(kKeptHeaders),
                                  [&](std::string_view name) { return iequals(name, field.name); });
  if (kept == std::end(kKeptHeaders)) return;
  const std::string value =
      *kept == "Content-Encoding" ? strip_aws_chunked(field.value) : std::string(field.value);
  if (!is_default(*kept, value)) add_joined(headers, std::string(*kept), value);
}

bool is_storage_class(std::string_view name) {
  static constexpr std::string_view kClasses[] = {
      "STANDARD",        "REDUCED_REDUNDANCY", "STANDARD_IA", "ONEZONE_IA", "INTELLIGENT_TIERING",
      "GLACIER",         "DEEP_ARCHIVE",       "GLACIER_IR",  "OUTPOSTS",   "SNOW",
      "EXPRESS_ONEZONE", "FSX_OPENZFS"};
  return std::find(std::begin(kClasses), std::end(kClasses), name) != std::end(kClasses);
}

S3Error metadata_too_large(size_t bytes, size_t limit) {
  S3Error error(S3Code::MetadataTooLarge);
  error.details = {{"Size", std::to_string(bytes)}, {"MaxSizeAllowed", std::to_string(limit)}};
  return error;
}

std::optional<S3Error> check_size(const ObjectHeaders& headers) {
  size_t metadata = 0, all = 0;
  for (const auto& [name, value] : headers) {
    all += name.size() + value.size();
    if (name.starts_with(kMetaPrefix)) metadata += name.size() - kMetaPrefix.size() + value.size();
  }
  if (metadata > kMaxMetadataBytes) return metadata_too_large(metadata, kMaxMetadataBytes);
  if (all > kMaxKeptBytes) return metadata_too_large(all, kMaxKeptBytes);
  return std::nullopt;
}

S3Error bad_checksum(std::string_view name) {
  return {S3Code::InvalidRequest, "Value for " + to_lower(name) + " header is invalid."};
}

/// Nothing where the field is no checksum of a known algorithm.
S3Result<std::optional<Checksum>> read_checksum(std::string_view name, std::string_view value) {
  std::optional<Checksum> none;
  if (!istarts_with(name, kChecksumPrefix)) return none;
  const ChecksumKind* kind = find_checksum(name.substr(kChecksumPrefix.size()));
  if (kind == nullptr) return none;
  const std::optional<std::string> raw = base64_decode(value);
  if (!raw || raw->size() != kind->bytes) return bad_checksum(name);
  return std::optional(Checksum{to_lower(name), std::string(value)});
}

S3Error unsupported_algorithm() {
  std::string known;
  for (const ChecksumKind& kind : kChecksums) {
    known += known.empty() ? "" : ", ";
    known += kind.algorithm;
  }
  return {S3Code::InvalidRequest,
          "Checksum algorithm provided is unsupported. Please try again with any of the valid "
          "types: [" +
              known + "]"};
}

S3Error too_large(uint64_t bytes) {
  S3Error error(S3Code::EntityTooLarge);
  error.details = {{"ProposedSize", std::to_string(bytes)},
                   {"MaxSizeAllowed", std::to_string(kMaxSingleUpload)}};
  return error;
}

bool has_duplicates(const Tags& tags) {
  std::set<std::string_view> seen;
  for (const auto& [key, value] : tags) {
    if (!seen.insert(key).second) return true;
  }
  return false;
}

/// An algorithm that is named must be that of the checksum, which may come in a trailer.
std::optional<S3Error> check_sdk_algorithm(const RequestHead& head,
                                           const std::optional<Checksum>& checksum) {
  constexpr std::string_view kName = "x-amz-sdk-checksum-algorithm";
  if (!head.has_header(kName)) return std::nullopt;
  const std::string announced = std::string(kChecksumPrefix) + to_lower(head.header(kName));
  const std::string_view trailer = head.header("x-amz-trailer");
  if (!checksum && trailer.empty()) {
    return S3Error(S3Code::InvalidRequest,
                   "x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* "
                   "or x-amz-trailer headers were found.");
  }
  if (checksum ? checksum->name == announced : iequals(trailer, announced)) return std::nullopt;
  return bad_checksum(kName);
}

}  // namespace

std::shared_ptr<const ObjectHeaders> share(ObjectHeaders headers) {
  if (headers.empty()) return nullptr;
  // Clients mostly send the same few headers with every object: one copy serves them all.
  thread_local std::array<std::shared_ptr<const ObjectHeaders>, 64> recent;
  uint64_t hash = 0;
  for (const auto& [name, value] : headers) hash = stable_hash(value, stable_hash(name, hash));
  auto& slot = recent[hash % recent.size()];
  if (!slot || *slot != headers) {
    slot = std::make_shared<const ObjectHeaders>(std::move(headers));
  }
  return slot;
}

S3Result<std::shared_ptr<const ObjectHeaders>> read_object_headers(const RequestHead& head) {
  ObjectHeaders headers;
  for (const HeaderView& field : head.headers) {
    if (istarts_with(field.name, kMetaPrefix) && field.name.size() > kMetaPrefix.size()) {
      add_joined(headers, to_lower(field.name), field.value);
    } else {
      keep_standard_header(headers, field);
    }
  }
  if (const auto error = check_size(headers)) return *error;
  if (!is_storage_class(storage_class(&headers))) return S3Error(S3Code::InvalidStorageClass);
  if (const std::string_view tagging = head.header(kTaggingHeader); !tagging.empty()) {
    const auto tags = parse_tags(tagging);
    if (!tags) return tags.error();
    if (!tags->empty()) headers.emplace_back(kTaggingHeader, tagging_header_of(*tags));
  }
  drop_hash_notes(headers);
  return share(std::move(headers));
}

std::string_view kept_header(const ObjectHeaders* headers, std::string_view name) {
  if (!headers) return {};
  for (const auto& [known, value] : *headers) {
    if (iequals(known, name)) return value;
  }
  return {};
}

std::string_view kept_header(const ObjectRecord& object, std::string_view name) {
  return kept_header(object.headers.get(), name);
}

std::string_view storage_class(const ObjectHeaders* headers) {
  const std::string_view chosen = kept_header(headers, kStorageClassHeader);
  return chosen.empty() ? "STANDARD" : chosen;
}

S3Result<Tags> parse_tags(std::string_view value) {
  const std::optional<Query> query = Query::parse(value);
  if (!query || has_duplicates(query->items())) {
    return invalid_argument(
        "The header 'x-amz-tagging' shall be encoded as UTF-8 then URLEncoded URL "
        "query parameters without tag name duplicates.",
        kTaggingHeader, value);
  }
  if (auto error = check_tags(query->items(), kMaxObjectTags)) return *std::move(error);
  return query->items();
}

S3Result<std::optional<std::string>> read_content_md5(const RequestHead& head) {
  if (!head.has_header("content-md5")) return std::optional<std::string>();
  std::optional<std::string> raw = base64_decode(head.header("content-md5"));
  if (!raw || raw->size() != 16) return S3Error(S3Code::InvalidDigest);
  return raw;
}

S3Result<std::optional<Checksum>> read_header_checksum(const RequestHead& head) {
  std::optional<Checksum> found;
  for (const HeaderView& field : head.headers) {
    S3Result<std::optional<Checksum>> checksum = read_checksum(field.name, field.value);
    if (!checksum) return checksum.error();
    if (!*checksum) continue;
    if (found) {
      return S3Error(S3Code::InvalidRequest,
                     "Expecting a single x-amz-checksum- header. Multiple checksum Types are not "
                     "allowed.");
    }
    found = std::move(*checksum);
  }
  return found;
}

S3Result<UploadHead> read_upload_head(const RequestHead& head) {
  const S3Result<BodyFraming> framing = BodyFraming::of(head);
  if (!framing) return framing.error();
  if (!framing->http_length && !framing->http_chunked) return S3Error(S3Code::MissingContentLength);
  if (const auto bytes = framing->payload_length(); bytes && *bytes > kMaxSingleUpload) {
    return too_large(*bytes);
  }
  if (const auto md5 = read_content_md5(head); !md5) return md5.error();
  S3Result<std::optional<Checksum>> checksum = read_header_checksum(head);
  if (!checksum) return checksum.error();
  if (const auto error = check_sdk_algorithm(head, *checksum)) return *error;
  return UploadHead{std::move(*checksum)};
}

S3Result<std::optional<ChecksumChoice>> read_checksum_choice(const RequestHead& head) {
  std::optional<ChecksumChoice> none;
  const std::string_view type = head.header("x-amz-checksum-type");
  if (!head.has_header("x-amz-checksum-algorithm")) {
    if (type.empty()) return none;
    return S3Error(S3Code::InvalidRequest,
                   "The x-amz-checksum-type header can only be used with the "
                   "x-amz-checksum-algorithm header.");
  }
  const ChecksumKind* kind = find_checksum(head.header("x-amz-checksum-algorithm"));
  if (kind == nullptr) return unsupported_algorithm();
  const bool composite = type.empty() ? kind->composite : iequals(type, kComposite);
  if (!type.empty() && !composite && !iequals(type, kFullObject)) {
    return bad_checksum("x-amz-checksum-type");
  }
  const std::string_view chosen = composite ? kComposite : kFullObject;
  if (composite ? !kind->composite : !kind->full_object) {
    return S3Error(S3Code::InvalidRequest, "The " + std::string(chosen) +
                                               " checksum type cannot be used with the " +
                                               to_lower(kind->algorithm) + " checksum algorithm.");
  }
  return std::optional(ChecksumChoice{kind->algorithm, chosen});
}

S3Result<std::optional<Checksum>> received_checksum(const UploadHead& head,
                                                    const ReceivedBody& body) {
  if (head.checksum) return head.checksum;
  for (const auto& [name, value] : body.trailers) {
    S3Result<std::optional<Checksum>> checksum = read_checksum(name, value);
    if (!checksum || *checksum) return checksum;
  }
  return std::optional<Checksum>();
}

}  // namespace mocks3::server
