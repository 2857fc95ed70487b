#include "data-gen/corpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "data-gen/hostile_names.hpp"
#include "data-gen/pattern.hpp"
#include "data-gen/text_form.hpp"
#include "shared/util/encode.hpp"
#include "shared/util/units.hpp"

namespace mocks3 {
namespace {

constexpr uint64_t kMaxFiles = 10'000'000;

/// A number in [low, high] that depends on the seed and on which number is asked for.
uint64_t number_between(uint32_t seed, uint64_t which, uint64_t low, uint64_t high) {
  const uint64_t random = mix64((uint64_t{seed} << 40) + which + 0x9e3779b97f4a7c15ULL);
  return low + random % (high - low + 1);
}

/// The list under construction: each file gets the seed after that of the file before.
class FileList {
 public:
  explicit FileList(uint32_t seed) : first_seed_(seed) {}

  void reserve(size_t count) { files_.reserve(count); }
  void add(std::string name, uint64_t size, FileKind kind) {
    const uint64_t seed = (first_seed_ + files_.size()) % (uint64_t{kMaxSeed} + 1);
    files_.push_back({std::move(name), size, static_cast<uint32_t>(seed), kind});
  }
  /// The number of the next file, of kinds that take turns.
  FileKind kind_in_turn() const {
    return files_.size() % 2 == 0 ? FileKind::stream : FileKind::text;
  }
  std::vector<FileSpec> take() { return std::move(files_); }

 private:
  uint64_t first_seed_;
  std::vector<FileSpec> files_;
};

std::vector<FileSpec> many_tiny(uint32_t seed) {
  FileList list(seed);
  for (uint64_t i = 0; i < 5000; ++i) {
    list.add(fmt::format("{:02}/{:04}", i / 50, i), number_between(seed, i, 1 * kKiB, 3 * kKiB),
             list.kind_in_turn());
  }
  return list.take();
}

std::vector<FileSpec> few_large(uint32_t seed) {
  FileList list(seed);
  for (uint64_t i = 0; i < 4; ++i) {
    list.add(fmt::format("large-{}.bin", i), number_between(seed, i, 6 * kMiB, 20 * kMiB),
             FileKind::stream);
  }
  return list.take();
}

std::vector<FileSpec> mixed(uint32_t seed) {
  FileList list(seed);
  for (uint64_t i = 0; i < 120; ++i) {
    // Each power of two from 16 bytes to 4 MiB as likely as the next.
    const uint64_t power = uint64_t{1} << number_between(seed, 2 * i, 4, 22);
    const uint64_t size = number_between(seed, 2 * i + 1, power, 2 * power - 1);
    const FileKind kind = list.kind_in_turn();
    list.add(kind == FileKind::text ? fmt::format("text/{}/{:03}.txt", i / 40, i)
                                    : fmt::format("data/{}/{:03}.bin", i / 40, i),
             size, kind);
  }
  return list.take();
}

std::vector<FileSpec> hostile(uint32_t seed) {
  FileList list(seed);
  for (std::string& name : hostile_names()) {
    const uint64_t which = stable_hash(name);
    list.add(std::move(name), number_between(seed, which, 100, 3000), list.kind_in_turn());
  }
  // Where recognition, pages, part sizes and multipart thresholds begin and end.
  for (const uint64_t middle : {uint64_t{23}, 4 * kKiB, 64 * kKiB, 5 * kMiB, 8 * kMiB}) {
    for (const uint64_t size : {middle - 1, middle, middle + 1}) {
      list.add(fmt::format("sizes/{}", size), size, FileKind::stream);
    }
  }
  for (const uint64_t size : {0U, 1U, 2U}) {
    list.add(fmt::format("sizes/{}", size), size, FileKind::stream);
  }
  return list.take();
}

using MakeSet = std::vector<FileSpec> (*)(uint32_t seed);
constexpr std::array<MakeSet, 4> kMakers{many_tiny, few_large, mixed, hostile};

std::string names_of_sets() {
  std::string names;
  for (const NamedSet& set : named_sets()) {
    if (!names.empty()) names += ", ";
    names += set.name;
  }
  return names;
}

Error no_such_set(std::string_view set) {
  return {fmt::format("no set {}; use NxSIZE such as 16x64MiB, or one of {}", in_quotes(set),
                      names_of_sets())};
}

/// A set of `count` files of `size` bytes, written as NxSIZE.
Result<std::vector<FileSpec>> parametric_set(std::string_view set, uint32_t seed) {
  const size_t cross = set.find('x');
  if (cross == std::string_view::npos) return no_such_set(set);
  const auto count = parse_uint(set.substr(0, cross));
  const auto size = parse_size(set.substr(cross + 1));
  if (!count || !size) return no_such_set(set);
  if (*count == 0 || *count > kMaxFiles) {
    return Error{
        fmt::format("set {} has {} files; use 1 to {}", in_quotes(set), *count, kMaxFiles)};
  }
  if (*size > kMaxStreamBytes) {
    return Error{fmt::format("set {} has files of {}; the largest is {}", in_quotes(set),
                             format_size(*size), format_size(kMaxStreamBytes))};
  }
  const size_t width = std::max<size_t>(2, std::to_string(*count - 1).size());
  FileList list(seed);
  list.reserve(*count);
  for (uint64_t i = 0; i < *count; ++i) {
    list.add(fmt::format("{:0{}}", i, width), *size, FileKind::stream);
  }
  return list.take();
}

}  // namespace

Result<std::vector<FileSpec>> expand_set(std::string_view set, uint32_t seed) {
  if (seed > kMaxSeed)
    return Error{fmt::format("seed {} is too large; at most {}", seed, kMaxSeed)};
  const auto& sets = named_sets();
  for (size_t i = 0; i < sets.size(); ++i) {
    if (sets[i].name == set) return kMakers[i](seed);
  }
  return parametric_set(set, seed);
}

const std::vector<NamedSet>& named_sets() {
  static const std::vector<NamedSet> sets{
      {"many-tiny", "5000 files of about 2 KB in 100 folders"},
      {"few-large", "4 files between 6 and 20 MiB"},
      {"mixed", "120 files of 16 bytes to 8 MiB; every other one is text and compresses"},
      {"hostile", "awkward names, deep folders, and sizes where parts begin and end"},
  };
  return sets;
}

uint64_t total_bytes(const std::vector<FileSpec>& files) {
  uint64_t total = 0;
  for (const FileSpec& file : files) {
    total = file.size > UINT64_MAX - total ? UINT64_MAX : total + file.size;
  }
  return total;
}

void file_bytes(const FileSpec& file, uint64_t offset, std::span<uint8_t> out) {
  switch (file.kind) {
    case FileKind::stream:
      pattern_fill(file.seed, offset, out);
      break;
    case FileKind::text:
      text_fill(file.seed, offset, out);
      break;
  }
}

std::optional<size_t> file_mismatch(const FileSpec& file, uint64_t offset,
                                    std::span<const uint8_t> bytes) {
  return file.kind == FileKind::stream ? pattern_mismatch(file.seed, offset, bytes)
                                       : text_mismatch(file.seed, offset, bytes);
}

uint64_t max_file_bytes(FileKind kind) {
  return kind == FileKind::stream ? kMaxStreamBytes : kMaxTextBytes;
}

}  // namespace mocks3
