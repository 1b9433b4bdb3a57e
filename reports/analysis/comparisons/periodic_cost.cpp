#include "reports/analysis/comparisons/periodic_cost.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "reports/analysis/samples/block_series.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/tables/named_metric.hpp"

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

// Event by event the mean over ranks; one that a rank lacks is none.
std::vector<double> mean_over_ranks(const Work& work) {
  std::vector<double> events_s;
  for (const auto& [rank, of_rank] : work.events_s) {
    if (events_s.empty()) events_s.resize(of_rank.size(), 0);
    events_s.resize(std::min(events_s.size(), of_rank.size()));
    for (std::size_t i = 0; i < events_s.size(); ++i) events_s[i] += of_rank[i] / static_cast<double>(work.events_s.size());
  }
  return events_s;
}

constexpr std::int64_t kAllRanks = -1;

// Of one rank, or of the mean of all.
std::optional<Estimate> cost_in(const Launch& launch, const std::string& arm, const ClockEntry& clock, std::int64_t rank,
                                double confidence) {
  std::optional<Estimate> total;
  for (const auto& [name, work] : works_of(launch, arm, clock)) {
    const auto of_rank = work.events_s.find(rank);
    const bool is_there = rank == kAllRanks ? !work.events_s.empty() : of_rank != work.events_s.end();
    if (!is_there || !(work.every > 0)) continue;
    const auto cost = event_cost_per_step(rank == kAllRanks ? mean_over_ranks(work) : of_rank->second, work.every, confidence);
    total = total ? sum_of(*total, cost) : cost;
  }
  return total;
}

Estimate over_launches(const Cell& cell, const std::string& arm, const ClockEntry& clock, std::int64_t rank, double confidence) {
  std::vector<Estimate> costs;
  std::vector<double> values;
  for (const auto* launch : cell.launches_with({arm})) {
    const auto cost = cost_in(*launch, arm, clock, rank, confidence);
    if (!cost) continue;
    costs.push_back(*cost);
    values.push_back(cost->value);
  }
  if (costs.empty()) return {};
  return costs.size() == 1 ? costs.front() : t_interval(values, confidence);
}

}  // namespace

Estimate periodic_cost_s(const Cell& cell, const std::string& arm, const ClockEntry& clock) {
  const double confidence = cell.settings.confidence;
  if (is_cpu_clock(clock.clock)) return over_launches(cell, arm, clock, kAllRanks, confidence);
  const auto ranks = cell.axes.nodes * cell.axes.ranks_per_node;
  const double of_all = 1 - (1 - confidence) / static_cast<double>(std::max<std::int64_t>(1, ranks));
  Estimate longest;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const auto cost = over_launches(cell, arm, clock, rank, of_all);
    if (std::isnan(longest.value) || cost.value > longest.value) longest = cost;
  }
  return longest;
}

bool has_periodic_work(const Cell& cell, const std::string& arm) {
  const auto tells = [&](const MetricRow& row) {
    return row.arm == arm && !name_in_metric(row.metric, kMetrics.periodic_every).empty();
  };
  const auto launches = cell.launches_with({arm});
  return std::any_of(launches.begin(), launches.end(),
                     [&](const Launch* launch) { return std::any_of(launch->metrics.begin(), launch->metrics.end(), tells); });
}

Estimate with_periodic(const Estimate& every_step, const OverheadRow& row) {
  return std::isnan(row.periodic_us.value) ? every_step : sum_of(every_step, row.periodic_us);
}

Estimate whole_us(const OverheadRow& row) { return with_periodic(row.overhead_us, row); }

Estimate mean_whole_us(const OverheadRow& row) {
  return with_periodic({row.overhead_us_of_means, row.overhead_us_of_means_lo, row.overhead_us_of_means_hi}, row);
}

bool rests_on_mean(const OverheadRow& row) {
  const auto mean = mean_whole_us(row);
  return row.verdict == verdict::kSlower && mean.lo > 0 && mean.lo > whole_us(row).hi + row.margin_us;
}

Estimate by_control(const Estimate& estimate, const OverheadRow& row) {
  return by_control(estimate, std::fmin(1, row.control_factor), std::fmax(1, row.control_factor));
}

Estimate by_control(const Estimate& estimate, double least, double most) {
  const double lo = estimate.lo / (estimate.lo > 0 ? most : least), hi = estimate.hi / (estimate.hi > 0 ? least : most);
  return {estimate.value, lo, hi, estimate.n};
}

Estimate told_us(const OverheadRow& row) { return by_control(rests_on_mean(row) ? mean_whole_us(row) : whole_us(row), row); }

}  // namespace ddpbench
