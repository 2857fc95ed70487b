#pragma once
#include <optional>
#include <string>

#include "server/handlers.hpp"
#include "server/reply.hpp"
#include "server/upload.hpp"

namespace mocks3::server {

/// What a request says of the hash of its body, where the body is read whole: XML and the like.
class BodyDigests {
 public:
  /// Content-MD5 of a body in aws-chunked is not looked at: senders disagree on what it covers.
  /// Errors: InvalidDigest (Content-MD5 that is none), InvalidRequest (checksum that is none).
  static S3Result<BodyDigests> of(const RequestContext& request);

  /// BadDigest where the body has another hash, by header or trailer; InvalidRequest on a trailer
  /// that is no checksum. Algorithms beyond those of 2025 are not computed, and pass.
  std::optional<S3Error> fault_of(const ReceivedBody& body) const;

 private:
  std::optional<std::string> md5_;  ///< raw
  UploadHead head_;
  bool checksum_is_of_body_ = true;
};

}  // namespace mocks3::server
