#include <algorithm>
#include <array>
#include <cmath>

#include "reports/analysis/samples/block_series.hpp"
#include "reports/analysis/tables/tables.hpp"
#include "suite/base/median.hpp"

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

constexpr std::size_t kMostDriftBins = 300;  // of a launch: more points than a plot has pixels tell nothing
constexpr std::size_t kFewestDriftBins = 20;
constexpr std::size_t kMostDriftRows = 200'000;  // of the table, as far as the fewest bins allow

struct DriftPoint {
  std::size_t super_block;
  double step_s;
};

std::vector<DriftPoint> block_medians(const ArmSamples& arm, Clock clock) {
  std::vector<DriftPoint> points;
  const auto series = block_series(arm, clock).of_medians;
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (std::isfinite(series[i]))
      points.push_back({i / static_cast<std::size_t>(arm.blocks_per_super_block) + 1, std::exp(series[i])});
  }
  return points;
}

// The middle super-block's number with the median of its neighbourhood.
DriftPoint bin_of(std::span<const DriftPoint> points) {
  std::vector<double> steps;
  for (const auto& point : points) steps.push_back(point.step_s);
  return {points[points.size() / 2].super_block, median(std::move(steps))};
}

std::size_t drift_bins(const Study& study) {
  std::size_t series = 1;
  for (const auto& cell : study.cells) {
    for (const auto& arm : cell.arms) series += cell.launches_with({arm}).size();
  }
  return std::clamp(kMostDriftRows / series, kFewestDriftBins, kMostDriftBins);
}

std::vector<DriftPoint> binned(const std::vector<DriftPoint>& points, std::size_t most) {
  const auto width = (points.size() + most - 1) / most;
  std::vector<DriftPoint> bins;
  for (std::size_t begin = 0; begin < points.size(); begin += width) {
    bins.push_back(bin_of(std::span(points).subspan(begin, std::min(width, points.size() - begin))));
  }
  return bins;
}

void add_drift(CsvText<DriftRow>& table, const Cell& cell, const std::string& arm, std::size_t bins) {
  const auto clock = cell.family_of(arm).step_clock();
  for (const auto* launch : cell.launches_with({arm})) {
    for (const auto& point : binned(block_medians(*launch->samples.find(arm), clock), bins)) {
      const auto super_block = static_cast<std::int64_t>(point.super_block);
      table.add({cell.axes.cell_id, launch->launch_id, arm, super_block, 1e3 * point.step_s});
    }
  }
}

}  // namespace

ReportTable drift_table() {
  return report_table<DriftRow>("tables/drift.csv", "one super-block, or a bin of neighbours, of one arm of one launch",
                                [](const Analysed& analysed, auto& table) {
                                  const auto bins = drift_bins(analysed.study);
                                  for (const auto& cell : analysed.study.cells) {
                                    for (const auto& arm : cell.arms) add_drift(table, cell, arm, bins);
                                  }
                                });
}

}  // namespace ddpbench
