#pragma once
#include <string>
#include <string_view>

#include "suite/contract/metrics.hpp"

namespace ddpbench {

// The metrics of work of every n-th step (kMetrics.periodic_…) have a row for each work, whose name stands where the table says NAME:
// "periodic_wall_s.logger".
inline std::string_view periodic_stem(const Metric& metric) { return metric.name.substr(0, metric.name.find('.')); }

// The name of the row of the work `work`.
inline std::string periodic_metric(const Metric& metric, std::string_view work) {
  return std::string(periodic_stem(metric)) + "." + std::string(work);
}

// "logger" of "periodic_wall_s.logger" where `metric` is kMetrics.periodic_wall; "" of any other name.
inline std::string_view periodic_work_of(std::string_view name, const Metric& metric) {
  const auto stem = periodic_stem(metric);
  const bool is_it = name.size() > stem.size() && name.substr(0, stem.size()) == stem && name[stem.size()] == '.';
  return is_it ? name.substr(stem.size() + 1) : std::string_view();
}

}  // namespace ddpbench
