#include "server/upload.hpp"

#include <doctest/doctest.h>

using namespace mocks3;
using namespace mocks3::server;

namespace {

RequestHead head_with(std::vector<HeaderView> headers, uint64_t length = 9) {
  RequestHead head;
  head.method = "PUT";
  head.target = "/b/k";
  head.headers = std::move(headers);
  head.content_length = length;
  return head;
}

ObjectHeaders kept(std::vector<HeaderView> headers) {
  const auto read = read_object_headers(head_with(std::move(headers)));
  REQUIRE(read.ok());
  return *read ? **read : ObjectHeaders{};
}

template <class T>
S3Code code_of(const S3Result<T>& result) {
  REQUIRE_FALSE(result.ok());
  return result.error().code;
}

S3Code refused(std::vector<HeaderView> headers, uint64_t length = 9) {
  return code_of(read_upload_head(head_with(std::move(headers), length)));
}

}  // namespace

TEST_CASE("upload: headers that are kept, in the case to be sent") {
  CHECK(kept({{"content-type", "text/plain"},
              {"CACHE-CONTROL", "no-cache"},
              {"content-disposition", "inline"},
              {"content-language", "de"},
              {"expires", "never"},
              {"x-amz-website-redirect-location", "/x"},
              {"X-Amz-Storage-Class", "GLACIER"},
              {"X-Amz-Meta-Mtime", "1.5"},
              {"x-amz-acl", "private"},
              {"Authorization", "secret"}}) ==
        ObjectHeaders{{"Content-Type", "text/plain"},
                      {"Cache-Control", "no-cache"},
                      {"Content-Disposition", "inline"},
                      {"Content-Language", "de"},
                      {"Expires", "never"},
                      {"x-amz-website-redirect-location", "/x"},
                      {"x-amz-storage-class", "GLACIER"},
                      {"x-amz-meta-mtime", "1.5"}});
}

TEST_CASE("upload: defaults cost nothing") {
  CHECK(kept({}).empty());
  CHECK(
      kept({{"Content-Type", "binary/octet-stream"}, {"x-amz-storage-class", "STANDARD"}}).empty());
  CHECK(*read_object_headers(head_with({{"Content-Type", ""}})) == nullptr);
}

TEST_CASE("upload: equal sets are shared") {
  const auto first = read_object_headers(head_with({{"Content-Type", "text/plain"}}));
  const auto second = read_object_headers(head_with({{"Content-Type", "text/plain"}}));
  const auto other = read_object_headers(head_with({{"Content-Type", "text/html"}}));
  CHECK(first->get() == second->get());
  CHECK(first->get() != other->get());
}

TEST_CASE("upload: aws-chunked is no encoding of the object") {
  CHECK(kept({{"Content-Encoding", "aws-chunked"}}).empty());
  CHECK(kept({{"Content-Encoding", "aws-chunked,gzip"}}) ==
        ObjectHeaders{{"Content-Encoding", "gzip"}});
  CHECK(kept({{"Content-Encoding", "gzip"}, {"Content-Encoding", "aws-chunked"}}) ==
        ObjectHeaders{{"Content-Encoding", "gzip"}});
}

TEST_CASE("upload: metadata is joined, kept as sent, and limited") {
  CHECK(kept({{"x-amz-meta-a", "1"}, {"X-Amz-Meta-A", "2"}}) ==
        ObjectHeaders{{"x-amz-meta-a", "1,2"}});
  CHECK(kept({{"x-amz-meta-name", "日本"}, {"x-amz-meta-empty", ""}}) ==
        ObjectHeaders{{"x-amz-meta-name", "日本"}, {"x-amz-meta-empty", ""}});
  const std::string most(kMaxMetadataBytes - 1, 'v');
  const std::string more(kMaxMetadataBytes, 'v');
  CHECK(read_object_headers(head_with({{"x-amz-meta-a", most}})).ok());
  CHECK(code_of(read_object_headers(head_with({{"x-amz-meta-a", more}}))) ==
        S3Code::MetadataTooLarge);
}

TEST_CASE("upload: other headers have a limit too") {
  const std::string long_value(kMaxKeptBytes, 'v');
  CHECK(code_of(read_object_headers(head_with({{"Content-Disposition", long_value}}))) ==
        S3Code::MetadataTooLarge);
  CHECK(read_object_headers(head_with({{"Authorization", long_value}})).ok());
}

