#include "reports/analysis/comparisons/periodic_cost.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "suite/contract/named_metric.hpp"

namespace ddpbench {
namespace {

struct Work {
  double every = kNotMeasured;
  std::map<std::int64_t, std::vector<double>> events_s;  // by rank, in the order in which they were run
};

std::map<std::string, Work> works_of(const Launch& launch, const std::string& arm, const ClockEntry& clock) {
  std::map<std::string, Work> works;
  for (const auto& row : launch.metrics) {
    if (row.arm != arm) continue;
    const auto every = name_in_metric(row.metric, kMetrics.periodic_every);
    if (!every.empty()) works[std::string(every)].every = row.value;
    if (clock.periodic_metric == nullptr) continue;
    const auto event = name_in_metric(row.metric, *clock.periodic_metric);
    if (!event.empty()) works[std::string(event)].events_s[row.rank].push_back(row.value);
  }
  return works;
}

// Event by event the slowest rank's.
std::vector<double> slowest(const Work& work) {
  std::vector<double> events_s;
  for (const auto& [rank, of_rank] : work.events_s) {
    events_s.resize(std::max(events_s.size(), of_rank.size()), kNotMeasured);
    for (std::size_t i = 0; i < of_rank.size(); ++i) events_s[i] = std::fmax(events_s[i], of_rank[i]);
  }
  return events_s;
}

std::optional<Estimate> cost_in(const Launch& launch, const std::string& arm, const ClockEntry& clock, double confidence) {
  std::optional<Estimate> total;
  for (const auto& [name, work] : works_of(launch, arm, clock)) {
    if (work.events_s.empty() || !(work.every > 0)) continue;
    const auto cost = event_cost_per_step(slowest(work), work.every, confidence);
    total = total ? sum_of(*total, cost) : cost;
  }
  return total;
}

}  // namespace

Estimate periodic_cost_s(const Cell& cell, const std::string& arm, const ClockEntry& clock) {
  std::vector<Estimate> costs;
  std::vector<double> values;
  for (const auto* launch : cell.launches_with({arm})) {
    const auto cost = cost_in(*launch, arm, clock, cell.settings.confidence);
    if (!cost) continue;
    costs.push_back(*cost);
    values.push_back(cost->value);
  }
  if (costs.empty()) return {};
  return costs.size() == 1 ? costs.front() : t_interval(values, cell.settings.confidence);
}

bool has_periodic_work(const Cell& cell, const std::string& arm) {
  const auto tells = [&](const MetricRow& row) {
    return row.arm == arm && !name_in_metric(row.metric, kMetrics.periodic_every).empty();
  };
  const auto launches = cell.launches_with({arm});
  return std::any_of(launches.begin(), launches.end(),
                     [&](const Launch* launch) { return std::any_of(launch->metrics.begin(), launch->metrics.end(), tells); });
}

Estimate whole_us(const OverheadRow& row) {
  const Estimate every_step{row.overhead_us, row.overhead_us_lo, row.overhead_us_hi};
  return std::isnan(row.periodic_us) ? every_step : sum_of(every_step, {row.periodic_us, row.periodic_us_lo, row.periodic_us_hi});
}

}  // namespace ddpbench
