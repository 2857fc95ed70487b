#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "server/list_page.hpp"
#include "shared/proto/s3_xml_configuration.hpp"

namespace mocks3::server {

/// What was configured for one bucket: documents by name. Every call is atomic and may come from
/// any thread.
class BucketConfigurations {
 public:
  /// S3 allows so many of each kind that there may be many of.
  static constexpr size_t kMaxOfAKind = 1000;

  /// Empty text where it was removed, nothing where it was never there.
  std::optional<std::string> find(std::string_view name) const;
  /// REQUIRES a name that no client chose: there is no end to how many are kept.
  void keep(const std::string& name, std::string document);
  /// Keeps one of a kind that there may be many of, whose names all start with `prefix`. False
  /// where there are too many.
  [[nodiscard]] bool keep_one_of(std::string_view prefix, const std::string& name,
                                 std::string document);
  /// `remember`: that there was one.
  void remove(const std::string& name, bool remember);
  /// Documents in order of name.
  PageOf<std::string> page(const ListQuery& query) const;

  /// The rules of the document that is kept as "cors", their headers in lower case; null where
  /// there is none.
  std::shared_ptr<const std::vector<CorsRule>> cors_rules() const;

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::string, std::string, std::less<>> documents_;
  std::shared_ptr<const std::vector<CorsRule>> cors_rules_;
};

}  // namespace mocks3::server
