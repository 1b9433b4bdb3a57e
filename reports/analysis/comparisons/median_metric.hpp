#pragma once
#include <string>

#include "reports/analysis/samples/study.hpp"
#include "suite/contract/tables/metrics.hpp"

namespace ddpbench {

// Returns the median of a metric of an arm in a cell, over launches and ranks, in the metric's unit; NaN: not measured.
double median_metric(const Cell& cell, const std::string& arm, const Metric& metric);

}  // namespace ddpbench
