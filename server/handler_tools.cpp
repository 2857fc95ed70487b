#include "server/handler_tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "server/body_digests.hpp"
#include "shared/proto/body_decoder.hpp"
#include "shared/util/units.hpp"

namespace mocks3::server {

namespace {

std::string resource_of(std::string_view bucket, std::string_view key) {
  std::string resource = "/";
  resource += bucket;
  if (!key.empty()) resource.append("/").append(key);
  return resource;
}

/// S3's version ids are 32 characters.
bool looks_like_version(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '_' || c == '-';
  };
  return text.size() == 32 && std::all_of(text.begin(), text.end(), fits);
}

}  // namespace

void append_owner(XmlWriter& xml, std::string_view element) {
  xml.open(element).text("ID", kOwnerId).text("DisplayName", kOwnerName).close(element);
}

Target::Target(const RequestContext& context)
    : bucket(context.request.bucket),
      key(context.request.key),
      request_id(context.request_id),
      head_request(context.head.method == "HEAD") {}

Reply Target::error(const S3Error& error) const {
  return error_reply(error, resource_of(bucket, key), request_id, head_request);
}

Reply fail(const RequestContext& context, const S3Error& error) {
  return error_reply(error, resource_of(context.request.bucket, context.request.key),
                     context.request_id, context.head.method == "HEAD");
}

S3Error invalid_argument(std::string message, std::string_view name, std::string_view value) {
  S3Error error(S3Code::InvalidArgument, std::move(message));
  error.details = {{"ArgumentName", std::string(name)}, {"ArgumentValue", std::string(value)}};
  return error;
}

std::optional<S3Error> version_error(std::string_view key, std::string_view version) {
  if (version == kNullVersion) return std::nullopt;
  if (version.empty()) {
    return invalid_argument("Version id cannot be the empty string", "versionId", version);
  }
  if (!looks_like_version(version)) {
    return invalid_argument("Invalid version id specified", "versionId", version);
  }
  S3Error error(S3Code::NoSuchVersion);
  error.details = {{"Key", std::string(key)}, {"VersionId", std::string(version)}};
  return error;
}

std::optional<S3Error> foreign_version(const S3Request& request) {
  if (!request.query.has("versionId")) return std::nullopt;
  return version_error(request.key, request.query.get("versionId"));
}

S3Result<uint64_t> read_number(std::string_view name, std::string_view text, uint64_t otherwise,
                               uint64_t most) {
  if (text.empty()) return otherwise;
  const bool negative = text.starts_with('-');
  const Result<uint64_t> number = parse_uint(text.substr(negative ? 1 : 0));
  if (!number || *number > most) {
    return invalid_argument(
        "Provided " + std::string(name) + " not an integer or within integer range", name, text);
  }
  if (!negative || *number == 0) return *number;
  // S3 spells this one parameter in two ways.
  const std::string_view spelled = name == "max-keys" ? "maxKeys" : name;
  return invalid_argument(
      "Argument " + std::string(spelled) + " must be an integer between 0 and 2147483647", spelled,
      text);
}

S3Result<uint64_t> number_parameter(const Query& query, std::string_view name, uint64_t otherwise,
                                    uint64_t most) {
  return read_number(name, query.get(name), otherwise, most);
}

std::string address_of(const RequestHead& head) {
  const auto target = split_target(head.target);
  std::string location = "http://";
  if (target && !target->authority.empty()) {
    location += target->authority;
  } else {
    const std::string_view host = head.header("host");
    location += host.empty() ? "localhost" : host;
  }
  return target ? location.append(target->path) : location;
}

Plan collect(const RequestContext& request, uint64_t limit,
             std::function<Reply(const std::string& body)> finish) {
  const S3Result<BodyFraming> framing = BodyFraming::of(request.head);
  if (!framing) return fail(request, framing.error());
  if (framing->payload_length().value_or(0) > limit) {
    return fail(request, S3Error(S3Code::MaxMessageLengthExceeded));
  }
  S3Result<BodyDigests> digests = BodyDigests::of(request);
  if (!digests) return fail(request, digests.error());
  return Sink{Sink::Kind::collect, limit,
              [digests = *std::move(digests), target = Target(request),
               finish = std::move(finish)](ReceivedBody&& body) {
                if (const auto fault = digests.fault_of(body)) return target.error(*fault);
                return finish(body.text);
              }};
}

std::string configuration_document(std::string_view root, std::string_view content) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<{0} xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">{1}</{0}>",
      root, content);
}

std::optional<S3Error> missing_bucket(const HandlerContext& server, const RequestContext& request) {
  if (server.store.has_bucket(request.request.bucket)) return std::nullopt;
  return no_such_bucket(request.request.bucket);
}

std::optional<S3Error> missing_object(const HandlerContext& server, const RequestContext& request) {
  const auto object = server.store.get(request.request.bucket, request.request.key);
  return object ? foreign_version(request.request) : object.error();
}

}  // namespace mocks3::server
