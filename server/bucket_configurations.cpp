#include "server/bucket_configurations.hpp"

#include <iterator>
#include <mutex>
#include <utility>

#include "shared/util/encode.hpp"

namespace mocks3::server {
namespace {

constexpr std::string_view kCors = "cors";

/// Requests are matched against these, so they are read once.
std::shared_ptr<const std::vector<CorsRule>> rules_of(std::string_view document) {
  std::vector<CorsRule> rules = parse_cors_rules(document);
  for (CorsRule& rule : rules) {
    for (std::string& header : rule.headers) header = to_lower(header);
  }
  return std::make_shared<const std::vector<CorsRule>>(std::move(rules));
}

}  // namespace

std::optional<std::string> BucketConfigurations::find(std::string_view name) const {
  const std::shared_lock lock(mutex_);
  const auto found = documents_.find(name);
  return found == documents_.end() ? std::nullopt : std::optional(found->second);
}

void BucketConfigurations::keep(const std::string& name, std::string document) {
  auto rules = name == kCors ? rules_of(document) : nullptr;
  const std::unique_lock lock(mutex_);
  if (rules) cors_rules_ = std::move(rules);
  documents_.insert_or_assign(name, std::move(document));
}

bool BucketConfigurations::keep_one_of(std::string_view prefix, const std::string& name,
                                       std::string document) {
  const std::unique_lock lock(mutex_);
  if (!documents_.contains(name)) {
    const auto& documents = std::as_const(documents_);
    const auto count =
        std::distance(documents.lower_bound(prefix), behind_prefix(documents, prefix));
    if (static_cast<size_t>(count) >= kMaxOfAKind) return false;
  }
  documents_.insert_or_assign(name, std::move(document));
  return true;
}

void BucketConfigurations::remove(const std::string& name, bool remember) {
  const std::unique_lock lock(mutex_);
  if (name == kCors) cors_rules_ = nullptr;
  if (remember) {
    documents_.insert_or_assign(name, std::string());
  } else {
    documents_.erase(name);
  }
}

PageOf<std::string> BucketConfigurations::page(const ListQuery& query) const {
  const std::shared_lock lock(mutex_);
  return page_of<std::string>(
      documents_, query, [](const std::string& name) { return std::string_view(name); },
      [](const std::string&, const std::string& document) { return document; });
}

std::shared_ptr<const std::vector<CorsRule>> BucketConfigurations::cors_rules() const {
  const std::shared_lock lock(mutex_);
  return cors_rules_;
}

}  // namespace mocks3::server
