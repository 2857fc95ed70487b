#pragma once
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>

namespace mocks3::client {

/// Tells a person how far a run is, on standard error so that standard output stays clean: on a
/// terminal one line that is rewritten, else a plain line at each begin and end. One thread.
class Progress {
 public:
  /// For standard error as it is.
  Progress();
  /// `out` is not owned. `width`: columns of the terminal; no rewritten line is longer.
  Progress(std::FILE* out, bool terminal, size_t width);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Cell `number` (from 1) of `total` begins.
  void begin(size_t number, size_t total, const std::string& what);
  /// The rate now, and where known the time left of the whole run. Terminal only.
  void update(double bytes_per_second, std::optional<double> seconds_left);
  /// The cell ended, e.g. "512 MiB/s". On a terminal the line goes, else a plain line is printed.
  void end(const std::string& outcome);
  /// A line that stays.
  void say(const std::string& line);

 private:
  void rewrite(const std::string& text);
  void erase();

  std::FILE* out_;
  bool terminal_;
  size_t width_;
  std::string label_;
  bool line_shown_ = false;
};

}  // namespace mocks3::client
