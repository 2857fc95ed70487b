#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "client/options.hpp"

using namespace mocks3;
using namespace mocks3::client;

namespace {

Options accepted(const std::vector<std::string>& arguments) {
  const ParsedOptions parsed = parse_options(arguments);
  INFO(parsed.text);
  REQUIRE(parsed.run);
  return parsed.options;
}

/// The error of a refused command line: one line, status 2.
std::string refused(const std::vector<std::string>& arguments) {
  const ParsedOptions parsed = parse_options(arguments);
  REQUIRE_FALSE(parsed.run);
  CHECK(parsed.exit_code == 2);
  CHECK(std::count(parsed.text.begin(), parsed.text.end(), '\n') == 1);
  CHECK(parsed.text.back() == '\n');
  return parsed.text;
}

bool says(const std::string& text, const char* what) { return text.find(what) != text.npos; }

}  // namespace

TEST_CASE("put takes all its flags") {
  const Options options = accepted({"put",       "--endpoint", "http://localhost:8080",
                                    "--threads", "2",          "--concurrency=8",
                                    "--size",    "256MiB",     "--part-size",
                                    "8MiB",      "--duration", "10s",
                                    "--objects", "5",          "--bytes",
                                    "1GiB",      "--repeat",   "3",
                                    "--bucket",  "my-bucket",  "--out",
                                    "/tmp/x",    "--quick"});
  CHECK(options.command == Command::put);
  CHECK(options.endpoint == "http://localhost:8080");
  CHECK(options.threads == 2);
  CHECK(options.concurrency == 8);
  CHECK(options.size_bytes == 256U << 20);
  CHECK(options.part_size_bytes == 8U << 20);
  CHECK(options.duration == std::chrono::seconds(10));
  CHECK(options.max_objects == 5);
  CHECK(options.max_bytes == 1U << 30);
  CHECK(options.repeat == 3);
  CHECK(options.bucket == "my-bucket");
  CHECK(options.out == "/tmp/x");
  CHECK(options.quick);
}

TEST_CASE("defaults") {
  unsetenv("AWS_ENDPOINT_URL");
  unsetenv("AWS_ENDPOINT_URL_S3");
  const Options options = accepted({"get"});
  CHECK(options.command == Command::get);
  CHECK(options.endpoint.empty());
  CHECK(options.threads == 1);
  CHECK(options.size_bytes == 64U << 20);
  CHECK_FALSE(options.duration);
}

TEST_CASE("the endpoint's default comes from the environment, unless a private server is wanted") {
  setenv("AWS_ENDPOINT_URL", "http://10.0.0.9:81/", 1);
  CHECK(accepted({"get"}).endpoint == "http://10.0.0.9:81");
  CHECK(accepted({"sweep"}).endpoint == "http://10.0.0.9:81");
  CHECK(accepted({"get", "--endpoint", "http://h"}).endpoint == "http://h:80");
  CHECK(accepted({"get", "--server", "auto"}).endpoint.empty());
  CHECK(accepted({"get", "--server-workers", "2"}).server_workers == 2);
  CHECK(accepted({"get", "--server-workers", "2"}).endpoint.empty());
  setenv("AWS_ENDPOINT_URL_S3", "http://10.0.0.10", 1);
  CHECK(accepted({"get"}).endpoint == "http://10.0.0.10:80");
  setenv("AWS_ENDPOINT_URL_S3", "not a URL", 1);
  CHECK(says(refused({"get"}), "AWS_ENDPOINT_URL_S3"));
  unsetenv("AWS_ENDPOINT_URL_S3");
  unsetenv("AWS_ENDPOINT_URL");
}

TEST_CASE("sweep takes all its flags") {
  const Options options = accepted({"sweep", "--clients", "native,s5cmd,native", "--threads", "1,2",
                                    "--files", "32x128MiB,16x1.5GiB", "--ops", "get", "--data-dir",
                                    "/dev/shm/x", "--repeat", "5", "--seed", "7", "--quick"});
  CHECK(options.command == Command::sweep);
  CHECK(options.clients == std::vector<std::string>{"native", "s5cmd"});
  CHECK(options.thread_counts == std::vector<size_t>{1, 2});
  REQUIRE(options.file_sets.size() == 2);
  CHECK(options.file_sets[0].text() == "32x128MiB");
  CHECK(options.file_sets[1].size_bytes == 1536ULL << 20);
  CHECK(options.ops == std::vector<std::string>{"get"});
  CHECK(options.data_dir == "/dev/shm/x");
  CHECK(options.seed == 7);
}

