#pragma once
#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mocks3::server {

/// What was configured for one bucket: documents by name. Every call is atomic and may come from
/// any thread.
class BucketConfigurations {
 public:
  /// S3 allows 1000 of each kind that there may be many of.
  static constexpr size_t kMaxDocuments = 4 * 1000 + 100;

  /// Empty text where it was removed, nothing where it was never there.
  std::optional<std::string> find(std::string_view name) const {
    const std::shared_lock lock(mutex_);
    const auto found = documents_.find(name);
    return found == documents_.end() ? std::nullopt : std::optional(found->second);
  }

  /// False where there are too many.
  bool keep(const std::string& name, std::string document) {
    const std::unique_lock lock(mutex_);
    if (documents_.size() >= kMaxDocuments && documents_.count(name) == 0) return false;
    documents_.insert_or_assign(name, std::move(document));
    return true;
  }

  /// `remember`: that there was one.
  void remove(const std::string& name, bool remember) {
    const std::unique_lock lock(mutex_);
    if (remember) {
      documents_.insert_or_assign(name, std::string());
    } else {
      documents_.erase(name);
    }
  }

  /// Those whose names start with `prefix`, in order of name.
  std::vector<std::string> all(std::string_view prefix) const {
    const std::shared_lock lock(mutex_);
    std::vector<std::string> found;
    for (auto it = documents_.lower_bound(prefix);
         it != documents_.end() && it->first.starts_with(prefix); ++it) {
      found.push_back(it->second);
    }
    return found;
  }

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::string, std::string, std::less<>> documents_;
};

}  // namespace mocks3::server
