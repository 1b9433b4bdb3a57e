#include "reports/analysis/tables/launch_bins.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "suite/base/median.hpp"

namespace ddpbench {
namespace {

constexpr std::size_t kMostBins = 300;
constexpr std::size_t kFewestBins = 20;
constexpr std::size_t kMostRows = 200'000;

LaunchPoint bin_of(std::span<const LaunchPoint> points) {
  std::vector<double> values;
  for (const auto& point : points) values.push_back(point.value);
  return {points[points.size() / 2].super_block, median(std::move(values))};
}

}  // namespace

std::size_t launch_bins(const Study& study) {
  std::size_t series = 1;
  for (const auto& cell : study.cells) {
    for (const auto& arm : cell.arms) series += cell.launches_with({arm}).size();
  }
  return std::clamp(kMostRows / series, kFewestBins, kMostBins);
}

std::vector<LaunchPoint> binned(const std::vector<LaunchPoint>& points, std::size_t most) {
  const auto width = (points.size() + most - 1) / most;
  std::vector<LaunchPoint> bins;
  for (std::size_t begin = 0; begin < points.size(); begin += width) {
    bins.push_back(bin_of(std::span(points).subspan(begin, std::min(width, points.size() - begin))));
  }
  return bins;
}

}  // namespace ddpbench
