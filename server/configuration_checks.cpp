#include "server/configuration_checks.hpp"

#include <algorithm>
#include <set>
#include <span>

#include "server/tags.hpp"
#include "shared/proto/json_text.hpp"
#include "shared/util/units.hpp"

namespace mocks3::server {
namespace {

using Json = nlohmann::json;
using Checked = std::optional<S3Error>;

constexpr size_t kMaxRuleIdBytes = 255;

bool any_is(const std::vector<std::string>& texts, std::string_view wanted) {
  return std::find(texts.begin(), texts.end(), wanted) != texts.end();
}

bool all_positive(const std::vector<std::string>& numbers) {
  const auto positive = [](const std::string& text) {
    const auto number = parse_uint(text);
    return number && *number > 0;
  };
  return std::all_of(numbers.begin(), numbers.end(), positive);
}

bool versioned(const BucketConfigurations& kept) {
  const auto versioning = kept.find("versioning");
  return versioning && any_is(texts_at(*versioning, "Status"), "Enabled");
}

S3Error malformed() { return S3Error(S3Code::MalformedXML); }

S3Error many_wildcards(std::string_view element, const std::string& text) {
  return {S3Code::InvalidRequest,
          std::string(element) + " \"" + text + "\" can not have more than one wildcard."};
}

Checked check_cors_rule(const CorsRule& rule) {
  const auto wild = [](const std::string& text) {
    return std::count(text.begin(), text.end(), '*') > 1;
  };
  for (const std::string& method : rule.methods) {
    if (!any_is({"GET", "PUT", "POST", "DELETE", "HEAD"}, method)) {
      return S3Error(
          S3Code::InvalidRequest,
          "Found unsupported HTTP method in CORS config. Unsupported method is " + method);
    }
  }
  for (const std::string& origin : rule.origins) {
    if (wild(origin)) return many_wildcards("AllowedOrigin", origin);
  }
  for (const std::string& header : rule.headers) {
    if (wild(header)) return many_wildcards("AllowedHeader", header);
  }
  for (const std::string& header : rule.exposed) {
    if (header.find('*') == std::string::npos) continue;
    return S3Error(S3Code::InvalidRequest,
                   "ExposeHeader \"" + header +
                       "\" contains wildcard. We currently do not support wildcard for "
                       "ExposeHeader.");
  }
  return std::nullopt;
}

/// "2026-01-02", or with a time of day, which has to be midnight.
Checked check_date(const std::string& date) {
  constexpr std::string_view kForm = "dddd-dd-dd";
  if (date.size() < kForm.size()) return malformed();
  for (size_t i = 0; i < kForm.size(); ++i) {
    const bool digit = date[i] >= '0' && date[i] <= '9';
    if (kForm[i] == 'd' ? !digit : date[i] != kForm[i]) return malformed();
  }
  const std::string_view time = std::string_view(date).substr(kForm.size());
  if (time.empty() || time.starts_with("T00:00:00")) return std::nullopt;
  return S3Error(S3Code::InvalidArgument, "'Date' must be at midnight GMT");
}

bool has_either(const Json& statement, const char* name, const char* negated) {
  return statement.contains(name) || statement.contains(negated);
}

Checked check_statement(const Json& statement) {
  const auto missing = [](std::string_view what) {
    return S3Error(S3Code::MalformedPolicy, "Missing required field " + std::string(what));
  };
  if (!statement.is_object()) return S3Error(S3Code::MalformedPolicy, "Invalid policy syntax.");
  if (!has_either(statement, "Principal", "NotPrincipal")) return missing("Principal");
  if (!has_either(statement, "Action", "NotAction")) return missing("Action");
  if (!has_either(statement, "Resource", "NotResource")) return missing("Resource");
  const auto effect = statement.find("Effect");
  if (effect == statement.end()) return missing("Effect");
  if (*effect == "Allow" || *effect == "Deny") return std::nullopt;
  return S3Error(S3Code::MalformedPolicy, "Invalid effect: " + effect->dump());
}

/// The statements of a policy, of which a single one may stand without brackets.
std::span<const Json> statements_of(const Json& policy) {
  const auto found = policy.find("Statement");
  if (found == policy.end()) return {};
  if (found->is_array()) return found->get_ref<const Json::array_t&>();
  return {&*found, 1};
}

bool names_everybody(const Json& principal) {
  if (principal.is_object()) return principal.contains("AWS") && names_everybody(principal["AWS"]);
  if (principal.is_array()) return std::any_of(principal.begin(), principal.end(), names_everybody);
  return principal == "*";
}

}  // namespace

Checked check_bucket_tags(const std::string& document, const BucketConfigurations&) {
  const S3Result<Tags> tags = parse_tagging(document);
  return tags ? check_tags(*tags, kMaxBucketTags) : tags.error();
}

Checked check_cors(const std::string& document, const BucketConfigurations&) {
  for (const CorsRule& rule : parse_cors_rules(document)) {
    if (auto error = check_cors_rule(rule)) return error;
  }
  return std::nullopt;
}

Checked check_lifecycle(const std::string& document, const BucketConfigurations&) {
  std::set<std::string> ids;
  for (const std::string& id : texts_at(document, "Rule/ID")) {
    if (id.size() > kMaxRuleIdBytes) {
      return S3Error(S3Code::InvalidArgument, "ID length should not exceed allowed limit of 255");
    }
    if (!id.empty() && !ids.insert(id).second) {
      return S3Error(S3Code::InvalidArgument,
                     "Rule ID must be unique. Found same ID for more than one rule");
    }
  }
  if (!all_positive(texts_at(document, "Rule/Expiration/Days"))) {
    return S3Error(S3Code::InvalidArgument,
                   "'Days' for Expiration action must be a positive integer");
  }
  for (const std::string& date : texts_at(document, "Rule/Expiration/Date")) {
    if (auto error = check_date(date)) return error;
  }
  return std::nullopt;
}

Checked check_object_lock(const std::string& document, const BucketConfigurations& kept) {
  if (!versioned(kept)) {
    return S3Error(S3Code::InvalidBucketState,
                   "Versioning must be 'Enabled' on the bucket to apply a Object Lock "
                   "configuration");
  }
  const auto days = texts_at(document, "Rule/DefaultRetention/Days");
  const auto years = texts_at(document, "Rule/DefaultRetention/Years");
  const size_t retentions = texts_at(document, "Rule/DefaultRetention").size();
  if (days.size() + years.size() != retentions) return malformed();
  if (all_positive(days) && all_positive(years)) return std::nullopt;
  return S3Error(S3Code::InvalidArgument,
                 "Default retention period must be a positive integer value.");
}

Checked check_policy(const std::string& document, const BucketConfigurations&) {
  const Json policy = parse_json(document);
  if (!policy.is_object()) {
    return S3Error(S3Code::MalformedPolicy,
                   "Policies must be valid JSON and the first byte must be '{'");
  }
  const std::span<const Json> statements = statements_of(policy);
  if (statements.empty()) {
    return S3Error(S3Code::MalformedPolicy, "Missing required field Statement");
  }
  for (const Json& statement : statements) {
    if (auto error = check_statement(statement)) return error;
  }
  return std::nullopt;
}

Checked check_replication(const std::string&, const BucketConfigurations& kept) {
  if (versioned(kept)) return std::nullopt;
  return S3Error(S3Code::InvalidRequest,
                 "Versioning must be 'Enabled' on the bucket to apply a replication "
                 "configuration");
}

Checked check_versioning(const std::string& document, const BucketConfigurations& kept) {
  const auto status = texts_at(document, "Status");
  const bool suspended = any_is(status, "Suspended");
  if (!suspended && !any_is(status, "Enabled")) {
    return S3Error(S3Code::IllegalVersioningConfigurationException);
  }
  if (!suspended || !kept.find("object-lock")) return std::nullopt;
  return S3Error(S3Code::InvalidBucketState,
                 "An Object Lock configuration is present on this bucket, so the versioning state "
                 "cannot be changed.");
}

bool policy_is_public(std::string_view policy) {
  const Json parsed = parse_json(policy);
  const std::span<const Json> statements = statements_of(parsed);
  return std::any_of(statements.begin(), statements.end(), [](const Json& statement) {
    return statement.value("Effect", "") == "Allow" && !statement.contains("Condition") &&
           statement.contains("Principal") && names_everybody(statement["Principal"]);
  });
}

}  // namespace mocks3::server
