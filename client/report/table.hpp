#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "client/report/result_row.hpp"

namespace mocks3::client {

struct TableColumn {
  std::string header;
  bool right_aligned = true;
};
const std::vector<TableColumn>& table_columns();

/// A row's cells, one for each column; "-" where there is no figure.
std::vector<std::string> table_cells(const ResultRow& row);

/// Rows by operation (put before get), file size, files, threads; else in their order.
std::vector<const ResultRow*> rows_in_order(const RunReport& report);

using TableRows = std::vector<std::vector<std::string>>;
/// GitHub Markdown; cells are escaped.
std::string markdown_table(const TableRows& rows);
/// For a terminal: headers stacked in up to three lines; where that is wider than `width`, each row
/// is folded in two lines.
std::string stacked_table(const TableRows& rows, size_t width);

/// The lines under the table: ceilings, what marks mean, notes, provenance.
std::vector<std::string> legend_lines(const RunReport& report);
/// Lines that must not be overlooked: that the mock itself was measured.
std::vector<std::string> alarm_lines(const RunReport& report);

}  // namespace mocks3::client
