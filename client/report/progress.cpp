#include "client/report/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cmath>

#include "client/report/text.hpp"
#include "shared/util/units.hpp"

namespace mocks3::client {
namespace {

size_t stderr_width() {
  winsize window{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0) return 80;
  return window.ws_col;
}

std::string time_text(double seconds) {
  const long long whole = std::llround(std::ceil(seconds));
  return whole < 60 ? fmt::format("{} s", whole) : format_duration(std::chrono::seconds(whole));
}

}  // namespace

Progress::Progress() : Progress(stderr, isatty(STDERR_FILENO) != 0, stderr_width()) {}

Progress::Progress(std::FILE* out, bool terminal, size_t width)
    : out_(out), terminal_(terminal), width_(width) {}

Progress::~Progress() { erase(); }

void Progress::begin(size_t number, size_t total, const std::string& what) {
  label_ = fmt::format("[{}/{}] {}", number, total, one_line(what));
  if (terminal_) rewrite(label_);
}

void Progress::update(double bytes_per_second, std::optional<double> seconds_left) {
  if (!terminal_) return;
  std::string text =
      fmt::format("{}, {:.0f} MiB/s", label_, bytes_per_second / static_cast<double>(kMiB));
  if (seconds_left) text += ", " + time_text(*seconds_left) + " left";
  rewrite(text);
}

void Progress::end(const std::string& outcome) {
  if (terminal_) {
    rewrite(label_ + ": " + outcome);
  } else {
    say(label_ + ": " + outcome);
  }
}

void Progress::say(const std::string& line) {
  erase();
  fmt::print(out_, "{}\n", one_line(line));
  std::fflush(out_);
}

void Progress::rewrite(const std::string& text) {
  fmt::print(out_, "\r\033[K{}", shortened(one_line(text), width_ > 1 ? width_ - 1 : 1));
  std::fflush(out_);
  line_shown_ = true;
}

void Progress::erase() {
  if (!line_shown_) return;
  fmt::print(out_, "\r\033[K");
  std::fflush(out_);
  line_shown_ = false;
}

}  // namespace mocks3::client
