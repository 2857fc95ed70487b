#include "shared/proto/uri.hpp"

#include <algorithm>

#include "shared/util/encode.hpp"

namespace mocks3 {
namespace {

/// One "name=value" of a query; false on a bad escape.
bool append_item(std::string_view raw, std::vector<std::pair<std::string, std::string>>& items) {
  const size_t equals = std::min(raw.find('='), raw.size());
  auto name = percent_decode(raw.substr(0, equals), true);
  auto value = percent_decode(raw.substr(std::min(equals + 1, raw.size())), true);
  if (!name || !value) return false;
  items.emplace_back(std::move(*name), std::move(*value));
  return true;
}

/// Length of "http://" or "https://" at the start; 0 where neither stands there.
size_t scheme_length(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (istarts_with(target, scheme)) return scheme.size();
  }
  return 0;
}

}  // namespace

std::optional<Query> Query::parse(std::string_view raw) {
  Query query;
  while (!raw.empty()) {
    const size_t end = std::min(raw.find('&'), raw.size());
    const std::string_view item = raw.substr(0, end);
    raw.remove_prefix(std::min(end + 1, raw.size()));
    if (item.empty()) continue;
    if (query.items_.size() == kMaxQueryItems) return std::nullopt;
    if (!append_item(item, query.items_)) return std::nullopt;
  }
  return query;
}

bool Query::has(std::string_view name) const {
  return std::any_of(items_.begin(), items_.end(),
                     [name](const auto& item) { return item.first == name; });
}

std::string_view Query::get(std::string_view name) const {
  for (const auto& [item_name, value] : items_) {
    if (item_name == name) return value;
  }
  return {};
}

std::optional<TargetParts> split_target(std::string_view target) {
  TargetParts parts;
  if (target == "*") {
    parts.path = target;
    return parts;
  }
  if (const size_t scheme = scheme_length(target); scheme > 0) {
    target.remove_prefix(scheme);
    const size_t end = std::min(target.find_first_of("/?"), target.size());
    parts.authority = target.substr(0, end);
    parts.authority.remove_prefix(parts.authority.rfind('@') + 1);
    target.remove_prefix(end);
    if (parts.authority.empty()) return std::nullopt;
  } else if (target.empty() || target.front() != '/') {
    return std::nullopt;
  }
  const size_t question = std::min(target.find('?'), target.size());
  parts.path = question == 0 ? std::string_view("/") : target.substr(0, question);
  parts.query = target.substr(std::min(question + 1, target.size()));
  return parts;
}

std::string_view host_without_port(std::string_view host) {
  if (!host.empty() && host.front() == '[') return host.substr(0, host.find(']') + 1);
  const size_t colon = host.find(':');
  const bool bare_ipv6 = colon != host.rfind(':');
  return bare_ipv6 ? host : host.substr(0, colon);
}

}  // namespace mocks3
