#pragma once
#include <functional>
#include <string>

#include "reports/analysis/findings/findings.hpp"
#include "suite/contract/csv_writer.hpp"
#include "suite/contract/table_schema.hpp"

namespace ddpbench {

// What the tables are made of.
struct Analysed {
  const Study& study;
  const std::vector<OverheadRow>& overhead;
  const Findings& findings;
};

// A CSV file that the report writes: what stands in it, and how its text is made.
struct ReportTable {
  TableSchema schema;
  std::function<std::string(const Analysed&)> text;
};

// `add_rows` fills the table row by row: a large folder has millions of them.
template <class Row>
ReportTable report_table(const char* file, const char* row_is, void (*add_rows)(const Analysed&, CsvText<Row>&)) {
  return {table_schema<Row>(file, row_is), [add_rows](const Analysed& analysed) {
            CsvText<Row> text;
            add_rows(analysed, text);
            return text.take();
          }};
}

}  // namespace ddpbench
