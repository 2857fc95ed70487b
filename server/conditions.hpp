#pragma once
#include <string_view>

#include "server/store.hpp"
#include "shared/proto/request_head.hpp"
#include "shared/proto/s3_error.hpp"
#include "shared/util/time_text.hpp"

namespace mocks3::server {

/// Whether `etag` (without quotes) is one of `list`, the value of an If-Match or If-None-Match
/// header: ETags separated by commas, each quoted or not, each with or without W/, or "*", which
/// stands for any.
bool etag_list_matches(std::string_view list, std::string_view etag);

/// The conditional headers of a read; empty where absent. Views into the request head.
struct ReadConditions {
  std::string_view if_match = {}, if_none_match = {};
  std::string_view if_modified_since = {}, if_unmodified_since = {};

  /// Of a GET or HEAD.
  static ReadConditions of_request(const RequestHead& head);
  /// x-amz-copy-source-if-*.
  static ReadConditions of_copy_source(const RequestHead& head);
  bool empty() const;
};

enum class ReadVerdict {
  proceed,
  not_modified,  ///< 304 for a GET; a copy fails
  failed,        ///< 412
};
struct ReadDecision {
  ReadVerdict verdict = ReadVerdict::proceed;
  std::string_view condition;  ///< name of the header that decided, without a prefix
};

/// In the order of RFC 9110 section 13.2.2: If-Match, else If-Unmodified-Since; then
/// If-None-Match, else If-Modified-Since. Dates that cannot be parsed count as absent; times are
/// compared in whole seconds.
ReadDecision decide(const ReadConditions& conditions, const ETag& etag, UnixMillis modified);

/// 412 with the <Condition> element that S3 adds.
S3Error precondition_failed(std::string_view condition);

/// If-Match and If-None-Match of a write. Error: NotImplemented for an If-None-Match other than
/// "*", as in S3.
S3Result<WriteCondition> write_condition_of(const RequestHead& head);

/// If-Match, x-amz-if-match-last-modified-time and x-amz-if-match-size of a DeleteObject. Errors:
/// InvalidArgument, and NotImplemented for an If-None-Match.
S3Result<DeleteCondition> delete_condition_of(const RequestHead& head);

/// Whether If-Range allows the Range header to be honoured: absent, or it names this version.
bool range_still_valid(std::string_view if_range, const ETag& etag, UnixMillis modified);

}  // namespace mocks3::server
