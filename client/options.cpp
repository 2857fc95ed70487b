#include "client/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "client/endpoint.hpp"
#include "data-gen/pattern.hpp"
#include "shared/util/units.hpp"
#include "shared/util/version.hpp"

namespace mocks3::client {
namespace {

constexpr uint64_t kMostThreads = 1024;
constexpr uint64_t kMostConnections = 20'000;
constexpr uint64_t kMostStreams = 256;
constexpr uint64_t kMostSize = 5 * kTiB;
constexpr uint64_t kMostSinglePut = 5 * kGiB;
constexpr uint64_t kLeastPart = 5 * kMiB;

constexpr const char* kKeysFromEnvironment =
    "Keys and region come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and\n"
    "AWS_REGION; without keys a dummy pair is used.";

/// What CLI11 reports as a usage error.
CLI::ValidationError refuse(const std::string& why) { return CLI::ValidationError(why); }

/// Value of a Result, or its error as one of usage.
template <class T>
T take(Result<T> result, const std::string& flag) {
  if (!result) throw refuse(flag + ": " + result.error().message);
  return std::move(*result);
}

uint64_t number(const std::string& text, const std::string& flag, uint64_t least, uint64_t most) {
  const uint64_t value = take(parse_uint(text), flag);
  if (value < least || value > most)
    throw refuse(flag + " must be " + std::to_string(least) + " to " + std::to_string(most));
  return value;
}

std::vector<std::string> comma_list(const std::string& text, const std::string& flag) {
  std::vector<std::string> items;
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) items.push_back(item);
  if (items.empty() || text.ends_with(',')) items.emplace_back();
  for (const std::string& item : items)
    if (item.empty()) throw refuse(flag + ": an item of the list is empty");
  return items;
}

/// A comma-separated list of words out of `known`, each once.
std::vector<std::string> word_list(const std::string& text, const std::string& flag,
                                   const std::vector<std::string>& known) {
  std::vector<std::string> items;
  for (const std::string& item : comma_list(text, flag)) {
    if (std::find(known.begin(), known.end(), item) == known.end())
      throw refuse(flag + ": \"" + item + "\" is none of " + CLI::detail::join(known, ", "));
    if (std::find(items.begin(), items.end(), item) == items.end()) items.push_back(item);
  }
  return items;
}

std::vector<size_t> number_list(const std::string& text, const std::string& flag, uint64_t most) {
  std::vector<size_t> items;
  for (const std::string& item : comma_list(text, flag))
    items.push_back(static_cast<size_t>(number(item, flag, 1, most)));
  return items;
}

FileSet file_set(const std::string& text) {
  const size_t x = text.find_first_of("xX");
  if (x == std::string::npos)
    throw refuse("--files: \"" + text + "\" is not COUNTxSIZE, e.g. 32x128MiB");
  FileSet set;
  set.count = number(text.substr(0, x), "--files", 1, 1'000'000);
  set.size_bytes = take(parse_size(text.substr(x + 1)), "--files");
  if (set.size_bytes > kMostSize) throw refuse("--files: an object has at most 5 TiB");
  return set;
}

std::string checked_bucket(const std::string& text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  };
  const auto letter = [&](char c) { return allowed(c) && c != '-' && c != '.'; };
  const bool good = text.size() >= 3 && text.size() <= 63 &&
                    std::all_of(text.begin(), text.end(), allowed) && letter(text.front()) &&
                    letter(text.back());
  if (!good)
    throw refuse("--bucket: \"" + text + "\" is not a bucket's name (3 to 63 of a-z 0-9 - .)");
  return text;
}

/// A flag that takes text and gives it to `take_text`, which throws where it is wrong.
template <class TakeText>
CLI::Option* add(CLI::App& app, const std::string& flag, const std::string& type,
                 const std::string& about, TakeText take_text) {
  return app.add_option_function<std::string>(flag, take_text, about)->type_name(type);
}

void add_target(CLI::App& app, Options& options) {
  CLI::Option* endpoint = add(app, "--endpoint", "URL",
                              "Server to use, http://HOST[:PORT] (default: AWS_ENDPOINT_URL, else "
                              "--server auto)",
                              [&](const std::string& text) {
                                options.endpoint = take(parse_endpoint(text), "--endpoint").url();
                              });
  add(app, "--server", "auto", "Start a private mock-s3 for the run", [&](const std::string& text) {
    if (text != "auto") throw refuse("--server: only \"auto\" is known; name others by --endpoint");
    options.endpoint.clear();
    options.server_asked_for = true;
  })->excludes(endpoint);
  add(app, "--server-workers", "N", "Threads of the private server (default: one per core)",
      [&](const std::string& text) {
        options.server_workers = number(text, "--server-workers", 1, kMostThreads);
      })
      ->excludes(endpoint);
}

