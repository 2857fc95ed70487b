#include "server/preload.hpp"

#include <fmt/format.h>

#include "shared/proto/s3_op.hpp"
#include "shared/util/units.hpp"

namespace mocks3::server {

namespace {

constexpr size_t kMaxSpec = 4096;
constexpr size_t kMaxKey = 1024;
constexpr size_t kMaxDigits = 18;

Error wrong(std::string_view spec, std::string_view fault) {
  return {fmt::format("cannot read \"{}\" as BUCKET/KEY:SIZE: {}", spec, fault)};
}

/// `text` is what stands between the braces.
Result<PreloadSpec::Counter> parse_counter(std::string_view text) {
  const size_t dots = text.find("..");
  const Error bad{fmt::format("{{{}}} is no range such as {{00..31}}", text)};
  if (dots == std::string_view::npos) return bad;
  const std::string_view low = text.substr(0, dots), high = text.substr(dots + 2);
  const Result<uint64_t> first = parse_uint(low), last = parse_uint(high);
  if (!first || !last || low.size() > kMaxDigits || high.size() > kMaxDigits) return bad;
  if (*first > *last) return Error{fmt::format("the range {{{}}} counts down", text)};
  return PreloadSpec::Counter{*first, *last, low.size()};
}

/// Cuts bucket/key into literals and ranges.
Status parse_pieces(std::string_view text, PreloadSpec& out) {
  while (!text.empty()) {
    const size_t brace = text.find_first_of("{}");
    if (brace != 0) out.pieces.emplace_back(std::string(text.substr(0, brace)));
    if (brace == std::string_view::npos) break;
    text.remove_prefix(brace);
    const size_t end = text.find('}');
    if (end == 0 || end == std::string_view::npos) return Error{"a brace has no partner"};
    const Result<PreloadSpec::Counter> counter = parse_counter(text.substr(1, end - 1));
    if (!counter) return counter.error();
    const uint64_t count = counter->last - counter->first + 1;
    if (count > kMaxPreloadObjects / out.objects) {
      return Error{fmt::format("more than {} objects", kMaxPreloadObjects)};
    }
    out.objects *= count;
    out.pieces.emplace_back(*counter);
    text.remove_prefix(end + 1);
  }
  return ok_status();
}

void append_number(std::string& out, uint64_t number, size_t width) {
  const fmt::format_int digits(number);
  if (digits.size() < width) out.append(width - digits.size(), '0');
  out.append(digits.data(), digits.size());
}

/// Calls use(name) with every bucket/key, the last range counting fastest.
template <class Use>
Status expand(const PreloadSpec& spec, size_t piece, std::string& name, Use& use) {
  if (piece == spec.pieces.size()) return use(name);
  const size_t start = name.size();
  if (const auto* literal = std::get_if<std::string>(&spec.pieces[piece])) {
    name += *literal;
    const Status status = expand(spec, piece + 1, name, use);
    name.resize(start);
    return status;
  }
  const auto& counter = std::get<PreloadSpec::Counter>(spec.pieces[piece]);
  for (uint64_t n = counter.first; n <= counter.last; ++n) {
    append_number(name, n, counter.width);
    if (Status status = expand(spec, piece + 1, name, use); !status) return status;
    name.resize(start);
  }
  return ok_status();
}

Status check_name(std::string_view name) {
  const size_t slash = name.find('/');
  if (slash == std::string_view::npos || slash + 1 == name.size()) {
    return Error{"there is no key behind the bucket"};
  }
  if (!valid_bucket_name(name.substr(0, slash))) {
    return Error{fmt::format("\"{}\" is no bucket name", name.substr(0, slash))};
  }
  if (name.size() - slash - 1 > kMaxKey) return Error{"the key is over 1024 bytes"};
  return ok_status();
}

/// The first and the last name; what lies between them differs in digits alone.
Status check_ends(const PreloadSpec& spec) {
  std::string first, last;
  for (const auto& piece : spec.pieces) {
    if (const auto* literal = std::get_if<std::string>(&piece)) {
      first += *literal;
      last += *literal;
    } else {
      const auto& counter = std::get<PreloadSpec::Counter>(piece);
      append_number(first, counter.first, counter.width);
      append_number(last, counter.last, counter.width);
    }
  }
  if (Status status = check_name(first); !status) return status;
  return check_name(last);
}

}  // namespace

Result<PreloadSpec> parse_preload(std::string_view text) {
  if (text.size() > kMaxSpec) return Error{"a value of over 4096 bytes"};
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return wrong(text, "there is no :SIZE at the end");
  PreloadSpec spec;
  const Result<uint64_t> size = parse_size(text.substr(colon + 1));
  if (!size) return wrong(text, size.error().message);
  if (*size > kMaxPreloadSize) return wrong(text, "the size is over 50 TiB");
  spec.size_bytes = *size;
  if (Status status = parse_pieces(text.substr(0, colon), spec); !status) {
    return wrong(text, status.error().message);
  }
  if (Status status = check_ends(spec); !status) return wrong(text, status.error().message);
  return spec;
}

Result<uint64_t> preload(Store& store, const std::vector<std::string>& texts, UnixMillis now) {
  std::vector<PreloadSpec> specs;
  uint64_t total = 0;
  for (const std::string& text : texts) {
    Result<PreloadSpec> spec = parse_preload(text);
    if (!spec) return spec.error();
    total += spec->objects;
    if (total > kMaxPreloadObjects) {
      return wrong(text, fmt::format("more than {} objects in all", kMaxPreloadObjects));
    }
    specs.push_back(std::move(*spec));
  }
  std::string bucket;
  for (const PreloadSpec& spec : specs) {
    const auto put = [&](std::string_view name) -> Status {
      const size_t slash = name.find('/');
      if (name.substr(0, slash) != bucket) {
        bucket = name.substr(0, slash);
        store.create_bucket(bucket, now);
      }
      const auto done =
          store.put(bucket, name.substr(slash + 1), {spec.size_bytes, now, {}, {}}, {});
      if (!done) return Error{"a bucket of --preload went away while it was filled"};
      return ok_status();
    };
    std::string name;
    if (Status status = expand(spec, 0, name, put); !status) return status.error();
  }
  return total;
}

}  // namespace mocks3::server
