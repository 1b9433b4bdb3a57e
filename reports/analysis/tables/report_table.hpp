#pragma once
#include <functional>
#include <string>

#include "reports/analysis/tables/findings.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "suite/contract/tables/table_schema.hpp"

namespace ddpbench {

// Describes a CSV file that the report writes: what stands in it, and how its text is made.
struct ReportTable {
  TableSchema schema;
  std::function<std::string(const Findings&)> text;
};

// Adds, behind the columns of a table whose first one is cell_id, the cell's label, axes and options, so that the table can be
// plotted by itself. Leaves a table alone that has one of those columns, or no cell_id: false.
bool add_axes_columns(TableSchema& schema);
// Adds their values to a table's text, row by row; empty ones where the study has no such cell.
std::string with_axes_of_cells(const std::string& text, const Study& study);

// Makes a table. `add_rows` fills it row by row: a large folder has millions of them. `kManyRows`: of such a table, which does
// without axes.
template <class Row, bool kManyRows = false>
ReportTable report_table(const char* file, const char* row_is, void (*add_rows)(const Findings&, CsvText<Row>&)) {
  auto schema = table_schema<Row>(file, row_is);
  bool has_axes = false;
  if (!kManyRows) has_axes = add_axes_columns(schema);
  return {schema, [add_rows, has_axes](const Findings& findings) {
            CsvText<Row> text;
            add_rows(findings, text);
            return has_axes ? with_axes_of_cells(text.take(), findings.study) : text.take();
          }};
}

}  // namespace ddpbench
