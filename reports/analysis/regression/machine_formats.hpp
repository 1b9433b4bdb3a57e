#pragma once
#include <string>

#include "reports/analysis/regression/build_comparison.hpp"
#include "suite/contract/tables/table_schema.hpp"

namespace ddpbench {

// Writes JUnit XML as Jenkins and GitLab read it: a suite for each cell, a case for each row that counts. A regression is a
// failure; what is open is skipped, or with `open_is_an_error` an error. `time`: 0, since a case is no run.
std::string junit_xml(const BuildComparison& comparison, bool open_is_an_error);

// Writes what github-action-benchmark takes as `customSmallerIsBetter`: [{"name", "unit", "value", "range", "extra"}], new's
// values of the rows that count; `range` is the half-width of the change's interval.
std::string benchmark_json(const BuildComparison& comparison);

// Names the file of every row, on every clock, which `ddpbench compare` writes.
inline constexpr const char* kComparisonFile = "comparison.csv";
// Describes that file, and writes its text.
TableSchema comparison_table();
std::string comparison_csv(const BuildComparison& comparison);

}  // namespace ddpbench
