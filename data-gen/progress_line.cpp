#include "data-gen/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "shared/util/units.hpp"

namespace mocks3::datagen {

std::string progress_text(uint64_t done, uint64_t total, std::chrono::nanoseconds elapsed) {
  const double seconds = std::chrono::duration<double>(elapsed).count();
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  const std::string speed = format_size(static_cast<uint64_t>(rate)) + "/s";
  if (total == 0) return fmt::format("{}  {}", format_size(done), speed);
  const double fraction = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const double left = fraction > 0 ? seconds / fraction - seconds : 0;
  return fmt::format(
      "{:3.0f} %  {} of {}  {}  {} left", fraction * 100, format_size(done), format_size(total),
      speed,
      format_duration(std::chrono::nanoseconds(static_cast<int64_t>(std::min(left, 1e9) * 1e9))));
}

ProgressLine::ProgressLine(uint64_t total)
    : total_(total),
      on_terminal_(isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      next_draw_(start_ + std::chrono::milliseconds(500)) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::update(uint64_t done) {
  if (!on_terminal_) return;
  const auto now = Clock::now();
  if (now < next_draw_) return;
  next_draw_ = now + std::chrono::milliseconds(200);
  drawn_ = true;
  std::fputs(fmt::format("\r{}\x1b[K", progress_text(done, total_, now - start_)).c_str(), stderr);
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

std::chrono::nanoseconds ProgressLine::elapsed() const { return Clock::now() - start_; }

}  // namespace mocks3::datagen
