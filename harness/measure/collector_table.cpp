#include "harness/measure/collector_table.hpp"

#include <algorithm>
#include <array>

namespace ddpbench {

// What the table's lines name; each is defined in a file of the folder collectors/.
std::unique_ptr<Collector> make_collective_count(const CollectorRequest& request);
std::unique_ptr<Collector> make_collective_bytes(const CollectorRequest& request);
std::unique_ptr<Collector> make_discarded_super_blocks(const CollectorRequest& request);
std::unique_ptr<Collector> make_peak_memory(const CollectorRequest& request);
std::unique_ptr<Collector> make_peak_device_memory(const CollectorRequest& request);
std::unique_ptr<Collector> make_node_memory(const CollectorRequest& request);
std::unique_ptr<Collector> make_device_memory(const CollectorRequest& request);
std::unique_ptr<Collector> make_page_faults(const CollectorRequest& request);

std::span<const CollectedMetric> collected_metrics() {
  static constexpr std::array kTable{
      CollectedMetric{kMetrics.collectives_per_step, make_collective_count},
      CollectedMetric{kMetrics.collective_bytes_per_step, make_collective_bytes},
      CollectedMetric{kMetrics.discarded_super_blocks, make_discarded_super_blocks},
      CollectedMetric{kMetrics.peak_memory, make_peak_memory},
      CollectedMetric{kMetrics.peak_device_memory, make_peak_device_memory},
      CollectedMetric{kMetrics.node_memory, make_node_memory},
      CollectedMetric{kMetrics.device_memory, make_device_memory},
      CollectedMetric{{"page_faults_per_step", "1", "minor and major page faults of the rank's process"}, make_page_faults},
  };
  return kTable;
}

std::vector<Metric> worker_metrics() {
  const auto named = all_metrics();
  std::vector<Metric> metrics(named.begin(), named.end());
  for (const auto& line : collected_metrics()) {
    const bool is_named =
        std::any_of(named.begin(), named.end(), [&](const Metric& metric) { return metric.name == line.metric.name; });
    if (!is_named) metrics.push_back(line.metric);
  }
  return metrics;
}

}  // namespace ddpbench
