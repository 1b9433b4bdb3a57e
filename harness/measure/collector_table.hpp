#pragma once
#include <memory>
#include <span>
#include <vector>

#include "harness/measure/collector.hpp"
#include "suite/contract/tables/metrics.hpp"

namespace ddpbench {

// One line of the table of metrics that collectors find out: a handle of kMetrics where another program reads the metric by its name, else
// name, unit and help.
struct CollectedMetric {
  Metric metric;
  std::unique_ptr<Collector> (*make)(const CollectorRequest& request);
};
std::span<const CollectedMetric> collected_metrics();

// All that may stand in metrics.csv: kMetrics, and what only collectors know.
std::vector<Metric> worker_metrics();

}  // namespace ddpbench
