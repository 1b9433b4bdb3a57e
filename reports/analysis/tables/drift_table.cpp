#include <array>
#include <cmath>

#include "reports/analysis/samples/block_series.hpp"
#include "reports/analysis/tables/launch_bins.hpp"
#include "reports/analysis/tables/report_table.hpp"

namespace ddpbench {
namespace {

struct DriftRow {
  std::string cell_id, launch_id, arm;
  std::int64_t super_block = 0;
  double step_ms = kNotMeasured;
};

const std::array kDriftColumns{
    Column<DriftRow>{"cell_id", &DriftRow::cell_id, "one combination of every axis except arm"},
    Column<DriftRow>{"launch_id", &DriftRow::launch_id, "name of the launch"},
    Column<DriftRow>{"arm", &DriftRow::arm, "who drives the step"},
    Column<DriftRow>{"super_block", &DriftRow::super_block, "from 1; of a bin of neighbours the one in the middle"},
    Column<DriftRow>{
        "step_ms", &DriftRow::step_ms,
        "median of the block, on the device's clock where it was measured, else wall; of a bin the median of its blocks' medians",
        "ms"},
};

}  // namespace

template <>
std::span<const Column<DriftRow>> columns<DriftRow>() {
  return kDriftColumns;
}

namespace {

std::vector<LaunchPoint> block_medians(const ArmSamples& arm, Clock clock) {
  std::vector<LaunchPoint> points;
  const auto series = block_series(arm, clock).of_medians;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const auto super_block = static_cast<std::int64_t>(i) / arm.blocks_per_super_block + 1;
    if (std::isfinite(series[i])) points.push_back({super_block, std::exp(series[i])});
  }
  return points;
}

void add_drift(CsvText<DriftRow>& table, const Cell& cell, const std::string& arm, std::size_t bins) {
  const auto clock = cell.family_of(arm).attained_clock();
  for (const auto* launch : cell.launches_with({arm})) {
    for (const auto& point : binned(block_medians(*launch->samples.find(arm), clock), bins)) {
      table.add({cell.axes.cell_id, launch->launch_id, arm, point.super_block, 1e3 * point.value});
    }
  }
}

}  // namespace

ReportTable drift_table() {
  return report_table<DriftRow, true>("tables/drift.csv", "one super-block, or a bin of neighbours, of one arm of one launch",
                                      [](const Findings& findings, auto& table) {
                                        const auto bins = launch_bins(findings.study);
                                        for (const auto& cell : findings.study.cells) {
                                          for (const auto& arm : cell.arms) add_drift(table, cell, arm, bins);
                                        }
                                      });
}

}  // namespace ddpbench
