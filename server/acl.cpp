#include "server/acl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "server/handler_tools.hpp"
#include "shared/proto/s3_xml_configuration.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::server {
namespace {

constexpr std::string_view kAclHeader = "x-amz-acl";
constexpr std::string_view kGrantHeaders = "x-amz-grant-";
constexpr size_t kMaxGrants = 100;

/// What a canned ACL grants to others than the owner.
struct Canned {
  std::string_view name, group, permission, second_group = {}, second_permission = {};
};
constexpr Canned kCanned[] = {
    {"private", "", ""},
    {"public-read", "global/AllUsers", "READ"},
    {"public-read-write", "global/AllUsers", "READ", "global/AllUsers", "WRITE"},
    {"authenticated-read", "global/AuthenticatedUsers", "READ"},
    {"aws-exec-read", "", ""},
    {"bucket-owner-read", "", ""},
    {"bucket-owner-full-control", "", ""},
    {"log-delivery-write", "s3/LogDelivery", "WRITE", "s3/LogDelivery", "READ_ACP"},
};

/// x-amz-grant-read: uri="...", id="..."
struct GrantHeader {
  std::string_view suffix, permission;
};
constexpr GrantHeader kGrants[] = {
    {"full-control", "FULL_CONTROL"}, {"read", "READ"},
    {"read-acp", "READ_ACP"},         {"write", "WRITE"},
    {"write-acp", "WRITE_ACP"},
};

constexpr XmlRule kAclRules[] = {
    {"AccessControlList"},
    {.path = "AccessControlList/Grant", .required = false, .most = kMaxGrants},
    {"AccessControlList/Grant/Grantee"},
    {"AccessControlList/Grant/Permission", "FULL_CONTROL|READ|READ_ACP|WRITE|WRITE_ACP"},
};

std::string escaped(std::string_view text) {
  std::string out;
  append_xml_escaped(out, text);
  return out;
}

/// `type` is "CanonicalUser", "Group" or "AmazonCustomerByEmail".
std::string grant(std::string_view type, std::string_view grantee, std::string_view permission) {
  return fmt::format(
      "<Grant><Grantee xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:type=\"{}\">{}"
      "</Grantee><Permission>{}</Permission></Grant>",
      type, grantee, permission);
}

std::string owner_grant() {
  return grant("CanonicalUser",
               fmt::format("<ID>{}</ID><DisplayName>{}</DisplayName>", kOwnerId, kOwnerName),
               "FULL_CONTROL");
}

std::string group_grant(std::string_view group, std::string_view permission) {
  if (group.empty()) return {};
  return grant("Group", fmt::format("<URI>http://acs.amazonaws.com/groups/{}</URI>", group),
               permission);
}

std::string policy_of(const std::string& grants) {
  return configuration_document(
      "AccessControlPolicy", fmt::format("<Owner><ID>{}</ID><DisplayName>{}</DisplayName></Owner>"
                                         "<AccessControlList>{}</AccessControlList>",
                                         kOwnerId, kOwnerName, grants));
}

/// One `id="..."` of a grant header.
S3Result<std::string> grant_of(std::string_view item, const GrantHeader& header) {
  const size_t equals = item.find('=');
  const std::string_view kind = trim(item.substr(0, equals));
  std::string_view value =
      equals == std::string_view::npos ? std::string_view() : trim(item.substr(equals + 1));
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
    value = value.substr(1, value.size() - 2);
  }
  const std::string text = escaped(value);
  if (kind == "id") return grant("CanonicalUser", "<ID>" + text + "</ID>", header.permission);
  if (kind == "uri") return grant("Group", "<URI>" + text + "</URI>", header.permission);
  if (kind == "emailAddress") {
    return grant("AmazonCustomerByEmail", "<EmailAddress>" + text + "</EmailAddress>",
                 header.permission);
  }
  return invalid_argument("Argument format not recognized",
                          std::string(kGrantHeaders) + std::string(header.suffix), item);
}

S3Result<std::string> grants_of_head(const RequestHead& head) {
  std::string grants;
  size_t count = 0;
  for (const GrantHeader& header : kGrants) {
    std::string_view rest = head.header(std::string(kGrantHeaders) + std::string(header.suffix));
    while (!rest.empty()) {
      if (++count > kMaxGrants) return S3Error(S3Code::MalformedACLError);
      const size_t comma = std::min(rest.find(','), rest.size());
      const S3Result<std::string> one = grant_of(trim(rest.substr(0, comma)), header);
      if (!one) return one;
      grants += *one;
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return grants;
}

bool has_grants(const RequestHead& head) {
  return std::any_of(head.headers.begin(), head.headers.end(), [](const HeaderView& field) {
    return istarts_with(field.name, kGrantHeaders);
  });
}

}  // namespace

S3Result<std::string> canned_acl(std::string_view name) {
  const auto* found = std::find_if(std::begin(kCanned), std::end(kCanned),
                                   [name](const Canned& canned) { return canned.name == name; });
  if (found == std::end(kCanned)) return invalid_argument("", kAclHeader, name);
  return policy_of(owner_grant() + group_grant(found->group, found->permission) +
                   group_grant(found->second_group, found->second_permission));
}

bool names_acl(const RequestHead& head) { return head.has_header(kAclHeader) || has_grants(head); }

S3Result<std::string> acl_of_head(const RequestHead& head) {
  if (!has_grants(head)) return canned_acl(head.header(kAclHeader));
  if (head.has_header(kAclHeader)) {
    return S3Error(S3Code::InvalidRequest,
                   "Specifying both Canned ACLs and Header Grants is not allowed");
  }
  const S3Result<std::string> grants = grants_of_head(head);
  return grants ? S3Result<std::string>(policy_of(*grants)) : grants;
}

S3Result<std::string> acl_of_body(const std::string& body) {
  if (body.empty()) {
    S3Error error(S3Code::MissingSecurityHeader);
    error.details = {{"MissingHeaderName", std::string(kAclHeader)}};
    return error;
  }
  const S3Result<std::string> acl = read_configuration(body, "AccessControlPolicy", kAclRules);
  return acl ? acl : S3Error(S3Code::MalformedACLError);
}

}  // namespace mocks3::server
