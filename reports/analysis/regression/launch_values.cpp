#include "reports/analysis/regression/launch_values.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "reports/analysis/comparisons/pairs.hpp"
#include "reports/analysis/findings/settings/setting_facts.hpp"
#include "reports/analysis/verdicts/overhead.hpp"
#include "suite/contract/status.hpp"
#include "suite/estimates/width_stopping.hpp"

namespace ddpbench {
namespace {

std::map<std::int64_t, double> costs_by_repetition(const Cell& cell, const std::string& arm, const std::string& reference,
                                                   Clock clock) {
  std::map<std::int64_t, double> costs;
  for (const auto* launch : cell.launches_with({arm, reference})) {
    const auto pairs = pair_series(launch->samples, arm, reference, clock);
    if (pairs.size() < kFewestPairs) continue;
    costs[launch->runs.front().repetition] = hodges_lehmann_value(pairs.of_medians_s);
  }
  return costs;
}

class Collector {
 public:
  using Reasons = std::map<std::string, std::string>;  // by cell, arm and clock, a line each

  Collector(const Study& study, std::vector<ClockEntry> clocks, Reasons why_not)
      : study_(study), clocks_(std::move(clocks)), why_not_(std::move(why_not)) {}

  std::vector<LaunchValues> all() {
    for (const auto& cell : study_.cells) {
      for (const auto& family : cell.families) add_family(cell, family);
    }
    return std::move(values_);
  }

 private:
  void add_family(const Cell& cell, const Family& family) {
    for (const auto& clock : clocks_) {
      if (!family.on(clock.clock).is_measured) continue;
      auto step = blank(cell, family, clock.clock);
      step.what = compared_what::kStep;
      step.arm = family.reference;
      step.by_repetition = steps_by_repetition(cell, family.reference, clock.clock);
      keep(cell, std::move(step));
      for (const auto& arm : family.arms) add_cost(cell, family, arm, clock.clock);
    }
  }

  void add_cost(const Cell& cell, const Family& family, const std::string& arm, Clock clock) {
    const bool is_aa = arm == family.aa.name;
    if (!is_aa && !study_.facts_of(arm).is_subject()) return;
    auto cost = blank(cell, family, clock);
    cost.what = compared_what::kCost;
    cost.arm = arm;
    cost.is_aa = is_aa;
    cost.by_repetition = costs_by_repetition(cell, arm, family.reference, clock);
    if (const auto found = why_not_.find(cell.axes.cell_id + '\n' + arm + '\n' + entry_of(clock).name); found != why_not_.end())
      cost.why_not = found->second;
    keep(cell, std::move(cost));
  }

  LaunchValues blank(const Cell& cell, const Family& family, Clock clock) const {
    LaunchValues values;
    values.cell_id = cell.axes.cell_id;
    values.label = cell.label;
    values.clock = clock;
    const bool is_time = clock != Clock::kInstructions;
    values.step_s = is_time ? family.step_s() : family.on(clock).step_s;
    values.margin_s =
        Margin{cell.settings.protocol.margin_percent, is_time ? cell.settings.protocol.margin_us : 0}.seconds(values.step_s);
    if (is_time && cell.settings.protocol.fastest_step && !family.host_only_enqueues())
      values.why_not = "costs are of fastest steps, and how steps scatter may have changed: compare with fastest_step = false";
    if (!is_time && family.host_only_enqueues()) values.why_not = "a thread that waits for the device may spin";
    return values;
  }

  // Of launches that ran under no profiler.
  void keep(const Cell& cell, LaunchValues values) {
    for (const auto& launch : cell.launches) {
      if (!launch.profiled().empty()) values.by_repetition.erase(launch.runs.front().repetition);
    }
    if (!values.by_repetition.empty()) values_.push_back(std::move(values));
  }

  const Study& study_;
  std::vector<ClockEntry> clocks_;
  Reasons why_not_;
  std::vector<LaunchValues> values_;
};

}  // namespace

double mean_over_launches(const std::map<std::int64_t, double>& by_repetition) {
  double sum = 0;
  for (const auto& [repetition, value] : by_repetition) sum += value;
  return by_repetition.empty() ? kNotMeasured : sum / static_cast<double>(by_repetition.size());
}

std::vector<LaunchValues> launch_counts(const Study& study) {
  return Collector(study, {entry_of(Clock::kInstructions)}, {}).all();
}

std::vector<LaunchValues> launch_values(const Study& study) {
  std::vector<ClockEntry> clocks;
  std::copy_if(kClocks.begin(), kClocks.end(), std::back_inserter(clocks), [](const auto& clock) { return clock.bears_verdict; });
  std::map<std::string, std::string> why_not;
  for (const auto& row : overhead_rows(study)) {
    if (row.verdict == verdict::kUnmeasurable) why_not[row.cell_id + '\n' + row.arm + '\n' + row.clock] = row.reason;
  }
  return Collector(study, std::move(clocks), std::move(why_not)).all();
}

}  // namespace ddpbench
