#pragma once
#include <functional>
#include <string>

#include "reports/analysis/findings/findings.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "suite/contract/tables/table_schema.hpp"

namespace ddpbench {

// What the tables are made of.
struct TableInputs {
  const Study& study;
  const std::vector<OverheadRow>& overhead;
  const Findings& findings;
};

// A CSV file that the report writes: what stands in it, and how its text is made.
struct ReportTable {
  TableSchema schema;
  std::function<std::string(const TableInputs&)> text;
};

// Behind the columns of a table whose first one is cell_id: the cell's label, axes and options, so that the table can be plotted by itself.
// A table that has one of those columns is left alone: false.
bool add_axes_columns(TableSchema& schema);
std::string with_axes_of_cells(const std::string& text, const Study& study);

// `add_rows` fills the table row by row: a large folder has millions of them. `kManyRows`: of such a table, which does without axes.
template <class Row, bool kManyRows = false>
ReportTable report_table(const char* file, const char* row_is, void (*add_rows)(const TableInputs&, CsvText<Row>&)) {
  auto schema = table_schema<Row>(file, row_is);
  bool has_axes = false;
  if (!kManyRows) has_axes = add_axes_columns(schema);
  return {schema, [add_rows, has_axes](const TableInputs& analysed) {
            CsvText<Row> text;
            add_rows(analysed, text);
            return has_axes ? with_axes_of_cells(text.take(), analysed.study) : text.take();
          }};
}

}  // namespace ddpbench
