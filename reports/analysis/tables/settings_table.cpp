#include <cmath>

#include "reports/analysis/findings/setting_comparison.hpp"
#include "reports/analysis/tables/csv_table.hpp"
#include "reports/analysis/tables/tables.hpp"

namespace ddpbench {

std::string settings_table(const Study& study) {
  CsvTable table(
      "setting,value,reference_value,cell_id,reference_cell_id,clock,difference_us,difference_us_lo,difference_us_hi,"
      "difference_percent,difference_percent_lo,difference_percent_hi,reference_step_ms,repetitions,p,p_holm,comparisons,verdict,"
      "reason");
  const auto percent = [](double log_ratio) { return 100 * std::expm1(log_ratio); };
  for (const auto& row : compare_settings(study)) {
    table << row.setting << row.value << row.reference_value << row.cell_id << row.reference_cell_id << row.clock << row.us.value
          << row.us.lo << row.us.hi << percent(row.log_ratio.value) << percent(row.log_ratio.lo) << percent(row.log_ratio.hi)
          << 1e-3 * row.reference_step_us << row.us.n << row.p << row.p_holm << row.comparisons << row.verdict << row.reason;
    table.end_row();
  }
  return table.text();
}

}  // namespace ddpbench
