#pragma once
#include <string>
#include <string_view>

#include "server/options.hpp"
#include "server/reply.hpp"
#include "server/store.hpp"
#include "shared/proto/request_head.hpp"
#include "shared/proto/s3_op.hpp"
#include "shared/util/time_text.hpp"

namespace mocks3::server {

class Metrics;
struct ConfigurationKind;

/// What a handler may use. One per server; every member is safe from any worker thread.
struct HandlerContext {
  const Options& options;
  Store& store;
  Metrics& metrics;
};

/// One request as handlers see it. `head` and its views are valid until the plan is returned, not
/// in Sink::finish, which must own what it needs.
struct RequestContext {
  const RequestHead& head;
  const S3Request& request;
  std::string_view request_id;
  UnixMillis now;
};

/// From a request head to a plan. Never waits, never touches a socket.
Plan handle(const HandlerContext& server, const RequestContext& request);

/// The reply to a request that could not be understood at all.
Reply error_reply(const S3Error& error, std::string_view resource, std::string_view request_id,
                  bool head_request);

// One function per operation, in handlers_*.cpp, cors.cpp and admin.cpp.
Plan list_buckets(const HandlerContext&, const RequestContext&);
Plan create_bucket(const HandlerContext&, const RequestContext&);
Plan head_bucket(const HandlerContext&, const RequestContext&);
Plan delete_bucket(const HandlerContext&, const RequestContext&);
Plan get_bucket_location(const HandlerContext&, const RequestContext&);
Plan get_bucket_acl(const HandlerContext&, const RequestContext&);
Plan put_bucket_acl(const HandlerContext&, const RequestContext&);
Plan get_bucket_policy_status(const HandlerContext&, const RequestContext&);
Plan list_objects(const HandlerContext&, const RequestContext&);
Plan list_object_versions(const HandlerContext&, const RequestContext&);
Plan list_multipart_uploads(const HandlerContext&, const RequestContext&);
Plan put_object(const HandlerContext&, const RequestContext&);
Plan get_object(const HandlerContext&, const RequestContext&);  ///< GetObject and HeadObject
Plan get_object_acl(const HandlerContext&, const RequestContext&);
Plan get_object_attributes(const HandlerContext&, const RequestContext&);
Plan put_object_acl(const HandlerContext&, const RequestContext&);
Plan get_object_tagging(const HandlerContext&, const RequestContext&);
Plan put_object_tagging(const HandlerContext&, const RequestContext&);
Plan delete_object_tagging(const HandlerContext&, const RequestContext&);
Plan object_lock(const HandlerContext&, const RequestContext&);  ///< retention and legal hold
Plan delete_object(const HandlerContext&, const RequestContext&);
Plan delete_objects(const HandlerContext&, const RequestContext&);
Plan copy_object(const HandlerContext&, const RequestContext&);
Plan create_multipart_upload(const HandlerContext&, const RequestContext&);
Plan upload_part(const HandlerContext&, const RequestContext&);
Plan upload_part_copy(const HandlerContext&, const RequestContext&);
Plan complete_multipart_upload(const HandlerContext&, const RequestContext&);
Plan abort_multipart_upload(const HandlerContext&, const RequestContext&);
Plan list_parts(const HandlerContext&, const RequestContext&);
Plan post_object(const HandlerContext&, const RequestContext&);
Plan preflight(const HandlerContext&, const RequestContext&);
Plan admin(const HandlerContext&, const RequestContext&);
/// 501 that names the operation.
Plan not_implemented(const HandlerContext&, const RequestContext&);
/// All operations on one kind of a bucket's configurations.
Plan configuration(const HandlerContext&, const RequestContext&, const ConfigurationKind& kind);

}  // namespace mocks3::server
