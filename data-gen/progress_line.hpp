#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace mocks3::datagen {

/// "  45 %  1.2 GiB of 4 GiB  2.1 GiB/s  1.25 s left". `total` 0: not known beforehand.
std::string progress_text(uint64_t done, uint64_t total, std::chrono::nanoseconds elapsed);

/// A line on standard error that says how far a long run is; silent unless that is a terminal.
class ProgressLine {
 public:
  /// `total` bytes to come, 0 where that is not known.
  explicit ProgressLine(uint64_t total);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Draws the line anew, a few times a second at most.
  void update(uint64_t done);
  /// Takes the line away, so that something else can be printed.
  void clear();

  std::chrono::nanoseconds elapsed() const;

 private:
  using Clock = std::chrono::steady_clock;

  uint64_t total_;
  bool on_terminal_;
  bool drawn_ = false;
  Clock::time_point start_;
  Clock::time_point next_draw_;
};

}  // namespace mocks3::datagen
