#include "client/report/progress.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace mocks3::client;

namespace {

std::string printed(bool terminal, size_t width) {
  char* text = nullptr;
  size_t size = 0;
  std::FILE* out = open_memstream(&text, &size);
  {
    Progress progress(out, terminal, width);
    progress.begin(2, 8, "aws-cli put");
    progress.update(100 * 1048576.0, 65.0);
    progress.end("99 MiB/s");
    progress.say("a note");
    progress.begin(3, 8, "a name that is far too long for so narrow a terminal");
  }
  std::fclose(out);
  std::string result(text, size);
  std::free(text);
  return result;
}

}  // namespace

TEST_CASE("piped: plain lines, one for each cell") {
  CHECK(printed(false, 80) == "[2/8] aws-cli put: 99 MiB/s\na note\n");
}

TEST_CASE("terminal: one line that is rewritten and gone at the end") {
  const std::string text = printed(true, 30);
  CHECK(text.find("[2/8] aws-cli put, 100 MiB...") != std::string::npos);
  CHECK(text.find("\r\033[Ka note\n") != std::string::npos);
  CHECK(text.find("a name that is far too long") == std::string::npos);
  CHECK(text.substr(text.size() - 4) == "\r\033[K");
}

TEST_CASE("terminal: rate and time left") {
  CHECK(printed(true, 80).find("aws-cli put, 100 MiB/s, 1m 05s left") != std::string::npos);
}
