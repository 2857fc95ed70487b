#include "shared/proto/post_policy.hpp"

#include <algorithm>
#include <set>

#include "shared/proto/json_text.hpp"
#include "shared/util/encode.hpp"

namespace mocks3 {
namespace {

using nlohmann::json;
using Fault = std::optional<S3Error>;

constexpr std::string_view kFree[] = {"policy", "file", "signature", "x-amz-signature",
                                      "awsaccesskeyid"};

S3Error invalid_document(std::string_view why) {
  return {S3Code::InvalidPolicyDocument, "Invalid Policy: " + std::string(why)};
}

S3Error denied(const std::string& why) {
  return {S3Code::AccessDenied, "Invalid according to Policy: " + why};
}

/// What the conditions are held against.
class Form {
 public:
  Form(std::string_view bucket, FormFields fields) : bucket_(bucket), fields_(fields) {}

  std::string_view value(const std::string& name) const {
    if (name == "bucket") return bucket_;
    for (const auto& [known, value] : fields_)
      if (known == name) return value;
    return {};
  }

  /// The first name that no condition has covered; empty where each has one.
  std::string_view uncovered(const std::set<std::string>& covered) const {
    for (const auto& [name, value] : fields_) {
      const bool is_free = std::find(std::begin(kFree), std::end(kFree), name) != std::end(kFree);
      if (!is_free && !name.starts_with("x-ignore-") && !covered.contains(name)) return name;
    }
    return covered.contains("bucket") ? std::string_view{} : "bucket";
  }

 private:
  std::string_view bucket_;
  FormFields fields_;
};

/// The conditions of one policy, one after the other.
class Check {
 public:
  Check(const Form& form, uint64_t file_bytes) : form_(form), file_bytes_(file_bytes) {}

  Fault condition(const json& condition) {
    if (condition.is_object()) return exact_matches(condition);
    if (!condition.is_array() || condition.size() != 3 || !condition[0].is_string())
      return invalid_document("Invalid Conditions element.");
    const std::string kind = to_lower(condition[0].get<std::string>());
    if (kind == "content-length-range") return length_range(condition);
    if (kind != "eq" && kind != "starts-with")
      return invalid_document("Unknown condition operator.");
    if (!condition[1].is_string() || !condition[2].is_string() ||
        !condition[1].get_ref<const std::string&>().starts_with('$'))
      return invalid_document("Invalid Conditions element.");
    const std::string name = to_lower(condition[1].get<std::string>().substr(1));
    return match(kind == "eq", name, condition[2].get_ref<const std::string&>(), condition);
  }

  Fault all_covered() const {
    const std::string_view name = form_.uncovered(covered_);
    if (name.empty()) return std::nullopt;
    return denied("Extra input fields: " + std::string(name));
  }

 private:
  Fault exact_matches(const json& condition) {
    if (condition.empty()) return invalid_document("Invalid Simple-Condition.");
    for (const auto& [name, value] : condition.items()) {
      if (!value.is_string()) return invalid_document("Invalid Simple-Condition: value.");
      if (Fault fault = match(true, to_lower(name), value.get_ref<const std::string&>(), condition))
        return fault;
    }
    return std::nullopt;
  }

  Fault match(bool whole, const std::string& name, std::string_view expected,
              const json& condition) {
    covered_.insert(name);
    const std::string_view value = form_.value(name);
    if (whole ? value == expected : value.starts_with(expected)) return std::nullopt;
    return denied("Policy Condition failed: " + condition.dump());
  }

  Fault length_range(const json& condition) const {
    const auto bound = [](const json& value) -> std::optional<uint64_t> {
      if (value.is_number_unsigned()) return value.get<uint64_t>();
      const auto* const text = value.get_ptr<const std::string*>();
      if (text == nullptr || text->empty() || text->size() > 18) return std::nullopt;
      if (text->find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
      return std::stoull(*text);
    };
    const auto least = bound(condition[1]), most = bound(condition[2]);
    if (!least || !most) return invalid_document("Invalid content-length-range.");
    if (file_bytes_ > *most) return S3Error(S3Code::EntityTooLarge);
    if (file_bytes_ < *least) return S3Error(S3Code::EntityTooSmall);
    return std::nullopt;
  }

  const Form& form_;
  uint64_t file_bytes_;
  std::set<std::string> covered_;
};

/// The document as an object with both of its members, or what is wrong.
S3Result<json> read_document(std::string_view policy_base64) {
  const std::optional<std::string> text = base64_decode(policy_base64);
  if (!text) return invalid_document("Invalid base64.");
  json document = parse_json(*text);
  if (!document.is_object()) return invalid_document("Invalid JSON.");
  if (!document.contains("expiration") || !document["expiration"].is_string())
    return invalid_document("Policy missing expiration.");
  if (!document.contains("conditions") || !document["conditions"].is_array())
    return invalid_document("Policy missing conditions.");
  return document;
}

}  // namespace

std::optional<S3Error> check_post_policy(std::string_view policy_base64, std::string_view bucket,
                                         FormFields fields, uint64_t file_bytes, UnixMillis now) {
  const S3Result<json> document = read_document(policy_base64);
  if (!document) return document.error();
  const auto expiration = parse_iso8601((*document)["expiration"].get_ref<const std::string&>());
  if (!expiration) return invalid_document("Invalid 'expiration' value.");
  if (*expiration <= now) return denied("Policy expired.");
  const Form form(bucket, fields);
  Check check(form, file_bytes);
  for (const json& condition : (*document)["conditions"])
    if (Fault fault = check.condition(condition)) return fault;
  return check.all_covered();
}

}  // namespace mocks3
