#include <algorithm>
#include <array>
#include <cmath>

#include "reports/analysis/samples/block_series.hpp"
#include "reports/analysis/tables/report_table.hpp"
#include "suite/estimates/estimate.hpp"

namespace ddpbench {
namespace {

struct DistributionRow {
  std::string cell_id, arm;
  double quantile = 0, step_ms = kNotMeasured;
};

const std::array kDistributionColumns{
    Column<DistributionRow>{"cell_id", &DistributionRow::cell_id, "one combination of every axis except arm"},
    Column<DistributionRow>{"arm", &DistributionRow::arm, "who drives the step"},
    Column<DistributionRow>{"quantile", &DistributionRow::quantile,
                            "0, 0.005, …, 1; those that so few steps do not bear are left out"},
    Column<DistributionRow>{"step_ms", &DistributionRow::step_ms,
                            "wall, slowest rank of each step, of all launches; none on a GPU, where the host only enqueues",
                            "ms"},
};

}  // namespace

template <>
std::span<const Column<DistributionRow>> columns<DistributionRow>() {
  return kDistributionColumns;
}

namespace {

constexpr int kQuantileSteps = 200;  // every half percent

// None where steps are times of enqueuing.
std::vector<double> ascending_step_times(const Cell& cell, const std::string& arm) {
  std::vector<double> seconds;
  if (cell.family_of(arm).host_only_enqueues()) return seconds;
  for (const auto* launch : cell.launches_with({arm})) {
    const auto& samples = *launch->samples.find(arm);
    for (std::size_t block = 0; block < blocks_of(samples); ++block) {
      for (const double wall_s : slowest_steps_s(samples, block)) {
        if (std::isfinite(wall_s)) seconds.push_back(wall_s);
      }
    }
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}

void add_quantiles(CsvText<DistributionRow>& table, const std::string& cell_id, const std::string& arm,
                   const std::vector<double>& seconds) {
  for (int i = 0; i <= kQuantileSteps; ++i) {
    const double q = static_cast<double>(i) / kQuantileSteps;
    if (bears_quantile(seconds.size(), q)) table.add({cell_id, arm, q, 1e3 * quantile_of_sorted(seconds, q)});
  }
}

}  // namespace

ReportTable distribution_table() {
  return report_table<DistributionRow, true>("tables/distribution.csv", "one quantile of one arm of one cell",
                                             [](const Findings& findings, auto& table) {
                                               for (const auto& cell : findings.study.cells) {
                                                 for (const auto& arm : cell.arms)
                                                   add_quantiles(table, cell.axes.cell_id, arm, ascending_step_times(cell, arm));
                                               }
                                             });
}

}  // namespace ddpbench
