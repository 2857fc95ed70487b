#include <nlohmann/json.hpp>

#include "server/handlers.hpp"
#include "server/metrics.hpp"
#include "server/preload.hpp"
#include "shared/util/digest.hpp"
#include "shared/util/units.hpp"
#include "shared/util/version.hpp"

namespace mocks3::server {

namespace {

using Json = nlohmann::ordered_json;

Reply refusal(S3Code code, const std::string& message) {
  const S3CodeInfo& known = info(code);
  const Json json = {{"error", known.name}, {"message", message}};
  Reply reply =
      Reply::json(json.dump(-1, ' ', false, Json::error_handler_t::replace), known.status);
  reply.error_code = known.name;
  return reply;
}

/// Why a call that changes something is refused; nothing where it is allowed. No browser page can
/// set X-Mock-S3 on a request to another origin without asking first.
std::optional<Reply> forbidden(const HandlerContext& server, const RequestHead& head) {
  if (head.header("x-mock-s3") != "1") {
    return refusal(S3Code::AccessDenied, "Send the header X-Mock-S3: 1 with this call.");
  }
  const std::string& token = server.options.admin_token;
  if (!token.empty() && !constant_time_equal(head.header("x-mock-token"), token)) {
    return refusal(S3Code::AccessDenied, "Send the server's --admin-token as X-Mock-Token.");
  }
  return std::nullopt;
}

Reply health(const HandlerContext&, const RequestContext&) {
  return Reply::json(Json{{"status", "ok"}, {"version", version()}}.dump());
}

Reply stats(const HandlerContext& server, const RequestContext&) {
  return Reply::json(server.metrics.stats_json());
}

Result<RequestFilter> read_filter(const Query& query) {
  RequestFilter filter;
  for (const std::string_view name : {"limit", "since_ns"}) {
    if (!query.has(name)) continue;
    const Result<uint64_t> number = parse_uint(query.get(name));
    if (!number) return Error{std::string(name) + " must be a whole number."};
    (name == "limit" ? filter.limit : filter.since_ns) = *number;
  }
  const std::string_view errors = query.get("errors");
  filter.errors_only = query.has("errors") && errors != "0" && errors != "false";
  filter.op = query.get("op");
  return filter;
}

Reply requests(const HandlerContext& server, const RequestContext& request) {
  const Result<RequestFilter> filter = read_filter(request.request.query);
  if (!filter) return refusal(S3Code::InvalidArgument, filter.error().message);
  return Reply::json(server.metrics.requests_json(*filter));
}

Reply reset(const HandlerContext& server, const RequestContext& request) {
  if (auto refused = forbidden(server, request.head)) return *std::move(refused);
  Json json = {{"status", "ok"}};
  if (request.request.query.has("objects")) {
    server.store.clear();
    const auto objects = preload(server.store, server.options.preload, request.now);
    if (!objects) return refusal(S3Code::InternalError, objects.error().message);
    json["objects"] = *objects;
  }
  server.metrics.reset();
  return Reply::json(json.dump());
}

struct Page {
  std::string_view name;
  std::string_view method;
  Reply (*handler)(const HandlerContext&, const RequestContext&);
};
constexpr Page kPages[] = {
    {"health", "GET", health},
    {"stats", "GET", stats},
    {"requests", "GET", requests},
    {"reset", "POST", reset},
};

Reply page_reply(const HandlerContext& server, const RequestContext& request) {
  const std::string_view method = request.head.method == "HEAD" ? "GET" : request.head.method;
  for (const Page& page : kPages) {
    if (page.name != request.request.key) continue;
    if (page.method == method) return page.handler(server, request);
    Reply reply = refusal(S3Code::MethodNotAllowed,
                          "/_mock/" + request.request.key + " takes " + std::string(page.method));
    reply.headers.add("Allow", page.method);
    return reply;
  }
  Reply reply = refusal(S3Code::NoSuchKey, "There is no page /_mock/" + request.request.key);
  reply.error_code = {};
  return reply;
}

}  // namespace

Plan admin(const HandlerContext& server, const RequestContext& request) {
  Reply reply = page_reply(server, request);
  reply.headers.add("Cache-Control", "no-store");
  if (const auto* text = std::get_if<std::string>(&reply.body);
      text && request.head.method == "HEAD") {
    reply.content_length = text->size();
    reply.body = std::monostate{};
  }
  return reply;
}

}  // namespace mocks3::server
