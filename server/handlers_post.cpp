#include "server/acl.hpp"
#include "server/conditions.hpp"
#include "server/handler_tools.hpp"
#include "server/handlers.hpp"
#include "server/tags.hpp"
#include "server/upload.hpp"
#include "shared/proto/body_decoder.hpp"
#include "shared/proto/form_decoder.hpp"
#include "shared/proto/post_policy.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::server {

namespace {

constexpr std::string_view kFileNameVariable = "${filename}";
/// What a form may hold besides its file: the fields, and what stands around the parts.
constexpr uint64_t kMaxFormExtra = 64 * 1024;

using Fields = std::vector<std::pair<std::string, std::string>>;

S3Error missing(std::string_view what) {
  return invalid_argument("Bucket POST must contain a field named '" + std::string(what) +
                              "'.  If it is specified, please check the order of the fields.",
                          what, "");
}

std::string with_file_name(std::string value, const std::string& file_name) {
  for (size_t at = 0; (at = value.find(kFileNameVariable, at)) != std::string::npos;
       at += file_name.size()) {
    value.replace(at, kFileNameVariable.size(), file_name);
  }
  return value;
}

std::string_view value_of(const Fields& fields, std::string_view name) {
  for (const auto& [known, value] : fields) {
    if (known == name) return value;
  }
  return {};
}

/// The field "tagging" is XML, where a header would have a query string.
std::optional<S3Error> tags_to_header(Fields& fields) {
  for (auto& [name, value] : fields) {
    if (name != "tagging") continue;
    const auto tags = parse_tagging(value);
    if (!tags) return tags.error();
    name = kTaggingHeader;
    value = tagging_header_of(*tags);
  }
  return std::nullopt;
}

/// The fields that are headers of a PutObject, as one.
S3Result<std::shared_ptr<const ObjectHeaders>> headers_of(const Fields& fields) {
  RequestHead head;
  for (const auto& [name, value] : fields) head.headers.push_back({name, value});
  return read_object_headers(head);
}

/// A form on its way in; both functions of its sink share it.
struct FormUpload {
  HandlerContext server;
  Target target;
  UnixMillis now;
  std::string bucket_url;
  FormDecoder decoder;
  uint64_t file_bytes = 0;

  uint64_t take(std::span<const char> bytes) {
    uint64_t taken = 0;
    while (!bytes.empty() && decoder.state() == FormDecoder::State::more) {
      const FormDecoder::Step step = decoder.feed(bytes);
      taken += step.data.size();
      bytes = bytes.subspan(step.consumed);
    }
    file_bytes += taken;
    return taken;
  }

  Reply finish() const {
    Fields fields = decoder.fields();
    for (auto& [name, value] : fields)
      value = with_file_name(std::move(value), decoder.file_name());
    const std::string key(value_of(fields, "key"));
    if (const auto fault = fault_of(fields, key)) return target.error(*fault);
    if (const auto fault = tags_to_header(fields)) return target.error(*fault);
    auto headers = headers_of(fields);
    if (!headers) return target.error(headers.error());
    const auto stored = server.store.put(
        target.bucket, key, ObjectRecord{file_bytes, now, {}, *std::move(headers)}, {});
    if (!stored) return target.error(stored.error());
    return success(fields, key, stored->etag.quoted());
  }

 private:
  std::optional<S3Error> fault_of(const Fields& fields, const std::string& key) const {
    if (decoder.state() == FormDecoder::State::too_large) {
      return S3Error(S3Code::MaxPostPreDataLengthExceededError);
    }
    if (decoder.state() != FormDecoder::State::done) return S3Error(S3Code::MalformedPOSTRequest);
    if (!decoder.has_file()) {
      return invalid_argument("POST requires exactly one file upload per request.", "file", "0");
    }
    if (key.empty()) return missing("key");
    if (auto fault = key_fault(key)) return fault;
    if (const std::string_view acl = value_of(fields, "acl"); !acl.empty()) {
      if (const auto known = canned_acl(acl); !known) return known.error();
    }
    if (file_bytes > kMaxSingleUpload) return S3Error(S3Code::EntityTooLarge);
    if (decoder.field("policy") == nullptr) return std::nullopt;
    return check_post_policy(value_of(fields, "policy"), target.bucket, fields, file_bytes, now);
  }

  Reply success(const Fields& fields, const std::string& key, const std::string& etag) const {
    const std::string location = bucket_url + percent_encode(key, true);
    std::string_view redirect = value_of(fields, "success_action_redirect");
    if (redirect.empty()) redirect = value_of(fields, "redirect");
    if (redirect.starts_with("http://") || redirect.starts_with("https://")) {
      return redirected(redirect, key, etag);
    }
    const std::string_view status = value_of(fields, "success_action_status");
    Reply reply =
        status == "201" ? created(location, key, etag) : Reply::empty(status == "200" ? 200 : 204);
    reply.headers.add("ETag", etag).add("Location", location);
    return reply;
  }

  Reply redirected(std::string_view url, const std::string& key, const std::string& etag) const {
    Reply reply = Reply::empty(303);
    std::string to(url);
    to += url.find('?') == std::string_view::npos ? '?' : '&';
    to +=
        "bucket=" + target.bucket + "&key=" + percent_encode(key) + "&etag=" + percent_encode(etag);
    reply.headers.add("ETag", etag).add("Location", to);
    return reply;
  }

  Reply created(const std::string& location, const std::string& key,
                const std::string& etag) const {
    XmlWriter xml("PostResponse");
    xml.text("Location", location).text("Bucket", target.bucket).text("Key", key);
    return Reply::xml(std::move(xml.text("ETag", etag)).finish(), 201);
  }
};

}  // namespace

Plan post_object(const HandlerContext& server, const RequestContext& request) {
  const auto boundary = form_boundary(request.head.header("content-type"));
  if (!boundary) {
    return fail(request, precondition_failed(
                             "Bucket POST must be of the enclosure-type multipart/form-data"));
  }
  const auto allowed = server.store.check_write(request.request.bucket, "", {});
  if (!allowed) return fail(request, allowed.error());
  const S3Result<BodyFraming> framing = BodyFraming::of(request.head);
  if (!framing) return fail(request, framing.error());
  if (!framing->http_length && !framing->http_chunked) {
    return fail(request, S3Error(S3Code::MissingContentLength));
  }
  std::string url = address_of(request.head);
  if (!url.ends_with('/')) url += '/';
  const auto form = std::make_shared<FormUpload>(
      FormUpload{server, Target(request), request.now, std::move(url), FormDecoder(*boundary)});
  return Sink{Sink::Kind::decode, kMaxSingleUpload + kMaxFormExtra,
              [form](ReceivedBody&&) { return form->finish(); },
              [form](std::span<const char> bytes) { return form->take(bytes); }};
}

}  // namespace mocks3::server