void add_run(CLI::App& app, Options& options) {
  add(app, "--out", "DIR", "Run directory (default: runs/<UTC time>-<name>)",
      [&](const std::string& text) { options.out = text; });
  add(app, "--repeat", "N", "Times to measure each row",
      [&](const std::string& text) { options.repeat = number(text, "--repeat", 1, 10'000); });
  app.add_flag("--quick", options.quick, "A shorter, less certain run");
}

void add_shape(CLI::App& app, Options& options) {
  add(app, "--threads", "N", "Client threads (default 1)", [&](const std::string& text) {
    options.threads = number(text, "--threads", 1, kMostThreads);
  });
  add(app, "--concurrency", "N", "Connections per thread (default 1)",
      [&](const std::string& text) {
        options.concurrency = number(text, "--concurrency", 1, kMostConnections);
      });
  add(app, "--size", "SIZE", "Object size (default 64MiB)", [&](const std::string& text) {
    options.size_bytes = take(parse_size(text), "--size");
    if (options.size_bytes > kMostSize) throw refuse("--size: an object has at most 5 TiB");
  });
  add(app, "--part-size", "SIZE", "Larger objects go in parts of this size (default 64MiB)",
      [&](const std::string& text) {
        options.part_size_bytes = take(parse_size(text), "--part-size");
        if (options.part_size_bytes == 0) throw refuse("--part-size must be at least 1 byte");
        if (options.part_size_bytes > kMostSinglePut) throw refuse("--part-size: at most 5GiB");
      });
  add(app, "--bucket", "NAME", "Bucket, made where it is missing (default bench)",
      [&](const std::string& text) { options.bucket = checked_bucket(text); });
}

void add_limits(CLI::App& app, Options& options) {
  add(app, "--duration", "TIME", "Begin no request after this time (default 10s without a limit)",
      [&](const std::string& text) {
        options.duration = take(parse_duration(text), "--duration");
        if (options.duration->count() == 0) throw refuse("--duration must be over 0");
      });
  add(app, "--objects", "N", "Stop after this many objects", [&](const std::string& text) {
    options.max_objects = number(text, "--objects", 1, UINT64_MAX);
  });
  add(app, "--bytes", "SIZE", "Begin no object after this many bytes",
      [&](const std::string& text) {
        options.max_bytes = take(parse_size(text), "--bytes");
        if (*options.max_bytes == 0) throw refuse("--bytes must be over 0");
      });
}

void check_load(const Options& options) {
  if (options.threads * options.concurrency > kMostConnections)
    throw refuse("--threads times --concurrency must be at most " +
                 std::to_string(kMostConnections));
  if (options.size_bytes == 0 && options.max_bytes && !options.duration && !options.max_objects)
    throw refuse("--bytes is never reached with --size 0: give --duration or --objects");
  if (options.command != Command::put || options.size_bytes <= options.part_size_bytes) return;
  if (options.part_size_bytes < kLeastPart)
    throw refuse("--part-size must be at least 5MiB: S3 refuses smaller parts of an upload");
  if ((options.size_bytes - 1) / options.part_size_bytes >= 10'000)
    throw refuse("--part-size: an upload has at most 10,000 parts; use larger ones");
}

CLI::App* add_load(CLI::App& app, Options& options, Command command, const std::string& name,
                   const std::string& about) {
  CLI::App* load = app.add_subcommand(name, about)->footer(kKeysFromEnvironment);
  add_target(*load, options);
  add_shape(*load, options);
  add_limits(*load, options);
  add_run(*load, options);
  load->callback([&options, command] {
    options.command = command;
    check_load(options);
  });
  return load;
}

void add_sweep(CLI::App& app, Options& options) {
  CLI::App* sweep = app.add_subcommand("sweep", "Table of clients x operation x threads x files");
  sweep->footer(kKeysFromEnvironment);
  add_target(*sweep, options);
  add(*sweep, "--clients", "A,B",
      "Of " + CLI::detail::join(known_clients(), ", ") + " (default: all that are found)",
      [&](const std::string& text) {
        options.clients = word_list(text, "--clients", known_clients());
      });
  add(*sweep, "--threads", "N,N", "Threads, or processes of a tool", [&](const std::string& text) {
    options.thread_counts = number_list(text, "--threads", kMostThreads);
  });
  add(*sweep, "--files", "COUNTxSIZE,...", "File sets, e.g. 32x128MiB,16x256MiB",
      [&](const std::string& text) {
        options.file_sets.clear();
        for (const std::string& item : comma_list(text, "--files"))
          options.file_sets.push_back(file_set(item));
      });
  add(*sweep, "--ops", "put,get", "Operations (default both)", [&](const std::string& text) {
    options.ops = word_list(text, "--ops", {"put", "get"});
  });
  add(*sweep, "--data-dir", "DIR", "Where tools read and write files (default /dev/shm)",
      [&](const std::string& text) { options.data_dir = text; });
  add(*sweep, "--seed", "N", "Of the files' bytes and the order of the cells (default 1)",
      [&](const std::string& text) { options.seed = number(text, "--seed", 0, kMaxSeed); });
  add_run(*sweep, options);
  sweep->callback([&options] { options.command = Command::sweep; });
}

void add_ceiling(CLI::App& app, Options& options) {
  CLI::App* ceiling =
      app.add_subcommand("ceiling", "Raw limits of this path: TCP socket pairs, and iperf3");
  add(*ceiling, "--streams", "N,N", "Parallel streams (default 1,2,4)",
      [&](const std::string& text) {
        options.streams = number_list(text, "--streams", kMostStreams);
      });
  add(*ceiling, "--time", "TIME", "Of each measurement (default 2s)", [&](const std::string& text) {
    options.ceiling_time = take(parse_duration(text), "--time");
    if (options.ceiling_time < std::chrono::milliseconds(100) ||
        options.ceiling_time > std::chrono::hours(1))
      throw refuse("--time must be 100ms to 1h");
  });
  add(*ceiling, "--endpoint", "URL", "Server that is going to be measured",
      [&](const std::string& text) {
        options.endpoint = take(parse_endpoint(text), "--endpoint").url();
      });
  ceiling->callback([&options] { options.command = Command::ceiling; });
}

/// AWS_ENDPOINT_URL_S3 and AWS_ENDPOINT_URL, as the tools read them.
void endpoint_from_environment(Options& options) {
  if (!options.endpoint.empty() || options.server_asked_for || options.server_workers > 0) return;
  for (const char* name : {"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"}) {
    const char* url = std::getenv(name);
    if (url == nullptr || *url == '\0') continue;
    options.endpoint = take(parse_endpoint(url), name).url();
    return;
  }
}

std::string first_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

ParsedOptions usage_error(const CLI::App& app, const std::string& why) {
  std::string command = "s3-bench";
  for (const CLI::App* chosen : app.get_subcommands()) command += " " + chosen->get_name();
  return {false, {}, 2, "s3-bench: " + first_line(why) + " (see " + command + " --help)\n"};
}

}  // namespace

std::string FileSet::text() const {
  return std::to_string(count) + "x" + format_size_exact(size_bytes);
}

const std::vector<std::string>& known_clients() {
  static const std::vector<std::string> known = {"native", "aws-cli", "s5cmd", "rclone", "boto3"};
  return known;
}

ParsedOptions parse_options(const std::vector<std::string>& arguments) {
  ParsedOptions parsed;
  CLI::App app("Test bench for S3 servers and S3 tools", "s3-bench");
  app.set_version_flag("--version", "s3-bench " + std::string(version()));
  app.require_subcommand(0, 1);
  add_load(app, parsed.options, Command::put, "put", "Upload with the native client");
  add_load(app, parsed.options, Command::get, "get", "Download with the native client");
  add_sweep(app, parsed.options);
  add_ceiling(app, parsed.options);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    if (parsed.options.command == Command::none) return {false, {}, 2, app.help()};
    if (parsed.options.command != Command::ceiling) endpoint_from_environment(parsed.options);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    return {false, {}, 0, chosen.empty() ? app.help() : chosen.front()->help("s3-bench")};
  } catch (const CLI::CallForVersion& e) {
    return {false, {}, 0, std::string(e.what()) + "\n"};
  } catch (const CLI::Error& e) {
    return usage_error(app, e.what());
  }
  parsed.run = true;
  return parsed;
}

}  // namespace mocks3::client
