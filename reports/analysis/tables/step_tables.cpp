// The two tables of step times: their distribution, and their drift over a launch.
#include <algorithm>
#include <cmath>

#include "reports/analysis/samples/block_series.hpp"
#include "reports/analysis/tables/csv_table.hpp"
#include "reports/analysis/tables/tables.hpp"
#include "reports/estimates/estimate.hpp"
#include "suite/base/median.hpp"

namespace ddpbench {
namespace {

constexpr int kQuantileSteps = 200;          // every half percent
constexpr std::size_t kMostDriftBins = 300;  // of a launch: more points than a plot has pixels tell nothing
constexpr std::size_t kFewestDriftBins = 20;
constexpr std::size_t kMostDriftRows = 200'000;  // of the table, as far as the fewest bins allow

std::vector<double> ascending_step_times(const Cell& cell, const std::string& arm) {
  std::vector<double> seconds;
  for (const auto* launch : cell.launches_with({arm})) {
    const auto& blocks = launch->samples.find(arm)->blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      for (const auto& times : blocks[i]) {
        const double wall_s = times[index_of(Clock::kWall)];
        if (std::isfinite(wall_s)) seconds.push_back(wall_s);
      }
    }
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}

struct DriftPoint {
  std::size_t super_block;
  double step_s;
};

std::vector<DriftPoint> block_medians(const ArmSamples& arm) {
  std::vector<DriftPoint> points;
  const auto series = block_series(arm, Clock::kWall).of_medians;
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

}  // namespace

std::string distribution_table(const Study& study) {
  CsvTable table("cell_id,arm,quantile,step_ms");
  for (const auto& cell : study.cells) {
    for (const auto& arm : cell.arms) {
      const auto seconds = ascending_step_times(cell, arm);
      for (int i = 0; i <= kQuantileSteps; ++i) {
        const double q = static_cast<double>(i) / kQuantileSteps;
        if (!bears_quantile(seconds.size(), q)) continue;
        table << cell.axes.cell_id << arm << q << 1e3 * quantile_of_sorted(seconds, q);
        table.end_row();
      }
    }
  }
  return table.text();
}

std::string drift_table(const Study& study) {
  CsvTable table("cell_id,launch_id,arm,super_block,step_ms");
  const auto bins = drift_bins(study);
  for (const auto& cell : study.cells) {
    for (const auto& arm : cell.arms) {
      for (const auto* launch : cell.launches_with({arm})) {
        for (const auto& point : binned(block_medians(*launch->samples.find(arm)), bins)) {
          table << cell.axes.cell_id << launch->launch_id << arm << point.super_block << 1e3 * point.step_s;
          table.end_row();
        }
      }
    }
  }
  return table.text();
}

}  // namespace ddpbench
