#pragma once
#include <string>
#include <string_view>

#include "suite/contract/tables/metrics.hpp"

namespace ddpbench {

// Returns a metric's name up to the ".NAME" behind it. Some metrics have a row for each of several things (kMetrics.periodic_…:
// of work of every n-th step), whose name stands in the place of NAME: "periodic_wall_s.logger".
inline std::string_view stem_of(const Metric& metric) { return metric.name.substr(0, metric.name.find('.')); }

// Returns what the metric's row of the thing `name` is called.
inline std::string named_metric(const Metric& metric, std::string_view name) {
  std::string row(stem_of(metric));
  row += '.';
  row += name;
  return row;
}

// Returns "logger" of "periodic_wall_s.logger" where `metric` is kMetrics.periodic_wall; "" of any other row.
inline std::string_view name_in_metric(std::string_view row, const Metric& metric) {
  const auto stem = stem_of(metric);
  const bool is_it = row.size() > stem.size() && row.substr(0, stem.size()) == stem && row[stem.size()] == '.';
  return is_it ? row.substr(stem.size() + 1) : std::string_view();
}

}  // namespace ddpbench