TEST_CASE("upload: metadata that claims a hash is not kept") {
  CHECK(kept({{"x-amz-meta-md5chksum", "JfnnlDI7RTiF9RgfG2JNCw=="}, {"X-Amz-Meta-Mtime", "1"}}) ==
        ObjectHeaders{{"x-amz-meta-mtime", "1"}});
  const auto attrs = [](std::string_view value) {
    return kept({{"X-Amz-Meta-S3cmd-Attrs", value}});
  };
  CHECK(attrs("atime:1/md5:25f9e794323b453885f5181f1b624d0b/mode:33188") ==
        ObjectHeaders{{"x-amz-meta-s3cmd-attrs", "atime:1/mode:33188"}});
  CHECK(attrs("md5:aa/uid:0") == ObjectHeaders{{"x-amz-meta-s3cmd-attrs", "uid:0"}});
  CHECK(attrs("uid:0/md5:aa") == ObjectHeaders{{"x-amz-meta-s3cmd-attrs", "uid:0"}});
  CHECK(attrs("uid:0/md5x:aa") == ObjectHeaders{{"x-amz-meta-s3cmd-attrs", "uid:0/md5x:aa"}});
  CHECK(attrs("md5:aa").empty());
}

TEST_CASE("upload: tags") {
  const auto tags = parse_tags("a=1&b%20c=%2B&empty=");
  REQUIRE(tags.ok());
  CHECK(*tags ==
        std::vector<std::pair<std::string, std::string>>{{"a", "1"}, {"b c", "+"}, {"empty", ""}});
  CHECK(parse_tags("")->empty());
  CHECK(code_of(parse_tags("a=1&a=2")) == S3Code::InvalidArgument);
  CHECK(code_of(parse_tags("a=%zz")) == S3Code::InvalidArgument);
  CHECK(code_of(parse_tags("=1")) == S3Code::InvalidTag);
  CHECK(parse_tags("1&2&3&4&5&6&7&8&9&10").ok());
  CHECK(code_of(parse_tags("1&2&3&4&5&6&7&8&9&10&11")) == S3Code::BadRequest);
  CHECK(code_of(read_object_headers(head_with({{"x-amz-tagging", "a=1&a=2"}}))) ==
        S3Code::InvalidArgument);
}

TEST_CASE("upload: length and size") {
  CHECK(read_upload_head(head_with({}, 0)).ok());
  CHECK(read_upload_head(head_with({}, kMaxSingleUpload)).ok());
  CHECK(refused({}, kMaxSingleUpload + 1) == S3Code::EntityTooLarge);
  CHECK(refused({{"x-amz-decoded-content-length", "5368709121"}}, 100) == S3Code::EntityTooLarge);
  RequestHead head = head_with({});
  head.content_length.reset();
  CHECK(code_of(read_upload_head(head)) == S3Code::MissingContentLength);
  head.http_chunked = true;
  CHECK(read_upload_head(head).ok());
}

TEST_CASE("upload: Content-MD5 has to be one") {
  CHECK(read_upload_head(head_with({{"Content-MD5", "JfnnlDI7RTiF9RgfG2JNCw=="}})).ok());
  CHECK(refused({{"Content-MD5", ""}}) == S3Code::InvalidDigest);
  CHECK(refused({{"Content-MD5", "JfnnlDI7RTiF9RgfG2JNCw"}}) == S3Code::InvalidDigest);
  CHECK(refused({{"Content-MD5", "y/Q5Jg=="}}) == S3Code::InvalidDigest);
  CHECK(refused({{"Content-MD5", "25f9e794323b453885f5181f1b624d0b"}}) == S3Code::InvalidDigest);
}

