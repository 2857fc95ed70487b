#include "server/acl.hpp"
#include "server/handler_tools.hpp"
#include "server/handlers.hpp"

namespace mocks3::server {
namespace {

constexpr char kKeptName[] = "acl";

/// Reads the ACL of the head or of the body, and answers 200 once `accept` had it.
Plan put_acl(const RequestContext& request, std::function<void(std::string&&)> accept) {
  if (names_acl(request.head)) {
    S3Result<std::string> acl = acl_of_head(request.head);
    if (!acl) return fail(request, acl.error());
    accept(*std::move(acl));
    return Reply::empty(200);
  }
  return collect(request, kMaxConfigurationBytes,
                 [target = Target(request), accept = std::move(accept)](const std::string& body) {
                   S3Result<std::string> acl = acl_of_body(body);
                   if (!acl) return target.error(acl.error());
                   accept(*std::move(acl));
                   return Reply::empty(200);
                 });
}

}  // namespace

Plan get_bucket_acl(const HandlerContext& server, const RequestContext& request) {
  const auto kept = server.store.configurations(request.request.bucket);
  if (!kept) return fail(request, no_such_bucket(request.request.bucket));
  const auto acl = kept->find(kKeptName);
  return Reply::xml(acl ? *acl : *canned_acl("private"));
}

Plan put_bucket_acl(const HandlerContext& server, const RequestContext& request) {
  const auto kept = server.store.configurations(request.request.bucket);
  if (!kept) return fail(request, no_such_bucket(request.request.bucket));
  return put_acl(request, [kept](std::string&& acl) { kept->keep(kKeptName, std::move(acl)); });
}

Plan get_object_acl(const HandlerContext& server, const RequestContext& request) {
  if (const auto error = missing_object(server, request)) return fail(request, *error);
  return Reply::xml(*canned_acl("private"));
}

Plan put_object_acl(const HandlerContext& server, const RequestContext& request) {
  if (const auto error = missing_object(server, request)) return fail(request, *error);
  return put_acl(request, [](std::string&&) {});
}

}  // namespace mocks3::server
