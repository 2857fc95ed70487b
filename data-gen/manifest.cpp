#include "data-gen/manifest.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "data-gen/pattern.hpp"
#include "data-gen/write_checks.hpp"
#include "shared/util/encode.hpp"
#include "shared/util/units.hpp"

namespace mocks3 {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kStart = "{\n\"format\": \"data-gen-manifest/";
constexpr std::string_view kFormat = "data-gen-manifest/1";
constexpr uint64_t kMaxManifestBytes = kGiB;
constexpr size_t kMaxNameBytes = 4096;

// ---- Writing

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// JSON text; bytes that are no UTF-8 become U+FFFD.
std::string json_text(std::string_view text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

bool put_line(std::FILE* out, const std::string& line) {
  return std::fwrite(line.data(), 1, line.size(), out) == line.size();
}

bool put_manifest(std::FILE* out, const Manifest& manifest) {
  bool good = put_line(
      out, fmt::format("{{\n\"format\": \"{}\",\n\"version\": {},\n\"set\": {},\n\"seed\": {},\n"
                       "\"count\": {},\n\"bytes\": {},\n\"files\": [\n",
                       kFormat, json_text(manifest.version), json_text(manifest.set), manifest.seed,
                       manifest.files.size(), total_bytes(manifest.files)));
  for (size_t i = 0; good && i < manifest.files.size(); ++i) {
    const FileSpec& file = manifest.files[i];
    good = put_line(out, fmt::format("{{\"name\": {}, \"size\": {}, \"seed\": {}, \"kind\": "
                                     "\"{}\", \"sha256\": \"{}\"}}{}\n",
                                     json_text(file.name), file.size, file.seed,
                                     kind_name(file.kind), hex_encode(manifest.digests[i]),
                                     i + 1 < manifest.files.size() ? "," : ""));
  }
  return good && put_line(out, "]\n}\n") && std::fflush(out) == 0;
}

Error cannot_write(const std::string& path, int code) {
  return {
      fmt::format("cannot write the manifest {}: {}", path_text(path), system_error_text(code))};
}

/// The path below `directory`, empty where it is elsewhere.
std::string path_within(const std::string& path, const std::string& directory) {
  std::error_code failed;
  const fs::path absolute_directory = fs::weakly_canonical(fs::absolute(directory), failed);
  const fs::path absolute_path = fs::weakly_canonical(fs::absolute(path), failed);
  if (failed) return {};
  const std::string relative = absolute_path.lexically_relative(absolute_directory).string();
  return relative.starts_with("..") || relative == "." ? std::string() : relative;
}

// ---- Reading

bool is_safe_name(const std::string& name) {
  if (name.empty() || name.size() > kMaxNameBytes || name.find('\0') != std::string::npos) {
    return false;
  }
  for (size_t start = 0; start <= name.size();) {
    const size_t end = std::min(name.find('/', start), name.size());
    const std::string part = name.substr(start, end - start);
    if (part.empty() || part == "." || part == "..") return false;
    start = end + 1;
  }
  return true;
}

std::optional<uint64_t> number_in(const json& object, const char* key, uint64_t limit) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_unsigned()) return std::nullopt;
  const auto value = found->get<uint64_t>();
  return value <= limit ? std::optional(value) : std::nullopt;
}

