#include "reports/analysis/verdicts/overhead.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "reports/analysis/comparisons/comparison.hpp"
#include "reports/analysis/comparisons/pairs.hpp"
#include "reports/analysis/comparisons/periodic_cost.hpp"
#include "reports/analysis/samples/arm_parts.hpp"
#include "reports/analysis/verdicts/holm_family.hpp"
#include "reports/analysis/verdicts/verdict.hpp"
#include "reports/estimates/width_stopping.hpp"
#include "suite/base/in_parallel.hpp"
#include "suite/base/median.hpp"
#include "suite/contract/arm_name.hpp"

namespace ddpbench {
namespace {

double median_metric(const Cell& cell, const std::string& arm, const std::string& metric) {
  std::vector<double> values;
  for (const auto* launch : cell.launches_with({arm})) {
    for (const auto& row : launch->metrics) {
      if (row.arm == arm && row.metric == metric && std::isfinite(row.value)) values.push_back(row.value);
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
  CellOnClock(const Study& study, const Cell& cell, const ClockEntry& clock)
      : study_(study), cell_(cell), clock_(clock), reference_us_(1e6 * reference_step_s(cell, clock.clock)) {
    for (const auto& arm : cell_.arms) {
      if (arm == kReferenceArm) continue;
      comparisons_.push_back(compare(cell_, arm, clock_.clock));
      rows_.push_back(row_of(arm, comparisons_.back()));
    }
    add_controls();
  }

  const ClockEntry& clock() const { return clock_; }
  std::vector<OverheadRow>& rows() { return rows_; }

  // Once the rows hold their adjusted p.
  void judge_rows(Clock primary) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto beside = evidence(rows_[i].arm, comparisons_[i]);
      judge(rows_[i], clock_, beside);
      if (clock_.clock == primary && !is_control(rows_[i].arm)) judge_budget(rows_[i], clock_, beside);
    }
  }

 private:
  double margin_us() const {
    return 1e6 * Margin{cell_.settings.protocol.margin_percent, cell_.settings.protocol.margin_us}.seconds(1e-6 * reference_us_);
  }

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
    row.overhead_us_of_means_lo = 1e6 * comparison.of_means_s.lo;
    row.overhead_us_of_means_hi = 1e6 * comparison.of_means_s.hi;
    const auto periodic = periodic_cost_s(cell_, arm, clock_);
    row.periodic_us = 1e6 * periodic.value;
    row.periodic_us_lo = 1e6 * periodic.lo;
    row.periodic_us_hi = 1e6 * periodic.hi;
    row.reference_step_ms = 1e-3 * reference_us_;
    row.pairs = comparison.pairs;
    row.launches = comparison.launches;
    row.p_value = comparison.p;
    row.sigma_d_percent = 100 * comparison.sigma_d;
    row.pairs_needed = std::ceil(pairs_needed(comparison.sigma_d, margin_us() / reference_us_));
    return row;
  }

  OverheadRow row_or_none(const char* arm) const {
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const OverheadRow& row) { return row.arm == arm; });
    return found == rows_.end() ? OverheadRow{} : *found;
  }

  void add_controls() {
    const auto aa = row_or_none(kAaArm);
    const auto control = row_or_none(clock_.control_arm);
    const double truth_s = median_metric(cell_, clock_.control_arm, clock_.truth_metric);
    for (auto& row : rows_) {
      row.aa_lo = aa.overhead_us_lo;
      row.aa_hi = aa.overhead_us_hi;
      row.injected_us = control.overhead_us;
      row.injected_true_us = 1e6 * truth_s;
    }
  }

  Evidence evidence(const std::string& arm, const Comparison& comparison) const {
    const auto collectives = [&](const std::string& of) { return median_metric(cell_, of, "collectives_per_step"); };
    Evidence evidence;
    evidence.margin_us = margin_us();
    evidence.sigma_d = comparison.sigma_d;
    evidence.affordable_pairs = comparison.affordable_pairs;
    evidence.budget_percent = cell_.settings.protocol.budget_percent;
    const auto control = row_or_none(clock_.control_arm);
    evidence.control_lo_us = control.overhead_us_lo;
    evidence.control_hi_us = control.overhead_us_hi;
    evidence.aa_planned = cell_.planned(kAaArm);
    evidence.control_planned = cell_.planned(clock_.control_arm);
    evidence.periodic_planned = has_periodic_work(cell_, arm);
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
  std::vector<OverheadRow> rows_;
  std::vector<Comparison> comparisons_;  // of the rows
};

std::vector<CellOnClock> clocks_of_cell(const Study& study, const Cell& cell) {
  std::vector<CellOnClock> found;
  for (const auto& clock : kClocks) {
    if (was_measured(cell, clock.clock)) found.emplace_back(study, cell, clock);
  }
  return found;
}

// One family a clock: whoever reads its table looks at all of its arms and cells. What checks or takes apart the measurement itself is
// a family of its own.
void adjust(std::vector<CellOnClock>& all, Clock clock) {
  std::vector<OverheadRow*> family;
  for (auto& cell : all) {
    if (cell.clock().clock != clock) continue;
    for (auto& row : cell.rows()) {
      row.p_holm = row.p_value;
      row.comparisons = 1;
      if (is_control(row.arm) || is_probe(row.arm)) continue;
      family.push_back(&row);
    }
  }
  adjust_family(family, &OverheadRow::p_value);
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
  std::vector<std::vector<CellOnClock>> of_cells(study.cells.size());
  in_parallel(of_cells.size(), reading_threads(),
              [&](std::size_t i, std::size_t /*thread*/) { of_cells[i] = clocks_of_cell(study, study.cells[i]); });
  std::vector<CellOnClock> all;
  for (auto& cell : of_cells) std::move(cell.begin(), cell.end(), std::back_inserter(all));
  for (const auto& clock : kClocks) adjust(all, clock.clock);
  const auto primary = primary_clock(study);
  std::vector<OverheadRow> rows;
  for (auto& cell : all) {
    cell.judge_rows(primary);
    rows.insert(rows.end(), cell.rows().begin(), cell.rows().end());
  }
  return rows;
}

}  // namespace ddpbench
