#include "reports/analysis/overhead.hpp"

#include <algorithm>
#include <cmath>

#include "reports/analysis/pairs.hpp"
#include "reports/analysis/verdict.hpp"
#include "reports/estimates/estimate.hpp"
#include "suite/store/in_parallel.hpp"
#include "suite/store/median.hpp"
#include "suite/vocab/arm_name.hpp"

namespace ddpbench {
namespace {

// An arm against the reference. A wrapper's cost is an addition to a step whose length drifts and has a tail: its microseconds are
// estimated from paired differences, not from the ratio times a typical step, which found 106 us of an injected 100.
struct Comparison {
  Estimate log_ratio, of_medians_s, of_means_s;
  std::int64_t pairs = 0, launches = 0;
  double sigma_d = kNotMeasured;
};

Estimate combine(const std::vector<std::vector<double>>& launches, double confidence) {
  if (launches.size() == 1) return hodges_lehmann(launches.front(), confidence);
  std::vector<double> estimates;
  for (const auto& d : launches) estimates.push_back(hodges_lehmann(d, confidence).value);
  return t_interval(estimates, confidence);
}

// Pooled over launches, each about its own mean.
double standard_deviation(const std::vector<std::vector<double>>& launches) {
  double squares = 0;
  double freedom = 0;
  for (const auto& d : launches) {
    const auto mean = t_interval(d).value;
    for (const double x : d) squares += (x - mean) * (x - mean);
    freedom += static_cast<double>(d.size()) - 1;
  }
  return freedom > 0 ? std::sqrt(squares / freedom) : kNotMeasured;
}

Comparison compare(const Cell& cell, const std::string& arm, Clock clock) {
  std::vector<std::vector<double>> log_ratios, of_medians_s, of_means_s;
  std::int64_t left_out = 0;
  for (const auto* launch : cell.launches_with({arm, kReferenceArm})) {
    auto pairs = pair_series(launch->samples, arm, kReferenceArm, clock);
    if (pairs.log_ratios.size() < kFewestPairs) {
      left_out = std::max(left_out, static_cast<std::int64_t>(pairs.log_ratios.size()));
      continue;
    }
    log_ratios.push_back(std::move(pairs.log_ratios));
    of_medians_s.push_back(std::move(pairs.of_medians_s));
    of_means_s.push_back(std::move(pairs.of_means_s));
  }
  Comparison comparison;
  comparison.pairs = left_out;
  if (log_ratios.empty()) return comparison;
  comparison.log_ratio = combine(log_ratios, cell.settings.confidence);
  comparison.of_medians_s = combine(of_medians_s, cell.settings.confidence);
  comparison.of_means_s = combine(of_means_s, cell.settings.confidence);
  comparison.launches = static_cast<std::int64_t>(log_ratios.size());
  comparison.pairs = 0;
  for (const auto& d : log_ratios) comparison.pairs += static_cast<std::int64_t>(d.size());
  comparison.sigma_d = standard_deviation(log_ratios);
  return comparison;
}

double median_metric(const Study& study, const Cell& cell, const std::string& arm, const std::string& metric) {
  std::vector<double> values;
  for (const auto* launch : cell.launches_with({arm})) {
    for (const auto& row : study.metrics) {
      const bool wanted = row.launch_id == launch->launch_id && row.arm == arm && row.metric == metric;
      if (wanted && std::isfinite(row.value)) values.push_back(row.value);
    }
  }
  return median(std::move(values));
}

bool was_measured(const Cell& cell, Clock clock) {
  for (const auto* launch : cell.launches_with({kReferenceArm})) {
    const auto series = block_series(*launch->samples.find(kReferenceArm), clock);
    if (std::any_of(series.of_medians.begin(), series.of_medians.end(), [](double b) { return std::isfinite(b); })) return true;
  }
  return false;
}

// The rows of one cell on one clock: they share the reference, the A/A interval and the control.
class CellOnClock {
 public:
  CellOnClock(const Study& study, const Cell& cell, Clock clock)
      : study_(study), cell_(cell), clock_(entry_of(clock)), reference_us_(1e6 * reference_step_s(cell, clock)) {}

  std::vector<OverheadRow> rows() const {
    std::vector<OverheadRow> rows;
    std::vector<Comparison> comparisons;
    for (const auto& arm : cell_.arms) {
      if (arm == kReferenceArm) continue;
      comparisons.push_back(compare(cell_, arm, clock_.clock));
      rows.push_back(row_of(arm, comparisons.back()));
    }
    add_controls(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) judge(rows[i], clock_, evidence(rows[i].arm, comparisons[i]));
    return rows;
  }

