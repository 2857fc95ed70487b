#include "server/options.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "server/options_table.hpp"

using namespace mocks3;
using namespace mocks3::server;
using namespace std::chrono_literals;

namespace {

Options accepted(const std::vector<std::string>& arguments) {
  const ParsedOptions parsed = parse_options(arguments);
  CHECK_MESSAGE(parsed.run, parsed.text);
  return parsed.options;
}

/// The one line that a usage error prints.
std::string refused(const std::vector<std::string>& arguments) {
  const ParsedOptions parsed = parse_options(arguments);
  CHECK_FALSE(parsed.run);
  CHECK(parsed.exit_code == 2);
  CHECK(parsed.text.starts_with("mock-s3: "));
  CHECK(std::count(parsed.text.begin(), parsed.text.end(), '\n') == 1);
  CHECK(parsed.text.ends_with('\n'));
  return parsed.text.substr(0, parsed.text.size() - 1);
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct Environment {
  std::vector<std::string> names;
  void set(const std::string& name, const std::string& value) {
    names.push_back(name);
    REQUIRE(setenv(name.c_str(), value.c_str(), 1) == 0);
  }
  ~Environment() {
    for (const auto& name : names) unsetenv(name.c_str());
  }
};

struct ConfigFile {
  std::filesystem::path path;
  explicit ConfigFile(const std::string& text) {
    char name[] = "/tmp/mock-s3-options-XXXXXX";
    const int fd = mkstemp(name);
    REQUIRE(fd >= 0);
    close(fd);
    path = name;
    std::ofstream(path) << text;
  }
  ~ConfigFile() { std::filesystem::remove(path); }
};

}  // namespace

TEST_CASE("options: defaults") {
  const Options options = accepted({});
  CHECK(options.workers == 0);
  CHECK(options.bind == std::vector<std::string>{"127.0.0.1", "::1"});
  CHECK(options.port == 8080);
  CHECK_FALSE(options.strict_buckets);
  CHECK(options.region == "us-east-1");
  CHECK(options.grace == 5s);
  CHECK(options.log_level == "info");
}

TEST_CASE("options: every flag") {
  const Options options = accepted({"--workers",
                                    "4",
                                    "--bind",
                                    "0.0.0.0",
                                    "--bind",
                                    "::",
                                    "--port=0",
                                    "--payload",
                                    "discard",
                                    "--strict-buckets",
                                    "--preload",
                                    "bench/{1..3}:1MiB",
                                    "--preload",
                                    "bench/x:2",
                                    "--domain",
                                    "s3.test",
                                    "--region",
                                    "eu-west-1",
                                    "--max-connections",
                                    "10",
                                    "--header-timeout",
                                    "1s",
                                    "--idle-timeout",
                                    "2m",
                                    "--min-body-rate",
                                    "1KiB",
                                    "--stats-interval",
                                    "0",
                                    "--grace",
                                    "250ms",
                                    "--access-log",
                                    "-",
                                    "--log-level",
                                    "debug",
                                    "--admin-token",
                                    "secret"});
  CHECK(options.workers == 4);
  CHECK(options.bind == std::vector<std::string>{"0.0.0.0", "::"});
  CHECK(options.port == 0);
  CHECK(options.strict_buckets);
  CHECK(options.preload == std::vector<std::string>{"bench/{1..3}:1MiB", "bench/x:2"});
  CHECK(options.domains == std::vector<std::string>{"s3.test"});
  CHECK(options.region == "eu-west-1");
  CHECK(options.max_connections == 10);
  CHECK(options.header_timeout == 1s);
  CHECK(options.idle_timeout == 2min);
  CHECK(options.min_body_rate == 1024);
  CHECK(options.stats_interval == 0s);
  CHECK(options.grace == 250ms);
  CHECK(options.access_log == "-");
  CHECK(options.log_level == "debug");
  CHECK(options.admin_token == "secret");
}

TEST_CASE("options: wrong values are named") {
  CHECK(refused({"--workers", "0"}) == "mock-s3: --workers must be at least 1");
  CHECK(refused({"--workers", "1025"}) == "mock-s3: --workers must be at most 1024");
  CHECK(says(refused({"--workers", "x"}), "--workers: cannot read \"x\" as a number"));
  CHECK(says(refused({"--workers", "-1"}), "--workers: cannot read \"-1\" as a number"));
  CHECK(says(refused({"--workers", ""}), "--workers"));
  CHECK(says(refused({"--port", "65536"}), "--port must be at most 65535"));
  CHECK(says(refused({"--port", "99999999999999999999"}), "--port"));
  CHECK(says(refused({"--payload", "store"}), "the one value accepted is discard"));
  CHECK(says(refused({"--bind", ""}), "--bind"));
  CHECK(says(refused({"--preload", "bench"}), "--preload: cannot read \"bench\""));
  CHECK(says(refused({"--domain", "a:8080"}), "--domain"));
  CHECK(says(refused({"--region", "a b"}), "--region"));
  CHECK(says(refused({"--max-connections", "0"}), "--max-connections must be at least 1"));
  CHECK(says(refused({"--header-timeout", "soon"}), "--header-timeout"));
  CHECK(says(refused({"--header-timeout", "0"}), "must be more than 0"));
  CHECK(says(refused({"--min-body-rate", "fast"}), "--min-body-rate"));
  CHECK(says(refused({"--log-level", "trace"}), "error, info or debug"));
  CHECK(says(refused({"--admin-token", "a b"}), "--admin-token"));
  CHECK(says(refused({"--strict-buckets=maybe"}), "--strict-buckets"));
}

TEST_CASE("options: what is no flag at all") {
  CHECK(refused({"--wrokers", "4"}) == "mock-s3: unknown flag --wrokers; see mock-s3 --help");
  CHECK(refused({"--wrokers=4"}) == "mock-s3: unknown flag --wrokers; see mock-s3 --help");
  CHECK(says(refused({"-x"}), "unknown flag -x"));
  CHECK(refused({"serve"}) == "mock-s3: unexpected argument \"serve\"; see mock-s3 --help");
  CHECK(says(refused({"--workers", "4", "5"}), "unexpected argument \"5\""));
  CHECK(refused({"--port"}) == "mock-s3: --port needs a value; see mock-s3 --help");
  CHECK(says(refused({"line\nbreak"}), "line break"));
}

TEST_CASE("options: the last of a repeated flag counts") {
  CHECK(accepted({"--port", "1", "--port", "2"}).port == 2);
}

TEST_CASE("options: help and version leave with success") {
  const ParsedOptions help = parse_options({"--help"});
  CHECK_FALSE(help.run);
  CHECK(help.exit_code == 0);
  size_t start = 0;
  for (size_t end = help.text.find('\n'); end != std::string::npos;
       start = end + 1, end = help.text.find('\n', start)) {
    CHECK(end - start <= 100);
  }
  for (const OptionFlag& flag : option_flags()) {
    CHECK(says(help.text, "--" + std::string(flag.name)));
  }
  CHECK(parse_options({"-h"}).text == help.text);
  const ParsedOptions version = parse_options({"--version"});
  CHECK(version.exit_code == 0);
  CHECK(version.text.starts_with("mock-s3 "));
  CHECK(std::count(version.text.begin(), version.text.end(), '\n') == 1);
}

TEST_CASE("options: the environment") {
  Environment environment;
  environment.set("MOCK_S3_WORKERS", "3");
  environment.set("MOCK_S3_STRICT_BUCKETS", "1");
  environment.set("MOCK_S3_IDLE_TIMEOUT", "7s");
  environment.set("MOCK_S3_BIND", " 10.0.0.1  ::1 ");
  environment.set("MOCK_S3_REGION", "");
  const Options options = accepted({"--idle-timeout", "9s"});
  CHECK(options.workers == 3);
  CHECK(options.strict_buckets);
  CHECK(options.idle_timeout == 9s);
  CHECK(options.bind == std::vector<std::string>{"10.0.0.1", "::1"});
  CHECK(options.region == "us-east-1");
  environment.set("MOCK_S3_PORT", "tcp");
  CHECK(says(refused({}), "MOCK_S3_PORT: cannot read \"tcp\" as a number"));
}

TEST_CASE("options: the config file comes last") {
  Environment environment;
  const ConfigFile file(
      "# settings\nworkers = 2\nport = 9000\nregion = \"eu-west-1\"\nstrict-buckets = true\n"
      "bind = [\"0.0.0.0\", \"::\"]\npreload = [\"bench/{0..3}:1MiB\"]\nidle-timeout = \"3s\"\n"
      "min-body-rate = 1KiB\n");
  environment.set("MOCK_S3_PORT", "9001");
  const Options options = accepted({"--config", file.path, "--workers", "5"});
  CHECK(options.workers == 5);
  CHECK(options.port == 9001);
  CHECK(options.region == "eu-west-1");
  CHECK(options.strict_buckets);
  CHECK(options.bind == std::vector<std::string>{"0.0.0.0", "::"});
  CHECK(options.preload == std::vector<std::string>{"bench/{0..3}:1MiB"});
  CHECK(options.idle_timeout == 3s);
  CHECK(options.min_body_rate == 1024);
  environment.set("MOCK_S3_CONFIG", file.path);
  CHECK(accepted({}).workers == 2);
}

TEST_CASE("options: faults of the config file") {
  const ConfigFile unknown("wrokers = 2\n"), wrong("workers = many\n"),
      section("[server]\nport = 1\n"), comment("admin-token = \"a#b\"\n"), empty("bind = []\n"),
      recursive("config = \"x\"\n");
  CHECK(says(refused({"--config", unknown.path}), "unknown key \"wrokers\""));
  CHECK(says(refused({"--config", wrong.path}), "workers: cannot read \"many\" as a number"));
  CHECK(says(refused({"--config", section.path}), "unknown key \"server.port\""));
  CHECK(says(refused({"--config", comment.path}), "cannot hold '#'"));
  CHECK(says(refused({"--config", empty.path}), "bind needs a value"));
  CHECK(says(refused({"--config", recursive.path}), "unknown key \"config\""));
  CHECK(says(refused({"--config", "/nonexistent.toml"}), "--config: cannot read"));
  CHECK(says(refused({"--config", "/tmp"}), "--config: cannot read \"/tmp\""));
}
