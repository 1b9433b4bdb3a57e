#include "reports/analysis/tables/report_table.hpp"

namespace ddpbench {

ReportTable overhead_table() {
  return report_table<OverheadRow>("overhead.csv", "one arm of one cell on one clock", [](const Findings& findings, auto& table) {
    for (const auto& row : findings.overhead) table.add(row);
  });
}

}  // namespace ddpbench
