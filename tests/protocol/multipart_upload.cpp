#include "tests/protocol/multipart_upload.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace mocks3::test {

MultipartUpload::MultipartUpload(const TestServer& server, const Headers& headers)
    : client_(server.port()),
      created_(client_.request(make_request("POST", "/bkt/k?uploads", headers))),
      id_(between(created_.body, "UploadId")) {
  REQUIRE_FALSE(id_.empty());
}

Response MultipartUpload::put(const std::string& number, std::string_view body,
                              const Headers& headers) {
  return client_.request(
      make_request("PUT", "/bkt/k?partNumber=" + number + "&uploadId=" + id_, headers, body));
}

Part MultipartUpload::put(int number, size_t bytes) {
  const Response answer = put(std::to_string(number), std::string(bytes, 'x'));
  CHECK(answer.status == 200);
  return {number, answer.header("etag")};
}

Response MultipartUpload::copy(int number, const std::string& source) {
  return client_.request(make_request("PUT",
                                      fmt::format("/bkt/k?partNumber={}&uploadId={}", number, id_),
                                      {{"x-amz-copy-source", source}}));
}

Response MultipartUpload::complete_with(std::string_view xml, const Headers& headers) {
  return client_.request(make_request("POST", "/bkt/k?uploadId=" + id_, headers, xml));
}

Response MultipartUpload::complete(const std::vector<Part>& parts, const Headers& headers) {
  return complete_with(complete_xml(parts), headers);
}

std::string complete_xml(const std::vector<Part>& parts) {
  std::string xml = "<CompleteMultipartUpload>";
  for (const Part& part : parts)
    xml += fmt::format("<Part><PartNumber>{}</PartNumber><ETag>{}</ETag></Part>", part.number,
                       part.etag);
  return xml + "</CompleteMultipartUpload>";
}

std::string unquoted(const std::string& etag) { return etag.substr(1, etag.size() - 2); }

}  // namespace mocks3::test
