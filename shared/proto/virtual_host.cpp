#include "shared/proto/virtual_host.hpp"

#include <algorithm>
#include <optional>

#include "shared/proto/uri.hpp"
#include "shared/util/encode.hpp"

namespace mocks3 {
namespace {

constexpr std::string_view kAlwaysADomain = "localhost";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "127.0.0.1", or nothing but digits and dots in any case: no domain can end in a number.
bool is_ip_address(std::string_view host) {
  if (host.starts_with('[') || host.find(':') != std::string_view::npos) return true;
  return !host.empty() &&
         std::all_of(host.begin(), host.end(), [](char c) { return is_digit(c) || c == '.'; });
}

/// What stands before ".<domain>"; nothing where `host` is not below the domain.
std::optional<std::string_view> labels_below(std::string_view host, std::string_view domain) {
  if (host == domain) return std::string_view();
  if (!host.ends_with(domain)) return std::nullopt;
  host.remove_suffix(domain.size());
  if (!host.ends_with('.')) return std::nullopt;
  return host.substr(0, host.size() - 1);
}

/// Names as AWS forms them: us-east-1, us-gov-west-1, ap-southeast-2.
bool looks_like_region(std::string_view label) {
  const size_t dash = label.rfind('-');
  if (dash == std::string_view::npos || dash < 2 || dash + 1 == label.size()) return false;
  const std::string_view number = label.substr(dash + 1);
  const std::string_view area = label.substr(0, dash);
  return std::all_of(number.begin(), number.end(), is_digit) && area.size() >= 5 &&
         area.find('-') != std::string_view::npos &&
         std::all_of(area.begin(), area.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; });
}

/// Cuts the last label off, where there is one that passes.
template <class Predicate>
bool drop_last_label(std::string_view& labels, Predicate passes) {
  const size_t dot = labels.rfind('.');
  const std::string_view last = labels.substr(dot == std::string_view::npos ? 0 : dot + 1);
  if (!passes(last)) return false;
  labels = dot == std::string_view::npos ? std::string_view() : labels.substr(0, dot);
  return true;
}

/// "my.bucket.s3.us-east-1" -> "my.bucket"; "s3" -> "". Labels that name no endpoint stay.
std::string_view without_endpoint(std::string_view labels) {
  std::string_view rest = labels;
  drop_last_label(rest, looks_like_region);
  drop_last_label(rest, [](std::string_view label) { return label == "dualstack"; });
  const bool is_endpoint =
      drop_last_label(rest, [](std::string_view label) { return label == "s3"; });
  return is_endpoint ? rest : labels;
}

}  // namespace

std::string bucket_of_host(std::string_view host, std::span<const std::string> domains) {
  std::string lower = to_lower(host_without_port(host));
  if (lower.ends_with('.')) lower.pop_back();
  if (is_ip_address(lower)) return {};

  std::optional<std::string_view> shortest = labels_below(lower, kAlwaysADomain);
  for (const std::string& domain : domains) {
    const std::string lower_domain = to_lower(domain);
    const auto labels = labels_below(lower, lower_domain);
    if (labels && (!shortest || labels->size() < shortest->size())) shortest = labels;
  }
  return shortest ? std::string(without_endpoint(*shortest)) : std::string();
}

}  // namespace mocks3
