#pragma once
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

#include "server/metrics.hpp"
#include "shared/util/result.hpp"
#include "shared/util/time_text.hpp"

namespace mocks3::server {

/// One line per request, tab-separated: time, method, operation, bucket, key, status, S3 error
/// code, bytes in, bytes out, milliseconds, connection, user agent. Text is percent-encoded, empty
/// fields are "-". Thread-safe; lines are written as they come.
class AccessLog {
 public:
  /// Appends to the file, or writes to standard output for "-". Error: it cannot be opened.
  static Result<std::unique_ptr<AccessLog>> open(const std::string& path);
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  void write(const RequestRecord& record, UnixMillis time);

 private:
  AccessLog(std::FILE* file, bool owned) : file_(file), owned_(owned) {}
  std::mutex mutex_;
  std::FILE* file_;
  bool owned_;
  bool failed_ = false;  ///< a write failed and was reported
};

}  // namespace mocks3::server
