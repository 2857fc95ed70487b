#include "server/cors.hpp"

#include <algorithm>

#include "server/handler_tools.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::server {
namespace {

constexpr std::string_view kRequestMethod = "access-control-request-method";
constexpr std::string_view kRequestHeaders = "access-control-request-headers";
/// No rule allows more, so that no request takes long to match.
constexpr size_t kMaxRequestedHeaders = 100;

using Rules = std::vector<CorsRule>;

/// `pattern` has at most one '*', which stands for any text.
bool matches(std::string_view pattern, std::string_view text) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  const std::string_view before = pattern.substr(0, star), after = pattern.substr(star + 1);
  return text.size() >= before.size() + after.size() && text.starts_with(before) &&
         text.ends_with(after);
}

bool any_matches(const std::vector<std::string>& patterns, std::string_view text) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [text](const std::string& pattern) { return matches(pattern, text); });
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) {
    if (!all.empty()) all += ", ";
    all += text;
  }
  return all;
}

/// Names of a header list, in lower case; one more than kMaxRequestedHeaders where there are more.
std::vector<std::string> names_of(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty() && names.size() <= kMaxRequestedHeaders) {
    const size_t comma = std::min(list.find(','), list.size());
    if (const auto name = trim(list.substr(0, comma)); !name.empty()) {
      names.push_back(to_lower(name));
    }
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return names;
}

/// What a script wants to do.
struct Wish {
  std::string_view origin, method;
  std::vector<std::string> headers;
};

Wish wish_of(const RequestHead& head) {
  const bool asks = head.has_header(kRequestMethod);
  return {head.header("origin"), asks ? head.header(kRequestMethod) : head.method,
          names_of(head.header(kRequestHeaders))};
}

bool allows(const CorsRule& rule, const Wish& wish) {
  const auto allowed = [&rule](const std::string& name) { return any_matches(rule.headers, name); };
  return wish.headers.size() <= kMaxRequestedHeaders && any_matches(rule.origins, wish.origin) &&
         std::find(rule.methods.begin(), rule.methods.end(), wish.method) != rule.methods.end() &&
         std::all_of(wish.headers.begin(), wish.headers.end(), allowed);
}

HeaderBlock headers_of(const CorsRule& rule, const Wish& wish) {
  const bool everybody =
      std::find(rule.origins.begin(), rule.origins.end(), "*") != rule.origins.end();
  HeaderBlock out;
  out.add("Access-Control-Allow-Origin", everybody ? "*" : wish.origin);
  out.add("Access-Control-Allow-Methods", joined(rule.methods));
  if (!wish.headers.empty()) out.add("Access-Control-Allow-Headers", joined(wish.headers));
  if (!rule.exposed.empty()) out.add("Access-Control-Expose-Headers", joined(rule.exposed));
  if (rule.max_age_seconds) out.add("Access-Control-Max-Age", *rule.max_age_seconds);
  if (!everybody) out.add("Access-Control-Allow-Credentials", "true");
  out.add("Vary", "Origin, Access-Control-Request-Headers, Access-Control-Request-Method");
  return out;
}

std::optional<HeaderBlock> headers_for(const Rules& rules, const Wish& wish) {
  for (const CorsRule& rule : rules) {
    if (allows(rule, wish)) return headers_of(rule, wish);
  }
  return std::nullopt;
}

/// Null where the bucket has none, or is none.
std::shared_ptr<const Rules> rules_for(const HandlerContext& server,
                                       const RequestContext& request) {
  const auto kept = server.store.configurations(request.request.bucket);
  return kept ? kept->cors_rules() : nullptr;
}

S3Error forbidden(const RequestContext& request, std::string message, std::string_view resource) {
  S3Error error(S3Code::AccessForbidden, "CORSResponse: " + std::move(message));
  error.details = {{"Method", std::string(request.head.header(kRequestMethod))},
                   {"ResourceType", std::string(resource)}};
  return error;
}

}  // namespace

std::optional<HeaderBlock> cors_headers(const HandlerContext& server,
                                        const RequestContext& request) {
  const std::shared_ptr<const Rules> rules = rules_for(server, request);
  return rules ? headers_for(*rules, wish_of(request.head)) : std::nullopt;
}

Plan with_headers(Plan plan, HeaderBlock headers) {
  if (auto* reply = std::get_if<Reply>(&plan)) {
    reply->headers.append(headers);
    return plan;
  }
  Sink& sink = std::get<Sink>(plan);
  sink.finish = [finish = std::move(sink.finish),
                 headers = std::move(headers)](ReceivedBody&& body) {
    Reply reply = finish(std::move(body));
    reply.headers.append(headers);
    return reply;
  };
  return plan;
}

Plan preflight(const HandlerContext& server, const RequestContext& request) {
  const Wish wish = wish_of(request.head);
  if (wish.origin.empty()) {
    return fail(request,
                {S3Code::BadRequest, "Insufficient information. Origin request header needed."});
  }
  const bool known = wish.method == "GET" || wish.method == "PUT" || wish.method == "HEAD" ||
                     wish.method == "POST" || wish.method == "DELETE";
  if (!known) {
    const bool absent = !request.head.has_header(kRequestMethod);
    return fail(request, {S3Code::BadRequest, "Invalid Access-Control-Request-Method: " +
                                                  std::string(absent ? "null" : wish.method)});
  }
  const std::shared_ptr<const Rules> rules = rules_for(server, request);
  if (!rules) {
    return fail(request, forbidden(request, "CORS is not enabled for this bucket.", "BUCKET"));
  }
  auto headers = headers_for(*rules, wish);
  if (!headers) {
    return fail(request,
                forbidden(request,
                          "This CORS request is not allowed. This is usually because the "
                          "evalution of Origin, request method / Access-Control-Request-Method or "
                          "Access-Control-Request-Headers are not whitelisted by the resource's "
                          "CORS spec.",
                          request.request.key.empty() ? "BUCKET" : "OBJECT"));
  }
  return with_headers(Reply::empty(200), *std::move(headers));
}

}  // namespace mocks3::server
