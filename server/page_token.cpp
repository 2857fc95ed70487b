#include "server/page_token.hpp"

#include <algorithm>
#include <span>

#include "shared/util/encode.hpp"

namespace mocks3::server {

namespace {

constexpr char kVersion = 1;
constexpr char kKey = 'k', kPrefix = 'p';
/// Of a key or common prefix: keys are at most 1024 bytes.
constexpr size_t kMaxKey = 1024;

}  // namespace

std::string PageEnd::token() const {
  std::string raw{kVersion, prefix ? kPrefix : kKey};
  raw += key;
  std::string token = base64_encode({reinterpret_cast<const uint8_t*>(raw.data()), raw.size()});
  token.erase(token.find_last_not_of('=') + 1);
  std::replace(token.begin(), token.end(), '+', '-');
  std::replace(token.begin(), token.end(), '/', '_');
  return token;
}

std::optional<PageEnd> PageEnd::of_token(std::string_view token) {
  if (token.size() > 2 * kMaxKey || token.find_first_of("+/=") != std::string_view::npos) {
    return std::nullopt;
  }
  std::string text(token);
  std::replace(text.begin(), text.end(), '-', '+');
  std::replace(text.begin(), text.end(), '_', '/');
  text.append((4 - text.size() % 4) % 4, '=');
  const std::optional<std::string> raw = base64_decode(text);
  if (!raw || raw->size() < 3 || raw->size() > kMaxKey + 2 || (*raw)[0] != kVersion) {
    return std::nullopt;
  }
  if ((*raw)[1] != kKey && (*raw)[1] != kPrefix) return std::nullopt;
  return PageEnd{raw->substr(2), (*raw)[1] == kPrefix};
}

}  // namespace mocks3::server
