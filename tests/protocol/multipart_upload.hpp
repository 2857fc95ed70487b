#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tests/protocol/raw_client.hpp"

namespace mocks3::test {

inline constexpr size_t kFiveMiB = 5 << 20;

struct Part {
  int number;
  std::string etag;
};

/// One multipart upload of /bkt/k, on one connection.
class MultipartUpload {
 public:
  explicit MultipartUpload(const TestServer& server, const Headers& headers = {});

  const std::string& id() const { return id_; }
  /// The answer to CreateMultipartUpload.
  const Response& created() const { return created_; }
  Response put(const std::string& number, std::string_view body, const Headers& headers = {});
  /// A part of that many bytes, which must be taken.
  Part put(int number, size_t bytes);
  Response copy(int number, const std::string& source);
  Response complete_with(std::string_view xml, const Headers& headers = {});
  Response complete(const std::vector<Part>& parts, const Headers& headers = {});

 private:
  RawClient client_;
  Response created_;
  std::string id_;
};

/// The body of CompleteMultipartUpload.
std::string complete_xml(const std::vector<Part>& parts);

/// `etag` without the quotes around it.
std::string unquoted(const std::string& etag);

}  // namespace mocks3::test
