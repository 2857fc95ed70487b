#pragma once
#include <string>
#include <string_view>

#include "server/reply.hpp"

namespace mocks3::server {

/// What a reply's head says besides the reply itself.
struct ReplyHeadFacts {
  std::string_view date;  ///< RFC 9110 form
  std::string_view request_id;
  bool keep_alive = true;
  unsigned minor_version = 1;  ///< of the request's HTTP/1.x
};

/// Appends status line and headers, with the empty line that ends them.
void append_reply_head(std::string& out, const Reply& reply, const ReplyHeadFacts& facts);

}  // namespace mocks3::server
