#include "server/list_page.hpp"

namespace mocks3::server {

std::string key_behind_prefix(std::string_view prefix) {
  std::string next(prefix);
  while (!next.empty() && static_cast<unsigned char>(next.back()) == 0xff) next.pop_back();
  if (!next.empty()) next.back() = static_cast<char>(next.back() + 1);
  return next;
}

std::string_view common_prefix_of(std::string_view name, const ListQuery& query) {
  if (query.delimiter.empty()) return {};
  const size_t at = name.find(query.delimiter, query.prefix.size());
  return at == std::string_view::npos ? std::string_view{}
                                      : name.substr(0, at + query.delimiter.size());
}

}  // namespace mocks3::server