std::optional<std::string> text_in(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

std::optional<FileKind> kind_named(const std::optional<std::string>& name) {
  for (const FileKind kind : {FileKind::stream, FileKind::text}) {
    if (name == kind_name(kind)) return kind;
  }
  return std::nullopt;
}

std::optional<Sha256> digest_in(const json& object) {
  const auto text = text_in(object, "sha256");
  const auto bytes = text ? hex_decode(*text) : std::nullopt;
  Sha256 digest;
  if (!bytes || bytes->size() != digest.size()) return std::nullopt;
  std::memcpy(digest.data(), bytes->data(), digest.size());
  return digest;
}

/// Puts a manifest together from a JSON text while that is read, so that only its own form is
/// held in memory.
class ManifestReader {
 public:
  /// Called by the JSON parser for each value; false drops the value.
  bool on_value(int depth, json::parse_event_t event, json& parsed) {
    using Event = json::parse_event_t;
    if (depth == 1 && event == Event::key) key_ = parsed.get<std::string>();
    const bool complete =
        event == Event::object_end || event == Event::array_end || event == Event::value;
    if (depth != 2 || !complete || key_ != "files") return true;
    if (problem_.empty()) problem_ = add(parsed);
    return false;
  }

  /// What is wrong with the manifest, or the manifest.
  Result<Manifest> finish(const json& top) {
    if (!top.is_object() || text_in(top, "format") != kFormat)
      return Error{"no manifest of data-gen"};
    if (!problem_.empty()) return Error{problem_};
    const auto files = top.find("files");
    if (files == top.end() || !files->is_array()) return Error{"\"files\" is no list"};
    const auto seed = number_in(top, "seed", kMaxSeed);
    const auto set = text_in(top, "set");
    const auto version = text_in(top, "version");
    if (!seed || !set || !version) return Error{"\"seed\", \"set\" or \"version\" is missing"};
    if (number_in(top, "count", UINT64_MAX) != manifest_.files.size()) {
      return Error{fmt::format("it lists {} files, not its \"count\"", manifest_.files.size())};
    }
    manifest_.seed = static_cast<uint32_t>(*seed);
    manifest_.set = *set;
    manifest_.version = *version;
    return std::move(manifest_);
  }

 private:
  /// What is wrong with an entry, or nothing.
  std::string add(const json& entry) {
    if (!entry.is_object()) {
      return fmt::format("entry {} is no object", manifest_.files.size() + 1);
    }
    const auto name = text_in(entry, "name");
    const auto kind = kind_named(text_in(entry, "kind"));
    const auto size = number_in(entry, "size", kind ? max_file_bytes(*kind) : 0);
    const auto seed = number_in(entry, "seed", kMaxSeed);
    const auto digest = digest_in(entry);
    const size_t number = manifest_.files.size() + 1;
    if (!name || !kind || !size || !seed || !digest) {
      return fmt::format("entry {} lacks a valid name, kind, size, seed or sha256", number);
    }
    if (!is_safe_name(*name)) {
      return fmt::format("entry {} has the name {}, which is not below a directory", number,
                         in_quotes(*name));
    }
    if (!names_.insert(*name).second) return fmt::format("{} is there twice", in_quotes(*name));
    manifest_.files.push_back({*name, *size, static_cast<uint32_t>(*seed), *kind});
    manifest_.digests.push_back(*digest);
    return {};
  }

  Manifest manifest_;
  std::set<std::string> names_;
  std::string key_;
  std::string problem_;
};

Result<Manifest> parse_manifest(std::istream& in) {
  ManifestReader reader;
  try {
    const json top = json::parse(in, [&](int depth, json::parse_event_t event, json& parsed) {
      return reader.on_value(depth, event, parsed);
    });
    return reader.finish(top);
  } catch (const json::parse_error& error) {
    return Error{fmt::format("no JSON from byte {}", error.byte)};
  } catch (const json::exception& error) {
    return Error{error.what()};
  }
}

}  // namespace

std::string_view kind_name(FileKind kind) { return kind == FileKind::stream ? "stream" : "text"; }

Status check_manifest_target(const std::string& path, const std::string& directory,
                             const std::vector<FileSpec>& files) {
  struct stat found {};
  const bool exists = stat(path.c_str(), &found) == 0;
  if (path.empty() || path.back() == '/' || (exists && S_ISDIR(found.st_mode))) {
    return Error{fmt::format("the manifest {} is a directory; name a file", path_text(path))};
  }
  const std::string within = directory.empty() ? "" : path_within(path, directory);
  const bool taken = !within.empty() && std::any_of(files.begin(), files.end(), [&](const auto& f) {
    return f.name == within || f.name.starts_with(within + '/');
  });
  if (taken) {
    return Error{fmt::format("the manifest {} is one of the set's own names; choose another",
                             path_text(path))};
  }
  if (!within.empty() && within.find('/') == std::string::npos) return ok_status();
  const fs::path parent = fs::path(path).parent_path();
  if (access(parent.empty() ? "." : parent.c_str(), W_OK | X_OK) != 0) {
    return cannot_write(path, errno);
  }
  return ok_status();
}

Status write_manifest(const std::string& path, const Manifest& manifest) {
  const std::string unfinished = path + ".part";
  File out(std::fopen(unfinished.c_str(), "we"));
  if (!out) return cannot_write(path, errno);
  const bool put = put_manifest(out.get(), manifest);
  const bool closed = std::fclose(out.release()) == 0;
  if (put && closed && std::rename(unfinished.c_str(), path.c_str()) == 0) return ok_status();
  const int code = errno;
  unlink(unfinished.c_str());
  return cannot_write(path, code);
}

Result<Manifest> read_manifest(const std::string& path) {
  std::error_code failed;
  const uint64_t size = fs::file_size(path, failed);
  if (failed) {
    return Error{fmt::format("cannot read the manifest {}: {}", path_text(path), failed.message())};
  }
  if (size > kMaxManifestBytes) {
    return Error{
        fmt::format("{} is too large for a manifest: {}", path_text(path), format_size(size))};
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return Error{
        fmt::format("cannot read the manifest {}: {}", path_text(path), system_error_text(errno))};
  }
  auto manifest = parse_manifest(in);
  if (manifest) return manifest;
  return Error{fmt::format("{} is not a manifest, or is damaged: {}", path_text(path),
                           manifest.error().message)};
}

bool starts_as_manifest(std::span<const uint8_t> bytes) {
  return bytes.size() >= kStart.size() &&
         std::memcmp(bytes.data(), kStart.data(), kStart.size()) == 0;
}

}  // namespace mocks3
