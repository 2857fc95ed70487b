#include "client/report/table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "client/report/run_directory.hpp"
#include "client/report/text.hpp"
#include "tests/unit/report_fixture.hpp"

using namespace mocks3;
using namespace mocks3::client;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> table_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (const std::string& line : lines_of(text)) {
    if (line.rfind('|', 0) == 0) lines.push_back(line);
  }
  return lines;
}

/// Columns that Markdown sees: unescaped pipes less one.
long cell_count(const std::string& line) {
  long pipes = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '|' && (i == 0 || line[i - 1] != '\\')) ++pipes;
  }
  return pipes - 1;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

size_t widest(const std::string& table) {
  size_t width = 0;
  for (const std::string& line : lines_of(table)) width = std::max(width, display_width(line));
  return width;
}

}  // namespace

TEST_CASE("the columns are those of the manual, in their order") {
  const std::string header = table_lines(format_table(sample_report())).at(0);
  std::string words;
  for (const TableColumn& column : table_columns()) words += column.header + "|";
  CHECK(words ==
        "Client|Threads|Files|FileSize (MiB)|TotalTransferred (MiB)|Duration (s)|Speed (MiB/s)|Op|"
        "% of ceiling|± CI|Client CPU s/GiB|Server CPU s/GiB|Requests|Verdict|");
  size_t at = 0;
  for (const TableColumn& column : table_columns()) {
    const size_t found = header.find(column.header, at);
    REQUIRE(found != std::string::npos);
    at = found + column.header.size();
  }
}

TEST_CASE("every line of the Markdown table has as many cells as the header") {
  RunReport report = sample_report();
  report.rows[0].client = "a|b";
  report.rows[1].valid = false;
  report.rows[1].why_invalid = "one|two\nthree";
  const auto lines = table_lines(format_table(report));
  REQUIRE(lines.size() == 2 + report.rows.size());
  for (const std::string& line : lines) {
    CAPTURE(line);
    CHECK(cell_count(line) == 14);
    CHECK(line.back() == '|');
  }
}

TEST_CASE("numbers are right-aligned and all but the last column line up") {
  const auto lines = table_lines(format_table(sample_report()));
  CHECK(contains(lines[1], "---: |"));
  std::vector<size_t> ends;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i == 0) continue;  // its header has a two-byte character
    ends.push_back(lines[i].rfind('|', lines[i].size() - 2));
  }
  for (const size_t end : ends) CHECK(end == ends.front());
}

TEST_CASE("rows are grouped by operation, file set and threads, clients as given") {
  const auto lines = table_lines(format_table(sample_report()));
  CHECK(contains(lines[2], "aws-cli |       1 |"));
  CHECK(contains(lines[3], "native  |       2 |"));
  CHECK(contains(lines[3], " put "));
  CHECK(contains(lines[4], "aws-cli |       2 |"));
  CHECK(contains(lines[5], " get "));
}

TEST_CASE("figures of a row") {
  const auto cells = table_cells(sample_row("aws-cli", "put", 2, 200));
  CHECK(cells == std::vector<std::string>{"aws-cli", "2", "4", "16", "64", "0.320", "200", "put",
                                          "20", "180..220 n=3", "8.00", "0.80", "4", "client CPU"});
}

TEST_CASE("six repeats have an interval without n") {
  ResultRow row = sample_row("x", "put", 1, 200);
  row.rate_bytes_per_s = {200.0 * kMiB, 190.0 * kMiB, 205.0 * kMiB, 6};
  CHECK(table_cells(row)[9] == "190..205");
}

TEST_CASE("what the server does not say is '-', never 0") {
  ResultRow row = sample_row("native", "get", 1, 100);
  row.server_cpu_s.reset();
  row.requests.clear();
  row.ceiling_bytes_per_s = 0;
  const auto cells = table_cells(row);
  CHECK(cells[8] == "-");
  CHECK(cells[11] == "-");
  CHECK(cells[12] == "-");
}

