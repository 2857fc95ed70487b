#pragma once
#include <string>
#include <string_view>

#include "shared/proto/request_head.hpp"
#include "shared/proto/s3_error.hpp"

namespace mocks3::server {

/// The AccessControlPolicy that a canned ACL ("private", "public-read", ...) stands for, of the one
/// owner there is. Error: InvalidArgument where S3 has none of that name.
S3Result<std::string> canned_acl(std::string_view name);

/// Whether the head says what the ACL is to be: x-amz-acl or x-amz-grant-*.
bool names_acl(const RequestHead& head);
/// That ACL. Errors: InvalidArgument, InvalidRequest (both kinds of header at once),
/// MalformedACLError (over 100 grants).
S3Result<std::string> acl_of_head(const RequestHead& head);
/// That of a request's body. Errors: MalformedACLError, MissingSecurityHeader where it is empty.
S3Result<std::string> acl_of_body(const std::string& body);

}  // namespace mocks3::server
