#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "reports/analysis/tables/report_table.hpp"
#include "suite/base/median.hpp"

namespace ddpbench {
namespace {

struct MetricSummaryRow {
  std::string cell_id, arm, metric;
  double median = kNotMeasured, smallest = kNotMeasured, largest = kNotMeasured;
  std::string unit;
  std::int64_t values = 0, launches = 0;
};

const std::array kMetricSummaryColumns{
    Column<MetricSummaryRow>{"cell_id", &MetricSummaryRow::cell_id, "one combination of every axis except arm"},
    Column<MetricSummaryRow>{"arm", &MetricSummaryRow::arm, "who drives the step; empty: of the launch as a whole"},
    Column<MetricSummaryRow>{"metric", &MetricSummaryRow::metric, "as `ddpbench list metrics` explains it"},
    Column<MetricSummaryRow>{"median", &MetricSummaryRow::median, "over the values of all launches and ranks"},
    Column<MetricSummaryRow>{"smallest", &MetricSummaryRow::smallest, "of them"},
    Column<MetricSummaryRow>{"largest", &MetricSummaryRow::largest, "of them"},
    Column<MetricSummaryRow>{"unit", &MetricSummaryRow::unit, "of the three; 1 where it has none"},
    Column<MetricSummaryRow>{"values", &MetricSummaryRow::values,
                             "how many: one per rank and launch, of work now and then one per event"},
    Column<MetricSummaryRow>{"launches", &MetricSummaryRow::launches, "launches that have the metric"},
};

}  // namespace

template <>
std::span<const Column<MetricSummaryRow>> columns<MetricSummaryRow>() {
  return kMetricSummaryColumns;
}

namespace {

using MetricKey = std::tuple<std::string, std::string, std::string>;  // arm, metric, unit

struct ValuesOfMetric {
  std::vector<double> values;
  std::int64_t launches = 0;
  const Launch* last = nullptr;
};

MetricSummaryRow summary_of(const std::string& cell_id, const MetricKey& of, const ValuesOfMetric& found) {
  const auto& [arm, metric, unit] = of;
  const auto [smallest, largest] = std::minmax_element(found.values.begin(), found.values.end());
  return {cell_id,       arm,      metric, median(found.values),
          *smallest,     *largest, unit,   static_cast<std::int64_t>(found.values.size()),
          found.launches};
}

void add_metrics(CsvText<MetricSummaryRow>& table, const Cell& cell) {
  std::map<MetricKey, ValuesOfMetric> by_metric;
  for (const auto& launch : cell.launches) {
    for (const auto& row : launch.metrics) {
      if (!std::isfinite(row.value)) continue;
      auto& found = by_metric[{row.arm, row.metric, row.unit}];
      found.values.push_back(row.value);
      found.launches += found.last == &launch ? 0 : 1;
      found.last = &launch;
    }
  }
  for (const auto& [of, found] : by_metric) table.add(summary_of(cell.axes.cell_id, of, found));
}

}  // namespace

ReportTable metrics_table() {
  return report_table<MetricSummaryRow, true>("tables/metrics.csv", "one metric of one arm of one cell",
                                              [](const Findings& findings, auto& table) {
                                                for (const auto& cell : findings.study.cells) add_metrics(table, cell);
                                              });
}

}  // namespace ddpbench
