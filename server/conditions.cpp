#include "server/conditions.hpp"

#include "server/handler_tools.hpp"
#include "shared/util/encode.hpp"
#include "shared/util/units.hpp"

namespace mocks3::server {

namespace {

bool one_matches(std::string_view item, std::string_view etag) {
  if (item == "*") return true;
  if (istarts_with(item, "W/")) item.remove_prefix(2);
  if (item.size() >= 2 && item.front() == '"' && item.back() == '"') {
    item = item.substr(1, item.size() - 2);
  }
  return !item.empty() && item == etag;
}

int64_t whole_seconds(UnixMillis time) { return time.value / 1000; }

/// Nothing where the header is absent or no date.
std::optional<bool> modified_after(std::string_view date, UnixMillis modified) {
  if (date.empty()) return std::nullopt;
  const std::optional<UnixMillis> limit = parse_http_date(date);
  if (!limit) return std::nullopt;
  return whole_seconds(modified) > whole_seconds(*limit);
}

S3Error not_implemented(std::string message, std::string_view header) {
  S3Error error(S3Code::NotImplemented, std::move(message));
  error.details.emplace_back("Header", header);
  return error;
}

}  // namespace

bool etag_list_matches(std::string_view list, std::string_view etag) {
  while (!list.empty()) {
    const size_t comma = list.find(',');
    if (one_matches(trim(list.substr(0, comma)), etag)) return true;
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  return false;
}

ReadConditions ReadConditions::of_request(const RequestHead& head) {
  return {head.header("if-match"), head.header("if-none-match"), head.header("if-modified-since"),
          head.header("if-unmodified-since")};
}

ReadConditions ReadConditions::of_copy_source(const RequestHead& head) {
  return {head.header("x-amz-copy-source-if-match"), head.header("x-amz-copy-source-if-none-match"),
          head.header("x-amz-copy-source-if-modified-since"),
          head.header("x-amz-copy-source-if-unmodified-since")};
}

bool ReadConditions::empty() const {
  return if_match.empty() && if_none_match.empty() && if_modified_since.empty() &&
         if_unmodified_since.empty();
}

ReadDecision decide(const ReadConditions& conditions, const ETag& etag, UnixMillis modified) {
  if (conditions.empty()) return {};
  const std::string text = etag.text();
  if (!conditions.if_match.empty()) {
    if (!etag_list_matches(conditions.if_match, text)) return {ReadVerdict::failed, "If-Match"};
  } else if (modified_after(conditions.if_unmodified_since, modified).value_or(false)) {
    return {ReadVerdict::failed, "If-Unmodified-Since"};
  }
  if (!conditions.if_none_match.empty()) {
    if (etag_list_matches(conditions.if_none_match, text)) {
      return {ReadVerdict::not_modified, "If-None-Match"};
    }
  } else if (!modified_after(conditions.if_modified_since, modified).value_or(true)) {
    return {ReadVerdict::not_modified, "If-Modified-Since"};
  }
  return {};
}

S3Error precondition_failed(std::string_view condition) {
  S3Error error(S3Code::PreconditionFailed);
  error.details.emplace_back("Condition", condition);
  return error;
}

S3Result<WriteCondition> write_condition_of(const RequestHead& head) {
  WriteCondition condition;
  const std::string_view none_match = head.header("if-none-match");
  if (!none_match.empty() && none_match != "*") {
    return not_implemented("If-None-Match of a write can only be *", "If-None-Match");
  }
  condition.if_none_match_any = !none_match.empty();
  if (const std::string_view match = head.header("if-match"); !match.empty()) {
    condition.if_match = std::string(match);
  }
  if (const std::string_view size = head.header("x-amz-mp-object-size"); !size.empty()) {
    const Result<uint64_t> bytes = parse_uint(size);
    if (!bytes) return S3Error(S3Code::InvalidRequest, "x-amz-mp-object-size must be a number");
    condition.object_bytes = *bytes;
  }
  return condition;
}

S3Result<DeleteCondition> delete_condition_of(const RequestHead& head) {
  constexpr std::string_view kTime = "x-amz-if-match-last-modified-time";
  constexpr std::string_view kSize = "x-amz-if-match-size";
  if (head.has_header("if-none-match")) {
    return not_implemented("A delete cannot have an If-None-Match", "If-None-Match");
  }
  DeleteCondition condition{std::string(head.header("if-match")), {}, {}};
  if (const std::string_view time = head.header(kTime); !time.empty()) {
    condition.modified = parse_http_date(time);
    if (!condition.modified) return invalid_argument("This is no date.", kTime, time);
  }
  if (const std::string_view text = head.header(kSize); !text.empty()) {
    const auto size = read_number(kSize, text, 0, UINT64_MAX);
    if (!size) return size.error();
    condition.size = *size;
  }
  return condition;
}

bool range_still_valid(std::string_view if_range, const ETag& etag, UnixMillis modified) {
  if (if_range.empty()) return true;
  if (const std::optional<UnixMillis> date = parse_http_date(if_range)) {
    return whole_seconds(*date) == whole_seconds(modified);
  }
  return etag_list_matches(if_range, etag.text());
}

}  // namespace mocks3::server
