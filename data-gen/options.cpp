#include "data-gen/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "data-gen/corpus.hpp"
#include "data-gen/pattern.hpp"
#include "shared/util/encode.hpp"
#include "shared/util/result.hpp"
#include "shared/util/units.hpp"
#include "shared/util/version.hpp"

namespace mocks3::datagen {
namespace {

/// The flags as they were given, before they are made sense of.
struct Flags {
  std::vector<std::string> arguments;
  std::string to;
  std::string seed;
  std::string manifest;
  bool verify = false;
  bool dry_run = false;
  bool version = false;
  bool help = false;
  bool to_given = false;
  bool seed_given = false;
  bool manifest_given = false;
};

std::string help_text() {
  std::string text =
      "data-gen " + std::string(version()) +
      "\nMakes sets of files whose bytes follow from a seed, and checks them.\n"
      "\nUsage:\n"
      "  data-gen SET --to DIR           write the files of a set below DIR\n"
      "  data-gen SET --to -             write their bytes to standard output\n"
      "  data-gen SET --to DIR --verify  check that DIR holds exactly that set\n"
      "  data-gen --verify PATH...       check files and folders (- is standard input), each\n"
      "                                  recognised from its own bytes\n"
      "  data-gen --verify --manifest FILE [DIR]  check DIR (default: where FILE is)\n"
      "\nSET is NxSIZE, such as 16x64MiB, or one of\n";
  for (const NamedSet& set : named_sets())
    text += fmt::format("  {:<16} {}\n", set.name, set.about);
  return text +
         "\nFlags\n"
         "  --to DIR|-       where to write\n"
         "  --seed N         seed of the first file, 0 to 16777215 (default 1)\n"
         "  --manifest FILE  write a list of the files with their SHA-256; with --verify, check\n"
         "                   against it\n"
         "  --dry-run        print what would be written, and write nothing\n"
         "  --verify         check instead of writing\n"
         "  --version        print the version\n"
         "  -h, --help       print this text\n"
         "\nExit status: 0 done, or all right; 1 failed, or something is wrong; 2 wrong usage.\n";
}

/// The only function that knows CLI11's way to read a command line.
Result<Flags> read_flags(std::vector<std::string> arguments) {
  Flags flags;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  app.add_option("arguments", flags.arguments);
  const auto* to = app.add_option("--to", flags.to)->allow_extra_args(false);
  const auto* seed = app.add_option("--seed", flags.seed)->allow_extra_args(false);
  const auto* manifest = app.add_option("--manifest", flags.manifest)->allow_extra_args(false);
  app.add_flag("--verify", flags.verify);
  app.add_flag("--dry-run", flags.dry_run);
  app.add_flag("--version", flags.version);
  app.add_flag("-h,--help", flags.help);
  std::reverse(arguments.begin(), arguments.end());
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    return Error{error.what()};
  }
  flags.to_given = to->count() > 0;
  flags.seed_given = seed->count() > 0;
  flags.manifest_given = manifest->count() > 0;
  auto rest = app.remaining();
  std::erase(rest, "--");  // which only says that no flags follow
  if (!rest.empty() && !flags.help && !flags.version) {
    return Error{"unknown flag " + in_quotes(rest.front())};
  }
  return flags;
}

Result<uint32_t> read_seed(const Flags& flags) {
  if (!flags.seed_given) return Options{}.seed;
  const auto seed = parse_uint(flags.seed);
  if (!seed || *seed > kMaxSeed) {
    return Error{fmt::format("--seed: cannot use {}; give a number from 0 to {}",
                             in_quotes(flags.seed), kMaxSeed)};
  }
  return static_cast<uint32_t>(*seed);
}

Result<Action> read_action(const Flags& flags) {
  if (!flags.verify) return flags.dry_run ? Action::dry_run : Action::write;
  if (flags.dry_run) return Error{"--verify writes nothing anyway: leave --dry-run out"};
  if (flags.to_given && flags.manifest_given) {
    return Error{
        "--verify checks against a set (SET --to DIR) or a manifest (--manifest FILE "
        "[DIR]), not both"};
  }
  if (flags.to_given) return Action::verify_set;
  return flags.manifest_given ? Action::verify_manifest : Action::verify_paths;
}

/// What is wrong with the number of arguments, or nothing.
std::string argument_problem(Action action, const std::vector<std::string>& arguments) {
  switch (action) {
    case Action::verify_paths:
      return arguments.empty() ? "--verify needs files or directories (- is standard input)" : "";
    case Action::verify_manifest:
      return arguments.size() > 1 ? "--verify --manifest FILE takes one directory" : "";
    default:
      if (arguments.empty()) return "name a set, such as 16x64MiB";
      return arguments.size() > 1 ? "unexpected argument " + in_quotes(arguments[1]) : "";
  }
}

Status check_flags(Action action, const Flags& flags) {
  const std::string problem = argument_problem(action, flags.arguments);
  if (!problem.empty()) return Error{problem};
  const bool has_set = action != Action::verify_paths && action != Action::verify_manifest;
  if (flags.seed_given && !has_set) return Error{"--seed goes with a set"};
  if (action == Action::write && !flags.to_given) {
    return Error{"--to is missing; give a directory, or - for standard output"};
  }
  if (flags.to_given && flags.to.empty()) return Error{"--to: give a directory, or -"};
  if (flags.manifest_given && flags.manifest.empty()) return Error{"--manifest: name a file"};
  if (flags.manifest == "-") return Error{"--manifest: name a file; - is not possible"};
  if (action == Action::verify_set && flags.to == "-") {
    return Error{"--verify with --to needs a directory; to check standard input use --verify -"};
  }
  return ok_status();
}

Result<Options> make_sense(const Flags& flags) {
  const auto action = read_action(flags);
  if (!action) return action.error();
  if (auto fine = check_flags(*action, flags); !fine) return fine.error();
  const auto seed = read_seed(flags);
  if (!seed) return seed.error();
  Options options;
  options.action = *action;
  options.seed = *seed;
  options.to = flags.to;
  options.manifest = flags.manifest;
  if (*action == Action::verify_paths || *action == Action::verify_manifest) {
    options.paths = flags.arguments;
  } else {
    options.set = flags.arguments.front();
  }
  return options;
}

ParsedOptions text_only(std::string text, int exit_code) {
  ParsedOptions parsed;
  parsed.text = std::move(text);
  parsed.exit_code = exit_code;
  return parsed;
}

ParsedOptions usage_error(std::string message) {
  for (char& c : message) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text_only("data-gen: " + message + "; see data-gen --help\n", 2);
}

}  // namespace

ParsedOptions parse_options(const std::vector<std::string>& arguments) {
  const auto flags = read_flags(arguments);
  if (!flags) return usage_error(flags.error().message);
  if (flags->help) return text_only(help_text(), 0);
  if (flags->version) return text_only("data-gen " + std::string(version()) + "\n", 0);
  auto options = make_sense(*flags);
  if (!options) return usage_error(options.error().message);
  ParsedOptions parsed;
  parsed.run = true;
  parsed.options = std::move(*options);
  return parsed;
}

}  // namespace mocks3::datagen
