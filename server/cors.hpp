#pragma once
#include <optional>
#include <string_view>

#include "server/handlers.hpp"
#include "server/reply.hpp"

namespace mocks3::server {

/// The headers that allow a script of the request's Origin to see the answer; nothing where the
/// bucket's CORS rules do not. REQUIRES that the request has an Origin.
std::optional<HeaderBlock> cors_headers(const HandlerContext& server,
                                        const RequestContext& request);

/// A plan whose answer has those headers too.
Plan with_headers(Plan plan, HeaderBlock headers);

}  // namespace mocks3::server
