#include "server/access_log.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "shared/util/encode.hpp"

namespace mocks3::server {
namespace {

std::string field(std::string_view text) { return text.empty() ? "-" : percent_encode(text, true); }

std::string format_line(const RequestRecord& r, UnixMillis time) {
  return fmt::format(
      "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.3f}\t{}\t{}\n", iso8601_millis(time), field(r.method),
      name(r.op), field(r.bucket), field(r.key), r.status, field(r.error_code), r.bytes_in,
      r.bytes_out, static_cast<double>(r.duration_ns) * 1e-6, r.connection_id, field(r.user_agent));
}

}  // namespace

Result<std::unique_ptr<AccessLog>> AccessLog::open(const std::string& path) {
  if (path == "-") return std::unique_ptr<AccessLog>(new AccessLog(stdout, false));
  std::FILE* file = std::fopen(path.c_str(), "ae");
  if (file == nullptr)
    return Error{fmt::format("cannot write the access log {}: {}", path, std::strerror(errno))};
  return std::unique_ptr<AccessLog>(new AccessLog(file, true));
}

AccessLog::~AccessLog() {
  if (owned_) std::fclose(file_);
}

void AccessLog::write(const RequestRecord& record, UnixMillis time) {
  const std::string line = format_line(record, time);
  const std::lock_guard lock(mutex_);
  const bool good =
      std::fwrite(line.data(), 1, line.size(), file_) == line.size() && std::fflush(file_) == 0;
  if (!good && !failed_)
    std::fprintf(stderr, "mock-s3: cannot write the access log: %s\n", std::strerror(errno));
  failed_ = !good;
}

}  // namespace mocks3::server
