#include "data-gen/commands.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "data-gen/corpus.hpp"
#include "data-gen/manifest.hpp"
#include "data-gen/progress_line.hpp"
#include "data-gen/verify_tree.hpp"
#include "data-gen/write.hpp"
#include "data-gen/write_checks.hpp"
#include "shared/util/units.hpp"
#include "shared/util/version.hpp"

namespace mocks3::datagen {
namespace {

using Stopped = std::function<bool()>;
using Files = std::vector<FileSpec>;

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kUsage = 2;

// Not fmt::print: that throws where the output cannot be written, which main() looks at.
void print(const std::string& text) { std::fputs(text.c_str(), stdout); }

int fail(const std::string& message, int status = kFailed) {
  std::fputs(("data-gen: " + message + '\n').c_str(), stderr);
  return status;
}

std::string count_text(uint64_t count) {
  return fmt::format("{} file{}", count, count == 1 ? "" : "s");
}

std::string rate_text(uint64_t bytes, std::chrono::nanoseconds time) {
  const double seconds = std::max(1e-9, std::chrono::duration<double>(time).count());
  return format_size(static_cast<uint64_t>(static_cast<double>(bytes) / seconds)) + "/s";
}

// ---- Writing

Status check_write(const Options& options, const Files& files) {
  const bool to_output = options.to == "-";
  if (to_output && isatty(STDOUT_FILENO) == 1) {
    return Error{"standard output is a terminal; redirect it to a file or a pipe"};
  }
  if (!options.manifest.empty()) {
    const auto fine = check_manifest_target(options.manifest, to_output ? "" : options.to, files);
    if (!fine) return fine;
  }
  return ok_status();
}

Status write_or_stream(const Options& options, Manifest& manifest, const WriteProgress& progress) {
  FileDone file_done;
  if (!options.manifest.empty()) {
    file_done = [&manifest](const FileSpec&, const Sha256& digest) {
      manifest.digests.push_back(digest);
      return ok_status();
    };
  }
  const auto written = options.to == "-"
                           ? stream_corpus(manifest.files, STDOUT_FILENO, progress, file_done)
                           : write_corpus(manifest.files, options.to, progress, file_done);
  if (!written || options.manifest.empty()) return written;
  return write_manifest(options.manifest, manifest);
}

int run_write(const Options& options, Files files, const Stopped& stopped) {
  if (auto fine = check_write(options, files); !fine) return fail(fine.error().message);
  Manifest manifest{std::string(version()), options.set, options.seed, std::move(files), {}};
  const uint64_t total = total_bytes(manifest.files);
  ProgressLine line(total);
  const auto written = write_or_stream(options, manifest, [&](uint64_t done) {
    line.update(done);
    return !stopped();
  });
  line.clear();
  if (!written) {
    return fail(stopped() ? "interrupted; what was unfinished is removed"
                          : written.error().message);
  }
  if (options.to == "-") return kDone;
  print(fmt::format("wrote {}, {}, below {} in {} ({})\n", count_text(manifest.files.size()),
                    format_size(total), path_text(options.to), format_duration(line.elapsed()),
                    rate_text(total, line.elapsed())));
  return kDone;
}

/// Says what would stand in the way of writing, too.
int run_dry_run(const Options& options, const Files& files) {
  for (const FileSpec& file : files) print(fmt::format("{:>14}  {}\n", file.size, file.name));
  print(fmt::format("{}, {} ({} bytes)\n", count_text(files.size()),
                    format_size(total_bytes(files)), total_bytes(files)));
  if (options.to.empty() || options.to == "-") return kDone;
  const auto room = room_below(options.to);
  if (!room) return fail(room.error().message);
  print(
      fmt::format("room in {}: {} ({} bytes)\n", path_text(options.to), format_size(*room), *room));
  if (auto fine = check_target(files, options.to); !fine) return fail(fine.error().message);
  if (auto fine = check_write(options, files); !fine) return fail(fine.error().message);
  return kDone;
}

// ---- Verifying

int print_totals(const VerifyTotals& totals, std::chrono::nanoseconds time) {
  if (totals.stopped) return fail("interrupted");
  print(fmt::format("{} right, {} ({})", count_text(totals.right), format_size(totals.right_bytes),
                    rate_text(totals.right_bytes, time)));
  if (totals.wrong > 0) print(fmt::format("; {} wrong", totals.wrong));
  if (totals.unchecked > 0) print(fmt::format("; {} unchecked", totals.unchecked));
  print("\n");
  if (totals.wrong > 0) return kFailed;
  return totals.right > 0 ? kDone : fail("nothing could be checked");
}

/// Calls `verify(events)` with a progress line for `total` bytes, 0 where that is not known.
template <class Verify>
int run_verify(uint64_t total, const Stopped& stopped, Verify verify) {
  ProgressLine line(total);
  VerifyEvents events;
  events.line = [&](const std::string& text) {
    line.clear();
    print(fmt::format("{}\n", text));
  };
  events.progress = [&](uint64_t done) {
    line.update(done);
    return !stopped();
  };
  const VerifyTotals totals = verify(events);
  line.clear();
  return print_totals(totals, line.elapsed());
}

int run_verify_manifest(const Options& options, const Stopped& stopped) {
  const auto manifest = read_manifest(options.manifest);
  if (!manifest) return fail(manifest.error().message);
  const size_t slash = options.manifest.find_last_of('/');
  const std::string beside =
      slash == std::string::npos ? "." : options.manifest.substr(0, slash + 1);
  const std::string directory = options.paths.empty() ? beside : options.paths.front();
  return run_verify(total_bytes(manifest->files), stopped, [&](const VerifyEvents& events) {
    return verify_manifest(*manifest, directory, events);
  });
}

int run_with_set(const Options& options, const Stopped& stopped) {
  auto files = expand_set(options.set, options.seed);
  if (!files) return fail(files.error().message + "; see data-gen --help", kUsage);
  switch (options.action) {
    case Action::dry_run:
      return run_dry_run(options, *files);
    case Action::verify_set:
      return run_verify(total_bytes(*files), stopped, [&](const VerifyEvents& events) {
        return verify_set(*files, options.to, events);
      });
    default:
      return run_write(options, std::move(*files), stopped);
  }
}

}  // namespace

int run_command(const Options& options, const std::function<bool()>& stopped) {
  switch (options.action) {
    case Action::verify_paths:
      return run_verify(0, stopped, [&](const VerifyEvents& events) {
        return verify_paths(options.paths, events);
      });
    case Action::verify_manifest:
      return run_verify_manifest(options, stopped);
    default:
      return run_with_set(options, stopped);
  }
}

}  // namespace mocks3::datagen
