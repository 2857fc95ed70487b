#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace mocks3::datagen {

enum class Action : uint8_t { write, dry_run, verify_set, verify_manifest, verify_paths };

/// What the command line asks for.
struct Options {
  Action action = Action::write;
  std::string set;                 ///< a named set or NxSIZE; of write, dry_run and verify_set
  std::string to;                  ///< a directory; "-" for standard output; empty: none (dry_run)
  uint32_t seed = 1;               ///< of the set's first file
  std::string manifest;            ///< to be written, or to verify against; empty: none
  std::vector<std::string> paths;  ///< to verify; of verify_manifest the directory, if given
};

/// What main() is to do after reading the command line.
struct ParsedOptions {
  bool run = false;  ///< false: print `text` and leave with `exit_code`
  Options options;
  int exit_code = 0;  ///< 0 for --help and --version, 2 for a usage error
  std::string text;
};

/// `arguments` without the program's name.
ParsedOptions parse_options(const std::vector<std::string>& arguments);

}  // namespace mocks3::datagen
