#pragma once
#include <memory>
#include <span>
#include <vector>

#include "harness/measure/collector.hpp"
#include "suite/contract/tables/metrics.hpp"

namespace ddpbench {

// Describes one metric that a collector finds out, a line of the table: a handle of kMetrics where another program reads the
// metric by its name, else name, unit and help.
struct CollectedMetric {
  Metric metric;
  std::unique_ptr<Collector> (*make)(const CollectorRequest& request);
};
// Returns the table of these metrics.
std::span<const CollectedMetric> collected_metrics();

// Returns all metrics that may stand in metrics.csv: kMetrics, and what only collectors know.
std::vector<Metric> worker_metrics();

}  // namespace ddpbench
