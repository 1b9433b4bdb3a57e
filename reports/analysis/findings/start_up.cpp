#include "reports/analysis/findings/start_up.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "reports/analysis/tables/report_table.hpp"
#include "suite/base/median.hpp"
#include "suite/contract/tables/metrics.hpp"

namespace ddpbench {
namespace {

std::string group_phrase(const Study& study, const PlanRow& axes) {
  auto words = axes.workload + ", " + axes.strategy + ", " + axes.backend;
  if (axes.precision != "fp32") words += ", " + axes.precision;
  for (const auto& option : telling_options_of(study, axes)) words += ", " + option;
  return words;
}

std::vector<double> seconds_of(const Cell& cell, std::int64_t& launches) {
  std::vector<double> seconds;
  for (const auto& launch : cell.launches) {
    const auto before = seconds.size();
    for (const auto& row : launch.metrics) {
      if (row.metric == kMetrics.seconds_to_first_step_of_launch.name && row.value > 0) seconds.push_back(row.value);
    }
    launches += seconds.size() > before ? 1 : 0;
  }
  return seconds;
}

double growth_of(const std::vector<StartUpRow>& rows) {
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  const auto n = static_cast<double>(rows.size());
  for (const auto& row : rows) {
    mean_x += std::log(static_cast<double>(row.world_size)) / n;
    mean_y += std::log(row.seconds) / n;
  }
  for (const auto& row : rows) {
    const double dx = std::log(static_cast<double>(row.world_size)) - mean_x;
    xx += dx * dx;
    xy += dx * (std::log(row.seconds) - mean_y);
  }
  return xx > 0 ? xy / xx : kNotMeasured;
}

}  // namespace

std::vector<StartUpRow> start_up_rows(const Study& study) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<StartUpRow>> groups;
  for (const auto& cell : study.cells) {
    StartUpRow row{group_phrase(study, cell.axes), cell.axes.cell_id, cell.axes.nodes, cell.axes.ranks_per_node,
                   cell.world_size()};
    const auto seconds = seconds_of(cell, row.launches);
    if (seconds.empty()) continue;
    row.seconds = median(seconds);
    row.shortest_s = *std::min_element(seconds.begin(), seconds.end());
    row.longest_s = *std::max_element(seconds.begin(), seconds.end());
    const auto [found, fresh] = groups.try_emplace(axes_but(kSizeAxes, cell.axes));
    if (fresh) order.push_back(found->first);
    found->second.push_back(row);
  }
  std::vector<StartUpRow> all;
  for (const auto& key : order) {
    auto& rows = groups.at(key);
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.world_size < b.world_size; });
    for (auto& row : rows) row.growth = growth_of(rows);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

namespace {

const std::array kStartUpColumns{
    Column<StartUpRow>{"group", &StartUpRow::group, "what tells its cells from others: workload, strategy, backend, options"},
    Column<StartUpRow>{"cell_id", &StartUpRow::cell_id, "one combination of every axis except arm"},
    Column<StartUpRow>{"nodes", &StartUpRow::nodes, "hosts"},
    Column<StartUpRow>{"ranks_per_node", &StartUpRow::ranks_per_node, "processes per host"},
    Column<StartUpRow>{"world_size", &StartUpRow::world_size, "ranks"},
    Column<StartUpRow>{"seconds", &StartUpRow::seconds,
                       "from the start of a launch's ranks to the end of its first step: median over ranks and launches", "s"},
    Column<StartUpRow>{"shortest_s", &StartUpRow::shortest_s, "of them", "s"},
    Column<StartUpRow>{"longest_s", &StartUpRow::longest_s, "of them", "s"},
    Column<StartUpRow>{"launches", &StartUpRow::launches, "that were timed"},
    Column<StartUpRow>{"growth", &StartUpRow::growth,
                       "p of seconds ~ ranks^p over the group's sizes, least squares through the logarithms; empty: one size"},
};

}  // namespace

template <>
std::span<const Column<StartUpRow>> columns<StartUpRow>() {
  return kStartUpColumns;
}

ReportTable start_up_table() {
  return report_table<StartUpRow>("tables/start_up.csv", "one size of a group of cells: how long its launches take to start",
                                  [](const Findings& findings, auto& table) {
                                    for (const auto& row : start_up_rows(findings.study)) table.add(row);
                                  });
}

}  // namespace ddpbench
