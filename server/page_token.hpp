#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace mocks3::server {

/// Where a page of a listing ended. As a token it is opaque, URL-safe text that depends on nothing
/// but the key: it survives deletes and restarts.
struct PageEnd {
  std::string key;      ///< the last key or common prefix
  bool prefix = false;  ///< it was a common prefix

  std::string token() const;
  /// Nothing where the text is no token of ours.
  static std::optional<PageEnd> of_token(std::string_view token);
};

}  // namespace mocks3::server
