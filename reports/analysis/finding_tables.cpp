// Tables of what is one row per finding.
#include "reports/analysis/csv_table.hpp"
#include "reports/analysis/findings.hpp"

namespace ddpbench {

std::string ladder_table(const Findings& findings) {
  CsvTable table("cell_id,clock,base,kind,feature,arm,reference,cost_us,cost_us_lo,cost_us_hi,pairs,launches,remainder_us");
  for (const auto& row : findings.ladder) {
    table << row.cell_id << row.clock << row.base << row.kind << row.feature << row.arm << row.reference << row.cost.us
          << row.cost.lo << row.cost.hi << row.cost.pairs << row.cost.launches << row.remainder_us;
    table.end_row();
  }
  return table.text();
}

}  // namespace ddpbench
