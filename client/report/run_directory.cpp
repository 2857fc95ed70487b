#include "client/report/run_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "client/report/bench_text.hpp"
#include "client/report/run_json.hpp"
#include "client/report/samples.hpp"
#include "client/report/table.hpp"
#include "client/report/text.hpp"
#include "shared/util/time_text.hpp"

namespace mocks3::client {
namespace {

namespace fs = std::filesystem;

Error directory_error(const std::string& directory, const std::string& why) {
  return Error{
      fmt::format("run directory {}: {}; choose another place with --out DIR", directory, why)};
}

Status make_directories(const std::string& directory) {
  std::error_code error;
  if (fs::exists(directory, error) && !fs::is_directory(directory, error)) {
    return directory_error(directory, "a file is in its place");
  }
  fs::create_directories(directory, error);
  if (error) return directory_error(directory, error.message());
  return ok_status();
}

/// Proves that files can be made there: permission bits alone do not tell (read-only volumes).
Status check_writable(const std::string& directory) {
  std::string probe = directory + "/.probe-XXXXXX";
  const int fd = mkstemp(probe.data());
  if (fd < 0) return directory_error(directory, std::strerror(errno));
  close(fd);
  unlink(probe.c_str());
  return ok_status();
}

/// runs/<UTC time>-<name>, with a number behind it where another run began in the same second.
Result<std::string> make_unique_directory(const std::string& name) {
  if (const Status made = make_directories("runs"); !made) return made.error();
  const std::string base = fmt::format("runs/{}-{}", basic_iso8601(now_millis()), name);
  for (int attempt = 1; attempt < 1000; ++attempt) {
    const std::string directory = attempt == 1 ? base : fmt::format("{}-{}", base, attempt);
    if (mkdir(directory.c_str(), 0777) == 0) return directory;
    if (errno != EEXIST) return directory_error(directory, std::strerror(errno));
  }
  return directory_error(base, "too many runs of that name");
}

Status write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Error{std::strerror(errno)};
    text.remove_prefix(static_cast<size_t>(written));
  }
  return ok_status();
}

Status write_atomically(const std::string& path, std::string_view text) {
  const std::string temporary = path + ".partial";
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return Error{fmt::format("cannot write {}: {}", path, std::strerror(errno))};
  const Status written = write_all(fd, text);
  const bool closed = close(fd) == 0;
  if (written && closed && rename(temporary.c_str(), path.c_str()) == 0) return ok_status();
  const std::string why = written ? std::strerror(errno) : written.error().message;
  unlink(temporary.c_str());
  return Error{fmt::format("cannot write {}: {}", path, why)};
}

std::string pairs_markdown(const std::string& title,
                           const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string text = "## " + title + "\n\n";
  for (const auto& [name, value] : pairs) text += fmt::format("- {}: {}\n", name, one_line(value));
  return text + "\n";
}

std::string table_markdown(const RunReport& report) {
  return fmt::format("# s3-bench {}\n\n", report.name) +
         pairs_markdown("Provenance", report.provenance) +
         pairs_markdown("Settings", report.settings) + "## Results\n\n" + format_table(report);
}

TableRows cells_of(const RunReport& report) {
  TableRows rows;
  for (const ResultRow* row : rows_in_order(report)) rows.push_back(table_cells(*row));
  return rows;
}

std::string bullets(const std::vector<std::string>& lines) {
  std::string text = "\n";
  for (const std::string& line : lines) text += "- " + line + "\n";
  return text;
}

size_t first_line_width(const std::string& text) {
  return display_width(std::string_view(text).substr(0, text.find('\n')));
}

}  // namespace

Result<std::string> make_run_directory(const std::string& out, const std::string& name) {
  if (out.empty()) return make_unique_directory(name);
  if (const Status made = make_directories(out); !made) return made.error();
  if (const Status writable = check_writable(out); !writable) return writable.error();
  return out;
}

void discard_run_directory(const std::string& directory) {
  if (rmdir(directory.c_str()) != 0) return;
  if (fs::path(directory).parent_path() == "runs") rmdir("runs");
}

Status write_run(const std::string& directory, const RunReport& report) {
  const std::pair<const char*, std::string> files[] = {{"run.json", run_json(report)},
                                                       {"table.md", table_markdown(report)},
                                                       {"bench.txt", bench_text(report)},
                                                       {"samples.csv", samples_csv(report)}};
  for (const auto& [name, text] : files) {
    if (Status written = write_atomically(directory + "/" + name, text); !written) return written;
  }
  return ok_status();
}

std::string format_table(const RunReport& report) {
  std::string text = markdown_table(cells_of(report));
  std::vector<std::string> lines = alarm_lines(report);
  for (std::string& line : lines) line = "**" + line + "**";
  for (std::string& line : legend_lines(report)) lines.push_back(std::move(line));
  return text + bullets(lines);
}

std::string format_table(const RunReport& report, size_t width, bool colour) {
  const TableRows rows = cells_of(report);
  std::string text = markdown_table(rows);
  if (first_line_width(text) > width) text = stacked_table(rows, width);
  std::vector<std::string> lines = alarm_lines(report);
  if (colour) {
    for (std::string& line : lines) line = "\033[1;31m" + line + "\033[0m";
  }
  for (std::string& line : legend_lines(report)) lines.push_back(std::move(line));
  return text + bullets(lines);
}

std::string format_table_for_stdout(const RunReport& report) {
  winsize window{};
  if (isatty(STDOUT_FILENO) == 0) return format_table(report);
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
  return format_table(report, known ? window.ws_col : 80, std::getenv("NO_COLOR") == nullptr);
}

}  // namespace mocks3::client
