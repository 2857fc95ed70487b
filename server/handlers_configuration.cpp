#include <fmt/format.h>

#include "server/configuration_checks.hpp"
#include "server/configuration_kinds.hpp"
#include "server/handler_tools.hpp"
#include "server/handlers.hpp"
#include "server/page_token.hpp"

namespace mocks3::server {
namespace {

constexpr uint64_t kMaxPolicyBytes = 20 * 1024;
constexpr size_t kMaxPage = 100;
/// Of a configuration of which there may be many.
constexpr size_t kMaxIdBytes = 64;

bool has_many(const ConfigurationKind& kind) { return kind.list != kNoOperation; }

/// Names of one kind that there may be many of start with this.
std::string prefix_of(const ConfigurationKind& kind) { return std::string(kind.name) + "/"; }

/// The name that one configuration is kept under.
std::string kept_name(const ConfigurationKind& kind, const Query& query) {
  return has_many(kind) ? prefix_of(kind).append(query.get("id")) : std::string(kind.name);
}

/// The name that a kind's header is kept under.
std::string kept_header_name(const ConfigurationKind& kind) {
  return std::string(kind.name) + ".header";
}

Reply with_kept_header(Reply reply, const ConfigurationKind& kind,
                       const BucketConfigurations& kept) {
  if (kind.header.empty()) return reply;
  const auto value = kept.find(kept_header_name(kind));
  reply.headers.add(kind.header, value ? std::string_view(*value) : kind.header_value);
  return reply;
}

Reply document_reply(const ConfigurationKind& kind, const std::string& document) {
  return kind.root.empty() ? Reply::json(document) : Reply::xml(document);
}

Reply get_one(const RequestContext& request, const ConfigurationKind& kind,
              const BucketConfigurations& kept) {
  const auto document = kept.find(kept_name(kind, request.request.query));
  if (document && !document->empty()) {
    return with_kept_header(document_reply(kind, *document), kind, kept);
  }
  // What was removed is missing where a bucket can be without it, else it is as in a new bucket.
  const bool may_be_missing =
      kind.initial == nullptr || kind.missing != S3Code::NoSuchConfiguration;
  if (kind.initial == nullptr || (document && may_be_missing)) {
    S3Error error(kind.missing);
    error.details = {{"BucketName", request.request.bucket}};
    return fail(request, error);
  }
  return document_reply(kind, configuration_document(kind.root, kind.initial));
}

Reply list(const RequestContext& request, const ConfigurationKind& kind,
           const BucketConfigurations& kept) {
  ListQuery query{.prefix = prefix_of(kind), .max_keys = kMaxPage};
  std::string content;
  if (const auto token = request.request.query.get("continuation-token"); !token.empty()) {
    const std::optional<PageEnd> end = PageEnd::of_token(token);
    if (!end) {
      return fail(request, invalid_argument("The continuation token provided is incorrect",
                                            "continuation-token", token));
    }
    query.after = query.prefix + end->key;
    content = fmt::format("<ContinuationToken>{}</ContinuationToken>", token);
  }
  const PageOf<std::string> page = kept.page(query);
  content += fmt::format("<IsTruncated>{}</IsTruncated>", page.truncated);
  if (page.truncated) {
    content += fmt::format("<NextContinuationToken>{}</NextContinuationToken>",
                           PageEnd{page.last.substr(query.prefix.size())}.token());
  }
  for (const std::string& document : page.entries) content += without_declaration(document);
  return Reply::xml(configuration_document(kind.list_root, content));
}

/// The document to keep, or what is wrong with it.
S3Result<std::string> read_document(const ConfigurationKind& kind, const std::string& body,
                                    std::string_view id, const BucketConfigurations& kept) {
  if (body.empty()) return S3Error(S3Code::MissingRequestBodyError);
  if (has_many(kind) && id.size() > kMaxIdBytes) {
    return invalid_argument("The Id of a configuration has at most 64 characters", "id", id);
  }
  S3Result<std::string> document = kind.root.empty()
                                       ? S3Result<std::string>(body)
                                       : read_configuration(body, kind.root, kind.rules);
  if (!document) return document;
  if (has_many(kind) && texts_at(*document, "Id") != std::vector<std::string>{std::string(id)}) {
    return S3Error(S3Code::InvalidArgument, "The Id of the configuration is not that of the query");
  }
  if (kind.check == nullptr) return document;
  if (auto error = kind.check(*document, kept)) return *std::move(error);
  return document;
}

Plan put_one(const HandlerContext& server, const RequestContext& request,
             const ConfigurationKind& kind) {
  const auto finish = [server, &kind, target = Target(request),
                       id = std::string(request.request.query.get("id")),
                       header = std::string(request.head.header(kind.header)),
                       name = kept_name(kind, request.request.query)](const std::string& body) {
    const auto kept = server.store.configurations(target.bucket);
    if (!kept) return target.error(no_such_bucket(target.bucket));
    S3Result<std::string> document = read_document(kind, body, id, *kept);
    if (!document) return target.error(document.error());
    if (!has_many(kind)) {
      kept->keep(name, *std::move(document));
    } else if (!kept->keep_one_of(prefix_of(kind), name, *std::move(document))) {
      return target.error(S3Error(S3Code::TooManyConfigurations));
    }
    kept->remove(kept_header_name(kind), false);
    if (!header.empty()) kept->keep(kept_header_name(kind), header);
    // S3 answers 204 to a policy, and 200 to everything else.
    return with_kept_header(Reply::empty(kind.root.empty() ? 204 : 200), kind, *kept);
  };
  return collect(request, kind.root.empty() ? kMaxPolicyBytes : kMaxConfigurationBytes, finish);
}

}  // namespace

Plan configuration(const HandlerContext& server, const RequestContext& request,
                   const ConfigurationKind& kind) {
  const S3Op op = request.request.op;
  const auto kept = server.store.configurations(request.request.bucket);
  if (!kept) return fail(request, no_such_bucket(request.request.bucket));
  if (op == kind.put) return put_one(server, request, kind);
  if (op == kind.get) return get_one(request, kind, *kept);
  if (op == kind.list) return list(request, kind, *kept);
  kept->remove(kept_name(kind, request.request.query), !has_many(kind));
  return Reply::empty(204);
}

Plan get_bucket_policy_status(const HandlerContext& server, const RequestContext& request) {
  const auto kept = server.store.configurations(request.request.bucket);
  if (!kept) return fail(request, no_such_bucket(request.request.bucket));
  const auto policy = kept->find("policy");
  if (!policy || policy->empty()) return fail(request, S3Error(S3Code::NoSuchBucketPolicy));
  XmlWriter xml("PolicyStatus");
  xml.boolean("IsPublic", policy_is_public(*policy));
  return Reply::xml(std::move(xml).finish());
}

}  // namespace mocks3::server
