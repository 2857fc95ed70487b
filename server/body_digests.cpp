#include "server/body_digests.hpp"

#include <array>

#include "shared/proto/body_decoder.hpp"
#include "shared/util/crc.hpp"
#include "shared/util/digest.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::server {

namespace {

template <class Word>
std::string base64_of_word(Word word) {
  std::array<uint8_t, sizeof word> bytes;
  for (size_t i = bytes.size(); i-- > 0; word = static_cast<Word>(word >> 8)) {
    bytes[i] = static_cast<uint8_t>(word);
  }
  return base64_encode(bytes);
}

struct Algorithm {
  std::string_view name, header;
  std::string (*base64)(std::string_view bytes);
};
constexpr Algorithm kAlgorithms[] = {
    {"CRC32", "x-amz-checksum-crc32",
     [](std::string_view bytes) { return base64_of_word(crc32(bytes)); }},
    {"CRC32C", "x-amz-checksum-crc32c",
     [](std::string_view bytes) { return base64_of_word(crc32c(bytes)); }},
    {"CRC64NVME", "x-amz-checksum-crc64nvme",
     [](std::string_view bytes) { return base64_of_word(crc64nvme(bytes)); }},
    {"SHA1", "x-amz-checksum-sha1",
     [](std::string_view bytes) { return base64_encode(sha1(bytes)); }},
    {"SHA256", "x-amz-checksum-sha256",
     [](std::string_view bytes) { return base64_encode(sha256(bytes)); }},
};

std::optional<S3Error> checksum_fault(const Checksum& claimed, std::string_view body) {
  for (const Algorithm& algorithm : kAlgorithms) {
    if (claimed.name != algorithm.header || claimed.value == algorithm.base64(body)) continue;
    return S3Error(S3Code::BadDigest, "The " + std::string(algorithm.name) +
                                          " you specified did not match the calculated checksum.");
  }
  return std::nullopt;
}

bool has_md5(std::string_view body, const std::string& raw) {
  const Md5 digest = md5(body);
  return std::string_view(reinterpret_cast<const char*>(digest.data()), digest.size()) == raw;
}

}  // namespace

S3Result<BodyDigests> BodyDigests::of(const RequestContext& request) {
  const S3Result<BodyFraming> framing = BodyFraming::of(request.head);
  if (!framing) return framing.error();
  auto md5 = read_content_md5(request.head);
  if (!md5) return md5.error();
  auto checksum = read_header_checksum(request.head);
  if (!checksum) return checksum.error();
  BodyDigests digests;
  if (!framing->aws_chunked) digests.md5_ = *std::move(md5);
  digests.head_.checksum = *std::move(checksum);
  // That of CompleteMultipartUpload is the object's.
  digests.checksum_is_of_body_ = request.request.op != S3Op::CompleteMultipartUpload;
  return digests;
}

std::optional<S3Error> BodyDigests::fault_of(const ReceivedBody& body) const {
  if (md5_ && !has_md5(body.text, *md5_)) return S3Error(S3Code::BadDigest);
  if (!checksum_is_of_body_) return std::nullopt;
  const auto checksum = received_checksum(head_, body);
  if (!checksum) return checksum.error();
  return *checksum ? checksum_fault(**checksum, body.text) : std::nullopt;
}

}  // namespace mocks3::server
