#include "shared/proto/request_head.hpp"

#include <algorithm>

#include "shared/util/encode.hpp"

namespace mocks3 {
namespace {

auto find_header(const std::vector<HeaderView>& headers, std::string_view name) {
  return std::find_if(headers.begin(), headers.end(),
                      [name](const HeaderView& header) { return iequals(header.name, name); });
}

}  // namespace

std::string_view RequestHead::header(std::string_view name) const {
  const auto found = find_header(headers, name);
  return found == headers.end() ? std::string_view() : found->value;
}

bool RequestHead::has_header(std::string_view name) const {
  return find_header(headers, name) != headers.end();
}

void RequestHead::clear() {
  // The vector keeps its memory: one head per connection is filled again for every request.
  std::vector<HeaderView> kept = std::move(headers);
  kept.clear();
  *this = RequestHead();
  headers = std::move(kept);
}

}  // namespace mocks3
