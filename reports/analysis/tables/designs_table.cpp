// How ways of comparing two arms fare: the same in every report, for it is of a simulated host.
#include "reports/analysis/tables/csv_table.hpp"
#include "reports/analysis/tables/tables.hpp"
#include "reports/estimates/simulated_designs.hpp"

namespace ddpbench {

std::string designs_table(const Study& /*study*/) {
  static const auto kRows = simulated_designs();
  CsvTable table("design,words,campaigns,steps_per_arm,false_positives_percent,rmse_percent,coverage_percent,power_percent");
  for (const auto& row : kRows) {
    table << row.design << row.words << row.campaigns << row.steps_per_arm << row.false_positives_percent << row.rmse_percent
          << row.coverage_percent << row.power_percent;
    table.end_row();
  }
  return table.text();
}

}  // namespace ddpbench
