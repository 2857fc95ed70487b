#include "client/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "client/report/text.hpp"

namespace mocks3::client {
namespace {

/// Columns through the operation: what a folded row has on its first line (75 columns wide).
constexpr size_t kFoldAt = 8;
constexpr std::string_view kFoldIndent = "    ";
constexpr size_t kVerdictWidth = 19;  ///< of the longest word; a reason may run over

std::string padded(const std::string& text, size_t width, bool right_aligned) {
  const size_t columns = display_width(text);
  const std::string space(width > columns ? width - columns : 0, ' ');
  return right_aligned ? space + text : text + space;
}

std::string markdown_escaped(const std::string& text) {
  std::string escaped;
  for (const char c : one_line(text)) {
    if (c == '|' || c == '\\' || c == '<' || c == '*' || c == '`') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::vector<size_t> widths_of(const TableRows& rows, std::span<const size_t> least) {
  std::vector<size_t> widths(least.begin(), least.end());
  for (const auto& row : rows) {
    for (size_t i = 0; i < widths.size(); ++i) {
      const size_t width = display_width(row[i]);
      // A long reason in the last column must not widen every line.
      if (i + 1 == widths.size() && width > kVerdictWidth) continue;
      widths[i] = std::max(widths[i], width);
    }
  }
  return widths;
}

std::string markdown_line(const std::vector<std::string>& cells,
                          const std::vector<size_t>& widths) {
  std::string line = "|";
  for (size_t i = 0; i < cells.size(); ++i) {
    line += " " + padded(cells[i], widths[i], table_columns()[i].right_aligned) + " |";
  }
  return line + "\n";
}

std::string markdown_rule(const std::vector<size_t>& widths) {
  std::string line = "|";
  for (size_t i = 0; i < widths.size(); ++i) {
    const bool right = table_columns()[i].right_aligned;
    line += fmt::format(" {}{} |", std::string(widths[i] - (right ? 1 : 0), '-'), right ? ":" : "");
  }
  return line + "\n";
}

/// A header cut at its spaces, but not behind a lone sign: "% of", "ceiling".
std::vector<std::string> header_words(const std::string& header) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : header + " ") {
    if (c != ' ' || word == "%" || word == "±") {
      word += c;
    } else if (!word.empty()) {
      words.push_back(word);
      word.clear();
    }
  }
  return words;
}

using StackedHeaders = std::vector<std::vector<std::string>>;

StackedHeaders stacked_headers() {
  StackedHeaders headers;
  for (const TableColumn& column : table_columns()) headers.push_back(header_words(column.header));
  return headers;
}

std::vector<size_t> header_widths(const StackedHeaders& headers) {
  std::vector<size_t> widths;
  for (const auto& words : headers) {
    size_t width = 0;
    for (const std::string& word : words) width = std::max(width, display_width(word));
    widths.push_back(width);
  }
  return widths;
}

/// Columns [from, to) of a line.
std::string plain_line(const std::vector<std::string>& cells, const std::vector<size_t>& widths,
                       size_t from, size_t to) {
  std::string line;
  for (size_t i = from; i < to; ++i) {
    if (i > from) line += "  ";
    line += padded(cells[i], widths[i], table_columns()[i].right_aligned);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

/// The headers of columns [from, to), in as many lines as the longest needs, at the bottom.
std::string header_block(const StackedHeaders& headers, const std::vector<size_t>& widths,
                         size_t from, size_t to) {
  size_t height = 0;
  for (size_t i = from; i < to; ++i) height = std::max(height, headers[i].size());
  std::string block;
  for (size_t line = 0; line < height; ++line) {
    std::vector<std::string> cells(headers.size());
    for (size_t i = from; i < to; ++i) {
      const size_t skip = height - headers[i].size();
      if (line >= skip) cells[i] = headers[i][line - skip];
    }
    block += plain_line(cells, widths, from, to);
  }
  return block;
}

std::string indented(const std::string& lines) {
  std::string text;
  for (const char c : lines) {
    if (text.empty() || text.back() == '\n') text += kFoldIndent;
    text += c;
  }
  return text;
}

size_t line_width(const std::vector<size_t>& widths) {
  size_t total = 2 * (widths.size() - 1);
  for (const size_t width : widths) total += width;
  return total;
}

}  // namespace

std::string markdown_table(const TableRows& rows) {
  TableRows escaped = rows;
  for (auto& row : escaped) std::transform(row.begin(), row.end(), row.begin(), markdown_escaped);
  std::vector<std::string> headers;
  std::vector<size_t> least;
  for (const TableColumn& column : table_columns()) {
    headers.push_back(column.header);
    least.push_back(display_width(column.header));
  }
  const std::vector<size_t> widths = widths_of(escaped, least);
  std::string text = markdown_line(headers, widths) + markdown_rule(widths);
  for (const auto& row : escaped) text += markdown_line(row, widths);
  return text;
}

std::string stacked_table(const TableRows& rows, size_t width) {
  const StackedHeaders headers = stacked_headers();
  std::vector<size_t> widths = widths_of(rows, header_widths(headers));
  const size_t count = widths.size();
  widths[count - 1] = kVerdictWidth;
  const bool fold = line_width(widths) > width;
  const size_t first_end = fold ? kFoldAt : count;
  std::string text = header_block(headers, widths, 0, first_end);
  if (fold) text += indented(header_block(headers, widths, first_end, count));
  text += std::string(std::min(width, line_width(widths)), '-') + "\n";
  for (const auto& row : rows) {
    text += plain_line(row, widths, 0, first_end);
    if (fold) text += indented(plain_line(row, widths, first_end, count));
  }
  return text;
}

}  // namespace mocks3::client
