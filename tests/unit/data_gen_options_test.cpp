#include <doctest/doctest.h>

#include "data-gen/options.hpp"

using namespace mocks3::datagen;

namespace {

using Arguments = std::vector<std::string>;

Options parsed(const Arguments& arguments) {
  const auto result = parse_options(arguments);
  CAPTURE(result.text);
  REQUIRE(result.run);
  return result.options;
}

}  // namespace

TEST_CASE("data-gen: writing") {
  const Options options = parsed({"16x64MiB", "--to", "dir"});
  CHECK(options.action == Action::write);
  CHECK(options.set == "16x64MiB");
  CHECK(options.to == "dir");
  CHECK(options.seed == 1);
  CHECK(options.manifest.empty());
  const Options all = parsed({"--seed", "7", "--to=-", "--manifest", "m", "mixed"});
  CHECK(all.set == "mixed");
  CHECK(all.to == "-");
  CHECK(all.seed == 7);
  CHECK(all.manifest == "m");
  CHECK(parsed({"mixed", "--to", "-"}).to == "-");
  CHECK(parsed({"mixed", "--to", "d", "--seed", "16777215"}).seed == 16777215);
}

TEST_CASE("data-gen: a dry run needs no directory") {
  CHECK(parsed({"mixed", "--dry-run"}).action == Action::dry_run);
  CHECK(parsed({"mixed", "--dry-run", "--to", "d"}).to == "d");
}

TEST_CASE("data-gen: the three ways to verify") {
  const Options paths = parsed({"--verify", "a", "-", "b"});
  CHECK(paths.action == Action::verify_paths);
  CHECK(paths.paths == Arguments{"a", "-", "b"});
  CHECK(parsed({"--verify", "--", "-a", "--to"}).paths == Arguments{"-a", "--to"});
  const Options set = parsed({"mixed", "--to", "d", "--verify", "--seed", "3"});
  CHECK(set.action == Action::verify_set);
  CHECK(set.set == "mixed");
  CHECK(set.seed == 3);
  const Options manifest = parsed({"--verify", "--manifest", "m"});
  CHECK(manifest.action == Action::verify_manifest);
  CHECK(manifest.paths.empty());
  CHECK(parsed({"--verify", "--manifest", "m", "d"}).paths == Arguments{"d"});
}

TEST_CASE("data-gen: --help and --version") {
  for (const Arguments& arguments :
       {Arguments{"--help"}, Arguments{"-h"}, Arguments{"x", "--help"}}) {
    const auto help = parse_options(arguments);
    CHECK_FALSE(help.run);
    CHECK(help.exit_code == 0);
    for (const char* flag :
         {"--to", "--seed", "--manifest", "--dry-run", "--verify", "many-tiny"}) {
      CHECK(help.text.find(flag) != std::string::npos);
    }
  }
  const auto version = parse_options({"--version"});
  CHECK(version.exit_code == 0);
  CHECK(version.text.starts_with("data-gen "));
}

TEST_CASE("data-gen: wrong usage is one line and status 2") {
  const Arguments cases[] = {{},
                             {"--to", "d"},
                             {"mixed"},
                             {"mixed", "--to"},
                             {"mixed", "--to", ""},
                             {"mixed", "more", "--to", "d"},
                             {"mixed", "--to", "d", "--nonsense"},
                             {"mixed", "--to", "d", "--seed", "x"},
                             {"mixed", "--to", "d", "--seed", "-1"},
                             {"mixed", "--to", "d", "--seed", "16777216"},
                             {"mixed", "--to", "d", "--seed", ""},
                             {"mixed", "--to", "d", "--to", "e"},
                             {"mixed", "--to", "d", "--manifest", ""},
                             {"mixed", "--to", "d", "--manifest", "-"},
                             {"mixed", "--to", "-", "--verify"},
                             {"mixed", "--to", "d", "--verify", "--dry-run"},
                             {"--verify"},
                             {"--verify", "--to", "d"},
                             {"--verify", "--seed", "1", "d"},
                             {"--verify", "--manifest", "m", "d", "e"},
                             {"mixed", "--verify", "--manifest", "m", "--to", "d"},
                             {"mixed\n", "x\n\x1b", "--to", "d"}};
  for (const Arguments& arguments : cases) {
    const auto result = parse_options(arguments);
    CAPTURE(result.text);
    CHECK_FALSE(result.run);
    CHECK(result.exit_code == 2);
    CHECK(result.text.starts_with("data-gen: "));
    CHECK(result.text.find('\n') == result.text.size() - 1);
    CHECK(result.text.find('\x1b') == std::string::npos);
  }
}