TEST_CASE("ceiling takes its flags") {
  const Options options = accepted({"ceiling", "--streams", "1,8", "--time", "500ms"});
  CHECK(options.streams == std::vector<size_t>{1, 8});
  CHECK(options.ceiling_time == std::chrono::milliseconds(500));
}

TEST_CASE("usage errors are one line that names the flag") {
  CHECK(says(refused({"put", "--threads", "0"}), "--threads must be 1 to"));
  CHECK(says(refused({"put", "--threads", "-1"}), "--threads"));
  CHECK(says(refused({"put", "--threads", "two"}), "--threads"));
  CHECK(says(refused({"put", "--threads"}), "--threads"));
  CHECK(says(refused({"put", "--size", "12Q"}), "--size"));
  CHECK(says(refused({"put", "--size", "6TiB"}), "5 TiB"));
  CHECK(says(refused({"put", "--duration", "0s"}), "--duration"));
  CHECK(says(refused({"put", "--duration", "soon"}), "--duration"));
  CHECK(says(refused({"put", "--bytes", "0"}), "--bytes"));
  CHECK(says(refused({"put", "--objects", "0"}), "--objects"));
  CHECK(says(refused({"put", "--repeat", "0"}), "--repeat"));
  CHECK(says(refused({"put", "--bucket", "A"}), "--bucket"));
  CHECK(says(refused({"put", "--bucket", "_mock"}), "--bucket"));
  CHECK(says(refused({"put", "--endpoint", "https://h"}), "https is not supported"));
  CHECK(says(refused({"put", "--server", "mine"}), "--server"));
  CHECK(says(refused({"put", "--endpoint", "http://h", "--server", "auto"}), "excludes"));
  CHECK(says(refused({"put", "--no-such-flag"}), "--no-such-flag"));
  CHECK(says(refused({"put", "extra"}), "extra"));
  CHECK(says(refused({"nonsense"}), "nonsense"));
  CHECK(says(refused({"put", "get"}), "get"));
  CHECK(says(refused({"sweep", "--clients", "native,curl"}),
             "\"curl\" is none of native, aws-cli, s5cmd, rclone, boto3"));
  CHECK(says(refused({"sweep", "--clients", ""}), "--clients"));
  CHECK(says(refused({"sweep", "--files", "32"}), "COUNTxSIZE"));
  CHECK(says(refused({"sweep", "--files", "0x1MiB"}), "--files"));
  CHECK(says(refused({"sweep", "--files", "1x1MiB,"}), "--files"));
  CHECK(says(refused({"sweep", "--threads", "1,,2"}), "--threads"));
  CHECK(says(refused({"sweep", "--ops", "put,list"}), "\"list\" is none of put, get"));
  CHECK(says(refused({"ceiling", "--streams", "0"}), "--streams"));
  CHECK(says(refused({"ceiling", "--time", "1ms"}), "--time"));
}

TEST_CASE("combinations that cannot work are refused") {
  CHECK(says(refused({"put", "--threads", "1000", "--concurrency", "1000"}), "--concurrency"));
  CHECK(says(refused({"put", "--size", "0", "--bytes", "1"}), "never reached"));
  CHECK(says(refused({"put", "--size", "64MiB", "--part-size", "1MiB"}), "5MiB"));
  CHECK(says(refused({"put", "--size", "1TiB", "--part-size", "5MiB"}), "10,000 parts"));
  CHECK(accepted({"get", "--size", "64MiB", "--part-size", "1MiB"}).part_size_bytes == 1U << 20);
  CHECK(accepted({"put", "--size", "1KiB", "--part-size", "1MiB"}).size_bytes == 1024);
}

TEST_CASE("help and version go to stdout, no subcommand is a usage error") {
  const ParsedOptions help = parse_options({"--help"});
  CHECK_FALSE(help.run);
  CHECK(help.exit_code == 0);
  CHECK(says(help.text, "sweep"));
  const ParsedOptions put_help = parse_options({"put", "--help"});
  CHECK(put_help.exit_code == 0);
  CHECK(says(put_help.text, "--part-size"));
  CHECK_FALSE(says(put_help.text, "--clients"));
  const ParsedOptions version = parse_options({"--version"});
  CHECK(version.exit_code == 0);
  CHECK(version.text.starts_with("s3-bench "));
  const ParsedOptions nothing = parse_options({});
  CHECK_FALSE(nothing.run);
  CHECK(nothing.exit_code == 2);
  CHECK(says(nothing.text, "ceiling"));
}
