#pragma once
#include <span>
#include <string>

namespace ddpbench {

// One line of the table of metrics: what may stand in metrics.csv.
struct MetricEntry {
  std::string name;
  std::string unit;
  std::string help;
};
std::span<const MetricEntry> metrics();

}  // namespace ddpbench