 private:
  OverheadRow row_of(const std::string& arm, const Comparison& comparison) const {
    OverheadRow row;
    row.cell_id = cell_.axes.cell_id;
    row.arm = arm;
    row.reference = kReferenceArm;
    row.clock = clock_.name;
    const auto& difference = comparison.of_medians_s;
    row.overhead_us = 1e6 * difference.value;
    row.overhead_us_lo = 1e6 * difference.lo;
    row.overhead_us_hi = 1e6 * difference.hi;
    const auto& delta = comparison.log_ratio;
    row.overhead_percent = 100 * std::expm1(delta.value);
    row.overhead_percent_lo = 100 * std::expm1(delta.lo);
    row.overhead_percent_hi = 100 * std::expm1(delta.hi);
    row.overhead_us_of_means = 1e6 * comparison.of_means_s.value;
    row.reference_step_ms = 1e-3 * reference_us_;
    row.pairs = comparison.pairs;
    row.launches = comparison.launches;
    return row;
  }

  void add_controls(std::vector<OverheadRow>& rows) const {
    const auto of_arm = [&](const char* arm) {
      const auto found = std::find_if(rows.begin(), rows.end(), [&](const OverheadRow& row) { return row.arm == arm; });
      return found == rows.end() ? OverheadRow{} : *found;
    };
    const auto aa = of_arm(kAaArm);
    const auto control = of_arm(kInjectedArm);
    const double truth_s = median_metric(study_, cell_, kInjectedArm, clock_.truth_metric);
    for (auto& row : rows) {
      row.aa_lo = aa.overhead_us_lo;
      row.aa_hi = aa.overhead_us_hi;
      row.injected_us = control.overhead_us;
      row.injected_true_us = 1e6 * truth_s;
    }
  }

  Evidence evidence(const std::string& arm, const Comparison& comparison) const {
    const auto collectives = [&](const std::string& of) { return median_metric(study_, cell_, of, "collectives_per_step"); };
    Evidence evidence;
    evidence.margin_us = std::max(cell_.settings.margin_percent / 100 * reference_us_, cell_.settings.margin_us);
    evidence.sigma_d = comparison.sigma_d;
    evidence.aa_planned = cell_.planned(kAaArm);
    evidence.control_planned = cell_.planned(kInjectedArm);
    evidence.cores_per_rank = study_.cores / static_cast<double>(cell_.axes.ranks_per_node);
    const double extra = collectives(arm) - collectives(kReferenceArm);
    evidence.extra_collectives_per_step = std::isfinite(extra) ? extra : 0;
    add_host(evidence);
    return evidence;
  }

  void add_host(Evidence& evidence) const {
    HostLoad host;
    for (const auto* launch : cell_.launches_with({kReferenceArm})) {
      const auto& of_launch = launch->samples.host;
      host.load.insert(host.load.end(), of_launch.load.begin(), of_launch.load.end());
      host.steal_s += of_launch.steal_s;
      host.wall_s += of_launch.wall_s;
    }
    evidence.load = median(host.load);
    if (!host.load.empty() && host.wall_s > 0) evidence.steal_percent = 100 * host.steal_s / host.wall_s;
  }

  const Study& study_;
  const Cell& cell_;
  const ClockEntry& clock_;
  double reference_us_;
};

std::vector<OverheadRow> rows_of_cell(const Study& study, const Cell& cell) {
  std::vector<OverheadRow> all;
  for (const auto& clock : kClocks) {
    if (!was_measured(cell, clock.clock)) continue;
    const auto rows = CellOnClock(study, cell, clock.clock).rows();
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

}  // namespace

double reference_step_s(const Cell& cell, Clock clock) {
  std::vector<double> steps;
  for (const auto* launch : cell.launches_with({kReferenceArm})) {
    for (const double b : block_series(*launch->samples.find(kReferenceArm), clock).of_medians) {
      if (std::isfinite(b)) steps.push_back(std::exp(b));
    }
  }
  return median(std::move(steps));
}

Clock primary_clock(const Study& study) {
  const bool device =
      std::any_of(study.cells.begin(), study.cells.end(), [](const Cell& cell) { return was_measured(cell, Clock::kDevice); });
  return device ? Clock::kDevice : Clock::kThreadCpu;
}

std::vector<OverheadRow> overhead_rows(const Study& study) {
  std::vector<std::vector<OverheadRow>> of_cells(study.cells.size());
  in_parallel(of_cells.size(), reading_threads(),
              [&](std::size_t i, std::size_t /*thread*/) { of_cells[i] = rows_of_cell(study, study.cells[i]); });
  std::vector<OverheadRow> all;
  for (const auto& rows : of_cells) all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

}  // namespace ddpbench