TEST_CASE("upload: checksums by header") {
  const auto crc = read_upload_head(head_with({{"X-Amz-Checksum-CRC32", "y/Q5Jg=="}}));
  REQUIRE(crc.ok());
  REQUIRE(crc->checksum);
  CHECK(crc->checksum->name == "x-amz-checksum-crc32");
  CHECK(crc->checksum->value == "y/Q5Jg==");
  CHECK(read_upload_head(head_with({{"x-amz-checksum-crc64nvme", "rosUhgp5mIg="}}))->checksum);
  CHECK_FALSE(read_upload_head(head_with({{"x-amz-checksum-algorithm", "CRC32"},
                                          {"x-amz-checksum-newest", "zzz"}}))
                  ->checksum);
  CHECK(refused({{"x-amz-checksum-crc32", "rosUhgp5mIg="}}) == S3Code::InvalidRequest);
  CHECK(refused({{"x-amz-checksum-crc32", "not base64"}}) == S3Code::InvalidRequest);
  CHECK(refused({{"x-amz-checksum-sha256", ""}}) == S3Code::InvalidRequest);
  CHECK(refused({{"x-amz-checksum-crc32", "y/Q5Jg=="}, {"x-amz-checksum-crc32c", "4waSgw=="}}) ==
        S3Code::InvalidRequest);
}

TEST_CASE("upload: an algorithm that is named is that of the checksum or the trailer") {
  const HeaderView named = {"x-amz-sdk-checksum-algorithm", "CRC32"};
  CHECK(read_upload_head(head_with({named, {"x-amz-checksum-crc32", "y/Q5Jg=="}})).ok());
  CHECK(read_upload_head(head_with({named, {"x-amz-trailer", "x-amz-checksum-crc32"}})).ok());
  CHECK(refused({named}) == S3Code::InvalidRequest);
  CHECK(refused({named, {"x-amz-checksum-crc32c", "4waSgw=="}}) == S3Code::InvalidRequest);
  CHECK(refused({named, {"x-amz-trailer", "x-amz-checksum-sha1"}}) == S3Code::InvalidRequest);
  CHECK(refused({{"x-amz-sdk-checksum-algorithm", "MD4"}, {"x-amz-checksum-crc32", "y/Q5Jg=="}}) ==
        S3Code::InvalidRequest);
}

TEST_CASE("upload: the checksum algorithm and type of a multipart upload") {
  const auto choice = [](const char* algorithm, const char* type) {
    return read_checksum_choice(
        head_with({{"x-amz-checksum-algorithm", algorithm}, {"x-amz-checksum-type", type}}));
  };
  CHECK_FALSE(*read_checksum_choice(head_with({})));
  const auto plain = read_checksum_choice(head_with({{"x-amz-checksum-algorithm", "crc32"}}));
  REQUIRE((plain && *plain));
  CHECK((*plain)->algorithm == "CRC32");
  CHECK((*plain)->type == "COMPOSITE");
  CHECK((*choice("CRC64NVME", ""))->type == "FULL_OBJECT");
  CHECK((*choice("CRC32C", "full_object"))->type == "FULL_OBJECT");
  CHECK((*choice("SHA512", "COMPOSITE"))->algorithm == "SHA512");
  for (const auto& [algorithm, type] : std::vector<std::pair<const char*, const char*>>{
           {"CRC64NVME", "COMPOSITE"}, {"SHA256", "FULL_OBJECT"}, {"CRC32", "x"}, {"CRC16", ""}})
    CHECK(code_of(choice(algorithm, type)) == S3Code::InvalidRequest);
  CHECK(choice("SHA1", "FULL_OBJECT").error().message ==
        "The FULL_OBJECT checksum type cannot be used with the sha1 checksum algorithm.");
  CHECK(code_of(read_checksum_choice(head_with({{"x-amz-checksum-type", "COMPOSITE"}}))) ==
        S3Code::InvalidRequest);
}

TEST_CASE("upload: checksums by trailer") {
  ReceivedBody body;
  body.trailers = {{"x-amz-trailer-signature", "ab"}, {"x-amz-checksum-crc32", "y/Q5Jg=="}};
  const auto received = received_checksum({}, body);
  REQUIRE(received.ok());
  REQUIRE(*received);
  CHECK((*received)->value == "y/Q5Jg==");
  CHECK_FALSE(*received_checksum({}, ReceivedBody{}));
  const UploadHead head{Checksum{"x-amz-checksum-sha1", "head"}};
  CHECK((*received_checksum(head, body))->value == "head");
  body.trailers = {{"x-amz-checksum-crc32", "y"}};
  CHECK(code_of(received_checksum({}, body)) == S3Code::InvalidRequest);
}
