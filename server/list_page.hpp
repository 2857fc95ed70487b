#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mocks3::server {

/// What of an ordered index belongs on a page. `after` is compared with the index's own keys, in
/// unsigned byte order; `prefix` and `delimiter` are looked for in the names that they stand for.
struct ListQuery {
  std::string prefix = {}, delimiter = {};
  std::string after = {};     ///< keys greater than this ...
  bool after_prefix = false;  ///< ... and not starting with it (a page ended in a common prefix)
  size_t max_keys = 1000;
};

template <class Entry>
struct PageOf {
  std::vector<Entry> entries;                ///< in order
  std::vector<std::string> common_prefixes;  ///< in order
  bool truncated = false;
  std::string last;  ///< the index's last key on the page, or the last common prefix
  bool last_is_prefix = false;

  size_t size() const { return entries.size() + common_prefixes.size(); }
};

/// The first key in byte order that is greater than every key with this prefix; empty where there
/// is none.
std::string key_behind_prefix(std::string_view prefix);

/// The common prefix that `name` is listed under; empty where it is listed itself.
std::string_view common_prefix_of(std::string_view name, const ListQuery& query);

template <class Index>
typename Index::const_iterator behind_prefix(const Index& index, std::string_view prefix) {
  const std::string next = key_behind_prefix(prefix);
  return next.empty() ? index.end() : index.lower_bound(next);
}

template <class Index>
typename Index::const_iterator first_of_page(const Index& index, const ListQuery& query) {
  const bool skips_prefix = query.after_prefix && query.prefix.starts_with(query.after);
  if (query.after.empty() || (query.after < query.prefix && !skips_prefix)) {
    return index.lower_bound(query.prefix);
  }
  return query.after_prefix ? behind_prefix(index, query.after) : index.upper_bound(query.after);
}

/// The one way in which anything is listed: logarithmic in the index, linear in the page, and
/// common prefixes are skipped, not walked through. `name_of(key)` is what stands in the listing
/// for a key of the index, and a prefix of that key; `entry_of(key, value)` makes an Entry.
template <class Entry, class Index, class NameOf, class EntryOf>
PageOf<Entry> page_of(const Index& index, const ListQuery& query, NameOf name_of,
                      EntryOf entry_of) {
  PageOf<Entry> page;
  if (query.max_keys == 0) return page;
  std::string_view last;
  auto it = first_of_page(index, query);
  while (it != index.end()) {
    const std::string_view name = name_of(it->first);
    if (!name.starts_with(query.prefix)) break;
    if (page.size() == query.max_keys) {
      page.truncated = true;
      break;
    }
    const std::string_view common = common_prefix_of(name, query);
    page.last_is_prefix = !common.empty();
    last = page.last_is_prefix ? common : std::string_view(it->first);
    if (page.last_is_prefix) {
      page.common_prefixes.emplace_back(common);
      it = behind_prefix(index, common);
    } else {
      page.entries.push_back(entry_of(it->first, it->second));
      ++it;
    }
  }
  page.last = last;
  return page;
}

}  // namespace mocks3::server
