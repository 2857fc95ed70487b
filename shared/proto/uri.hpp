#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mocks3 {

/// More parameters than this are no query.
inline constexpr size_t kMaxQueryItems = 256;

/// A query string, decoded once: names and values in the order received. "a" and "a=" both have an
/// empty value.
class Query {
 public:
  /// Nothing on a bad percent escape or over kMaxQueryItems. In a query '+' is a space; empty items
  /// ("a&&b") count for nothing.
  static std::optional<Query> parse(std::string_view raw);

  bool has(std::string_view name) const;
  /// First value of that name; empty where there is none.
  std::string_view get(std::string_view name) const;
  const std::vector<std::pair<std::string, std::string>>& items() const { return items_; }

 private:
  std::vector<std::pair<std::string, std::string>> items_;
};

/// A request target cut up but not decoded.
struct TargetParts {
  std::string_view authority;  ///< of the absolute form, without user information; else empty
  std::string_view path;       ///< starts with '/'; "*" for the asterisk form
  std::string_view query;      ///< without '?'
};

/// Accepts origin-form ("/b/k?x=y"), absolute-form ("http://host/b/k") and "*".
/// Nothing where it is none of them.
std::optional<TargetParts> split_target(std::string_view target);

/// Host header without its port; an IPv6 literal keeps its brackets.
std::string_view host_without_port(std::string_view host);

}  // namespace mocks3
