#include "shared/proto/s3_op.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "shared/proto/subresource.hpp"
#include "shared/proto/utf8.hpp"
#include "shared/proto/virtual_host.hpp"
#include "shared/util/encode.hpp"

namespace mocks3 {
namespace {

constexpr size_t kMaxKeyBytes = 1024;
constexpr size_t kMaxBucketNameBytes = 63;
constexpr std::string_view kAdminRoot = "/_mock";

#define MOCKS3_NAME(operation) #operation,
constexpr std::array<std::string_view, kS3OpCount> kNames = {
    MOCKS3_FOR_EACH_OPERATION(MOCKS3_NAME)};
#undef MOCKS3_NAME

/// Nothing, or what is wrong.
using Fault = std::optional<S3Error>;

S3Error invalid_argument(std::string message, std::string_view argument, std::string_view value) {
  S3Error error(S3Code::InvalidArgument, std::move(message));
  error.details = {{"ArgumentName", std::string(argument)}, {"ArgumentValue", std::string(value)}};
  return error;
}

std::string_view scope_name(S3Scope scope) {
  switch (scope) {
    case S3Scope::service:
      return "SERVICE";
    case S3Scope::bucket:
      return "BUCKET";
    case S3Scope::object:
      return "OBJECT";
  }
  return {};
}

S3Error method_not_allowed(std::string_view method, std::string_view resource) {
  S3Error error(S3Code::MethodNotAllowed);
  error.details = {{"Method", std::string(method)}, {"ResourceType", std::string(resource)}};
  return error;
}

bool is_served_method(std::string_view method) {
  for (const std::string_view known : {"GET", "PUT", "HEAD", "POST", "DELETE"}) {
    if (method == known) return true;
  }
  return false;
}

bool is_admin_path(std::string_view path) {
  return path.starts_with(kAdminRoot) &&
         (path.size() == kAdminRoot.size() || path[kAdminRoot.size()] == '/');
}

/// Name rules, with the least length as an argument.
bool bucket_name_fits(std::string_view name, size_t least) {
  const auto is_alphanumeric = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  const auto is_allowed = [&](char c) {
    return is_alphanumeric(c) || c == '.' || c == '-' || c == '_';
  };
  return name.size() >= least && name.size() <= kMaxBucketNameBytes &&
         is_alphanumeric(name.front()) && std::all_of(name.begin(), name.end(), is_allowed);
}

/// Four groups of digits between dots.
bool looks_like_ipv4(std::string_view name) {
  return std::count(name.begin(), name.end(), '.') == 3 &&
         name.find_first_not_of("0123456789.") == std::string_view::npos;
}

Fault check_bucket(const std::string& bucket) {
  if (bucket_name_fits(bucket, 1)) return std::nullopt;
  S3Error error(S3Code::InvalidBucketName);
  error.details = {{"BucketName", bucket}};
  return error;
}

/// Fills in bucket and key. Path style cuts the raw path, so that an encoded slash is no cut.
Fault read_address(std::string_view path, std::string virtual_bucket, S3Request& request) {
  path.remove_prefix(1);
  const bool virtual_hosted = !virtual_bucket.empty();
  std::string_view raw_bucket;
  if (!virtual_hosted) {
    const size_t slash = std::min(path.find('/'), path.size());
    raw_bucket = path.substr(0, slash);
    if (path.empty()) return std::nullopt;
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  auto bucket = virtual_hosted ? std::move(virtual_bucket) : percent_decode(raw_bucket);
  auto key = percent_decode(path);
  if (!bucket || !key) return S3Error(S3Code::InvalidURI);
  request.bucket = std::move(*bucket);
  request.key = std::move(*key);
  if (Fault fault = check_bucket(request.bucket)) return fault;
  return key_fault(request.key);
}

/// The sub-resource of the query: none, or one; two exclude each other.
S3Result<std::string_view> find_subresource(const Query& query) {
  std::string_view found;
  for (const auto& [name, value] : query.items()) {
    const ParameterKind kind = parameter_kind(name);
    const bool unknown_flag = kind == ParameterKind::unknown && value.empty();
    if (kind != ParameterKind::subresource && !unknown_flag) continue;
    if (!found.empty() && found != name) {
      return invalid_argument(
          "Conflicting query string parameters: " + std::string(found) + ", " + name,
          "ResourceType", found);
    }
    found = name;
  }
  return found;
}

S3Result<uint32_t> parse_part_number(const Query& query) {
  const std::string_view text = query.get("partNumber");
  uint32_t number = 0;
  bool good = !text.empty() && text.size() <= 5;
  for (const char c : text.substr(0, 5)) {
    good = good && c >= '0' && c <= '9';
    number = number * 10 + static_cast<uint32_t>(c - '0');
  }
  if (good && number >= 1 && number <= kMaxPartNumber) return number;
  return invalid_argument("Part number must be an integer between 1 and 10000, inclusive",
                          "partNumber", text);
}

Fault choose_service_op(std::string_view method, S3Request& request) {
  if (method != "GET") return method_not_allowed(method, scope_name(S3Scope::service));
  request.op = S3Op::ListBuckets;
  return std::nullopt;
}

Fault choose_bucket_op(std::string_view method, S3Request& request) {
  // The answer of an Object Lambda function: a path of its own, not a bucket.
  const bool answers = method == "POST" && request.bucket == "WriteGetObjectResponse";
  // Any other list-type is the first version, as in S3.
  const bool v2 = request.query.get("list-type") == "2";
  request.op = method == "GET"    ? (v2 ? S3Op::ListObjectsV2 : S3Op::ListObjects)
               : answers          ? S3Op::WriteGetObjectResponse
               : method == "PUT"  ? S3Op::CreateBucket
               : method == "HEAD" ? S3Op::HeadBucket
               : method == "POST" ? S3Op::PostObject
                                  : S3Op::DeleteBucket;
  if (answers) request.bucket.clear();
  return std::nullopt;
}

Fault choose_put(const RequestHead& head, S3Request& request) {
  const bool copies = head.has_header("x-amz-copy-source");
  if (request.op == S3Op::UploadPart) {
    if (copies) request.op = S3Op::UploadPartCopy;
    return std::nullopt;
  }
  if (request.query.has("partNumber")) {
    return invalid_argument("A part number needs an upload ID", "partNumber",
                            request.query.get("partNumber"));
  }
  // Appending, by S3's rules, keeps what is there: to replace the object instead would lose data.
  const bool appends = head.has_header("x-amz-write-offset-bytes");
  request.op = appends ? S3Op::AppendObject : copies ? S3Op::CopyObject : S3Op::PutObject;
  return std::nullopt;
}

Fault choose_object_op(const RequestHead& head, S3Request& request) {
  if (head.method == "PUT") return choose_put(head, request);
  if (head.method == "POST") {
    return method_not_allowed(head.method, scope_name(S3Scope::object));
  }
  request.op = head.method == "GET"    ? S3Op::GetObject
               : head.method == "HEAD" ? S3Op::HeadObject
                                       : S3Op::DeleteObject;
  return std::nullopt;
}

/// Of what a bucket or object has many: a request names one, or lists them.
bool selects_one(const Query& query) { return query.has("id") || query.has("annotationName"); }

Fault choose_subresource_op(const RequestHead& head, S3Scope scope, std::string_view subresource,
                            S3Request& request) {
  if (!subresource_exists(scope, subresource)) {
    request.op = S3Op::Unsupported;
    request.unsupported_name = "?" + std::string(subresource);
    return std::nullopt;
  }
  const std::optional<S3Op> op =
      subresource_op(scope, head.method, subresource, selects_one(request.query));
  if (!op) return method_not_allowed(head.method, subresource);
  request.op = *op;
  return *op == S3Op::UploadPart ? choose_put(head, request) : std::nullopt;
}

/// Part numbers count on PUT with an upload ID, and on GET and HEAD of an object.
Fault read_part_number(S3Request& request) {
  const bool required = request.op == S3Op::UploadPart || request.op == S3Op::UploadPartCopy;
  const bool optional = request.op == S3Op::GetObject || request.op == S3Op::HeadObject;
  if (!required && !(optional && request.query.has("partNumber"))) return std::nullopt;
  const S3Result<uint32_t> number = parse_part_number(request.query);
  if (!number) return number.error();
  request.part_number = *number;
  return std::nullopt;
}

Fault choose_op(const RequestHead& head, S3Request& request) {
  const S3Scope scope = request.bucket.empty() ? S3Scope::service
                        : request.key.empty()  ? S3Scope::bucket
                                               : S3Scope::object;
  if (head.method == "OPTIONS" && scope != S3Scope::service) {
    request.op = S3Op::Preflight;
    return std::nullopt;
  }
  if (!is_served_method(head.method)) return method_not_allowed(head.method, scope_name(scope));
  const S3Result<std::string_view> subresource = find_subresource(request.query);
  if (!subresource) return subresource.error();
  if (!subresource->empty()) return choose_subresource_op(head, scope, *subresource, request);
  switch (scope) {
    case S3Scope::service:
      return choose_service_op(head.method, request);
    case S3Scope::bucket:
      return choose_bucket_op(head.method, request);
    case S3Scope::object:
      return choose_object_op(head, request);
  }
  return std::nullopt;
}

S3Result<S3Request> parse_admin_request(std::string_view path, S3Request request) {
  path.remove_prefix(std::min(kAdminRoot.size() + 1, path.size()));
  auto key = percent_decode(path);
  if (!key) return S3Error(S3Code::InvalidURI);
  request.op = S3Op::Admin;
  request.key = std::move(*key);
  return request;
}

S3Error invalid_copy_source(std::string_view value) {
  return invalid_argument(
      "Copy Source must mention the source bucket and key: "
      "sourcebucket/sourcekey",
      "x-amz-copy-source", value);
}

}  // namespace

std::optional<S3Error> key_fault(std::string_view key) {
  if (key.size() > kMaxKeyBytes) {
    S3Error error(S3Code::KeyTooLongError);
    error.details = {{"Size", std::to_string(key.size())},
                     {"MaxSizeAllowed", std::to_string(kMaxKeyBytes)}};
    return error;
  }
  if (key.find('\0') != std::string_view::npos || !valid_utf8(key)) {
    return S3Error(S3Code::InvalidURI);
  }
  return std::nullopt;
}

std::string_view name(S3Op op) { return kNames[static_cast<size_t>(op)]; }

S3Result<S3Request> parse_s3_request(const RequestHead& head,
                                     std::span<const std::string> domains) {
  const std::optional<TargetParts> target = split_target(head.target);
  if (!target) return S3Error(S3Code::InvalidURI);
  if (target->path == "*") {
    if (head.method != "OPTIONS") return S3Error(S3Code::InvalidURI);
    return method_not_allowed(head.method, scope_name(S3Scope::service));
  }
  S3Request request;
  std::optional<Query> query = Query::parse(target->query);
  if (!query) return S3Error(S3Code::InvalidURI);
  request.query = std::move(*query);
  if (is_admin_path(target->path)) return parse_admin_request(target->path, std::move(request));

  const std::string_view host = target->authority.empty() ? head.header("host") : target->authority;
  if (Fault fault = read_address(target->path, bucket_of_host(host, domains), request)) {
    return *std::move(fault);
  }
  if (Fault fault = choose_op(head, request)) return *std::move(fault);
  if (Fault fault = read_part_number(request)) return *std::move(fault);
  return request;
}

bool valid_bucket_name(std::string_view name) {
  if (!bucket_name_fits(name, 3) || looks_like_ipv4(name)) return false;
  const auto is_alphanumeric = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  };
  const auto is_allowed = [&](char c) { return is_alphanumeric(c) || c == '.' || c == '-'; };
  if (!std::all_of(name.begin(), name.end(), is_allowed) || !is_alphanumeric(name.front()) ||
      !is_alphanumeric(name.back()))
    return false;
  for (const std::string_view pair : {"..", ".-", "-."})
    if (name.find(pair) != std::string_view::npos) return false;
  for (const std::string_view prefix : {"xn--", "sthree-", "amzn-s3-demo-"})
    if (name.starts_with(prefix)) return false;
  for (const std::string_view suffix : {"-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3"})
    if (name.ends_with(suffix)) return false;
  return true;
}

S3Result<CopySource> parse_copy_source(std::string_view value) {
  constexpr std::string_view kVersion = "?versionId=";
  const size_t version = value.rfind(kVersion);
  const std::string_view path = value.substr(0, version);
  const std::optional<std::string> decoded = percent_decode(path);
  if (!decoded) return invalid_copy_source(value);
  std::string_view rest = *decoded;
  if (rest.starts_with('/')) rest.remove_prefix(1);
  const size_t slash = rest.find('/');
  if (slash == std::string_view::npos || slash + 1 == rest.size()) {
    return invalid_copy_source(value);
  }
  CopySource source{std::string(rest.substr(0, slash)), std::string(rest.substr(slash + 1)), {}};
  if (version != std::string_view::npos) source.version = value.substr(version + kVersion.size());
  if (Fault fault = check_bucket(source.bucket)) return *std::move(fault);
  if (Fault fault = key_fault(source.key)) {
    if (fault->code == S3Code::InvalidURI) return invalid_copy_source(value);
    return *std::move(fault);
  }
  return source;
}

}  // namespace mocks3
