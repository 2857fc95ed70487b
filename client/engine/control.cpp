#include "client/engine/control.hpp"

#include <algorithm>

#include "client/engine/answer.hpp"
#include "client/engine/load.hpp"
#include "shared/proto/s3_xml.hpp"
#include "shared/util/digest.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::client {
namespace {

constexpr auto kPatience = std::chrono::seconds(60);
constexpr size_t kKeysPerDelete = 1000;

Error refused(const std::string& what, const HttpAnswer& answer) {
  Answer text;
  text.status = answer.status;
  text.text = answer.body;
  return Error{what + ": " + refusal_text(text)};
}

bool good(const HttpAnswer& answer) { return answer.status >= 200 && answer.status < 300; }

std::string create_bucket_body(const std::string& region) {
  if (region == "us-east-1") return {};
  XmlWriter xml("CreateBucketConfiguration");
  xml.text("LocationConstraint", region);
  return std::move(xml).finish();
}

std::string delete_body(const std::vector<std::string>& keys, size_t from, size_t to) {
  XmlWriter xml("Delete");
  for (size_t i = from; i < to; ++i) xml.open("Object").text("Key", keys[i]).close("Object");
  xml.text("Quiet", "true");
  return std::move(xml).finish();
}

Status delete_some(const Endpoint& endpoint, const std::string& bucket,
                   const std::vector<std::string>& keys, size_t from, size_t to) {
  const std::string body = delete_body(keys, from, to);
  const std::string digest = base64_encode(md5(body));
  RequestSpec spec;
  spec.method = "POST";
  spec.query = "delete=";
  spec.content_md5 = digest;
  const Result<HttpAnswer> answer = s3_call(endpoint, bucket, spec, body);
  if (!answer) return answer.error();
  // In quiet mode only failures are listed, each an <Error> in the <DeleteResult>.
  if (!good(*answer) || answer->body.find("<Error>") != std::string::npos)
    return refused("cannot delete objects from bucket " + bucket, *answer);
  return ok_status();
}

}  // namespace

Result<HttpAnswer> s3_call(const Endpoint& endpoint, const std::string& bucket, RequestSpec spec,
                           const std::string& body) {
  RequestBuilder builder(endpoint, bucket);
  const bool has_body = spec.method == "PUT" || spec.method == "POST";
  if (has_body) spec.content_length = body.size();
  const std::string head = builder.head(spec, now_millis());
  return http_call(endpoint, head + body, kPatience, spec.method == "HEAD");
}

Status ensure_bucket(const Endpoint& endpoint, const std::string& bucket) {
  RequestSpec look;
  look.method = "HEAD";
  const Result<HttpAnswer> there = s3_call(endpoint, bucket, look);
  if (!there) return there.error();
  if (there->status != 404) return ok_status();
  RequestSpec create;
  create.method = "PUT";
  const Result<HttpAnswer> made =
      s3_call(endpoint, bucket, create, create_bucket_body(endpoint.region));
  if (!made) return made.error();
  // 409: another client was faster.
  if (!good(*made) && made->status != 409) return refused("cannot make bucket " + bucket, *made);
  return ok_status();
}

Status abort_upload(const Endpoint& endpoint, const std::string& bucket, const std::string& key,
                    const std::string& upload_id) {
  const std::string query = upload_query(upload_id);
  RequestSpec spec;
  spec.method = "DELETE";
  spec.key = key;
  spec.query = query;
  const Result<HttpAnswer> answer = s3_call(endpoint, bucket, spec);
  if (!answer) return answer.error();
  if (!good(*answer) && answer->status != 404)
    return refused("cannot abort the upload of " + bucket + "/" + key, *answer);
  return ok_status();
}

Status delete_objects(const Endpoint& endpoint, const std::string& bucket,
                      const std::vector<std::string>& keys) {
  for (size_t from = 0; from < keys.size(); from += kKeysPerDelete) {
    const size_t to = std::min(keys.size(), from + kKeysPerDelete);
    if (Status done = delete_some(endpoint, bucket, keys, from, to); !done) return done;
  }
  return ok_status();
}

}  // namespace mocks3::client
