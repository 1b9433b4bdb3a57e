// The two tables beside the samples, whose rows the analysis works with: overhead.csv and scaling.csv.
#include "reports/analysis/tables/tables.hpp"

namespace ddpbench {

ReportTable overhead_table() {
  return report_table<OverheadRow>("overhead.csv", "one arm of one cell on one clock",
                                   [](const TableInputs& analysed, auto& table) {
                                     for (const auto& row : analysed.overhead) table.add(row);
                                   });
}

ReportTable scaling_table() {
  return report_table<ScalingRow>("scaling.csv", "one arm of one cell in one mode", [](const TableInputs& analysed, auto& table) {
    for (const auto& row : analysed.findings.scaling) table.add(row);
  });
}

}  // namespace ddpbench