TEST_CASE("a failed row and an invalid row show no figures") {
  ResultRow row = sample_row("rclone", "put", 1, 100);
  row.valid = false;
  row.why_invalid = "client 10 bytes,\nserver 9 bytes";
  CHECK(table_cells(row)[13] == "INVALID: client 10 bytes, server 9 bytes");
  CHECK(table_cells(row)[6] == "-");
  row.failed = true;
  CHECK(table_cells(row)[13] == "failed");
  CHECK(table_cells(row)[5] == "-");
}

TEST_CASE("a failed row's reason is in the legend") {
  RunReport report = sample_report();
  report.rows[2].valid = false;
  report.rows[2].failed = true;
  report.rows[2].why_invalid = "exit status 7: no such host";
  CHECK(contains(format_table(report),
                 "aws-cli put 4x16MiB threads=2: failed: exit status 7: no such host"));
}

TEST_CASE("a row above its ceiling is flagged, and the flag explained") {
  RunReport report = sample_report();
  CHECK_FALSE(contains(format_table(report), "above the raw ceiling"));
  report.rows.push_back(sample_row("native", "put", 4, 1100));
  CHECK(table_cells(report.rows.back())[8] == "110!");
  CHECK(contains(format_table(report), "!: above the raw ceiling"));
}

TEST_CASE("ceilings that differ by more than 2 % are said once") {
  RunReport report = sample_report();
  CHECK_FALSE(contains(format_table(report), "Warning: a ceiling changed"));
  report.ceilings.push_back({"get", 1, 1000.0 * kMiB, 1100.0 * kMiB});
  report.ceilings.push_back({"get", 2, 1000.0 * kMiB, 1050.0 * kMiB});
  const std::string text = format_table(report);
  const size_t first =
      text.find("Warning: a ceiling changed by 10 % during the run (get, streams 1)");
  CHECK(first != std::string::npos);
  CHECK(text.find("Warning: a ceiling changed", first + 1) == std::string::npos);
}

TEST_CASE("a ceiling measured only before the run warns of nothing") {
  RunReport report = sample_report();
  report.ceilings = {{"put", 1, 1000.0 * kMiB, 0}};
  CHECK(contains(format_table(report), "put 1 stream 1000."));
  CHECK_FALSE(contains(format_table(report), "Warning"));
}

TEST_CASE("the mock as bottleneck is shouted, in red on a terminal only") {
  RunReport report = sample_report();
  CHECK(alarm_lines(report).empty());
  report.rows[0].verdict = "server CPU";
  CHECK(contains(format_table(report), "**THE MOCK WAS MEASURED: in 1 row "));
  CHECK_FALSE(contains(format_table(report), "\033["));
  CHECK(contains(format_table(report, 300, true), "\033[1;31mTHE MOCK WAS MEASURED"));
  CHECK_FALSE(contains(format_table(report, 300, false), "\033["));
}

TEST_CASE("the table fits the terminal") {
  RunReport report = sample_report();
  report.ceilings.clear();
  report.provenance.clear();
  const TableRows rows = {table_cells(report.rows[0]), table_cells(report.rows[2])};
  CHECK(contains(format_table(report, 400, false), "| Client"));
  CHECK(widest(stacked_table(rows, 160)) <= 160);
  CHECK(lines_of(stacked_table(rows, 160)).size() == 3 + 1 + 2);
  CHECK(widest(stacked_table(rows, 80)) <= 80);
  CHECK(lines_of(stacked_table(rows, 80)).back() ==
        "         20  180..220 n=3    8.00    0.80         4  client CPU");
}

TEST_CASE("an interrupted run and its notes are marked") {
  RunReport report = sample_report();
  report.partial = true;
  report.notes = {"a note\nin two lines"};
  CHECK(contains(format_table(report), "Partial: the run was interrupted"));
  CHECK(contains(format_table(report), "- a note in two lines\n"));
}

TEST_CASE("a table without rows is still a table") {
  RunReport report;
  CHECK(table_lines(format_table(report)).size() == 2);
}

TEST_CASE("text is cut between characters and kept on one line") {
  CHECK(one_line(" a\tb\r\n c\x1b[1m ") == "a b c [1m");
  CHECK(shortened("abcdef", 6) == "abcdef");
  CHECK(shortened("abcdefg", 6) == "abc...");
  CHECK(shortened("ä€öüabcd", 6) == "ä€ö...");
  CHECK(display_width("± CI") == 4);
}
