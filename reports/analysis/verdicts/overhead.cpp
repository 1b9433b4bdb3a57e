#include "reports/analysis/verdicts/overhead.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "reports/analysis/comparisons/comparison.hpp"
#include "reports/analysis/comparisons/periodic_cost.hpp"
#include "reports/analysis/verdicts/holm_family.hpp"
#include "reports/analysis/verdicts/verdict.hpp"
#include "reports/estimates/width_stopping.hpp"
#include "suite/base/in_parallel.hpp"
#include "suite/base/median.hpp"
#include "suite/contract/metrics.hpp"

namespace ddpbench {
namespace {

double median_metric(const Cell& cell, const std::string& arm, const Metric& metric) {
  std::vector<double> values;
  for (const auto* launch : cell.launches_with({arm})) {
    for (const auto& row : launch->metrics) {
      if (row.arm == arm && row.metric == metric.name && std::isfinite(row.value)) values.push_back(row.value);
    }
  }
  return median(std::move(values));
}

// The rows of one family of a cell on one clock: they share the reference, the A/A interval and the control.
class FamilyOnClock {
 public:
  FamilyOnClock(const Study& study, const Cell& cell, const Family& family, const ClockEntry& clock)
      : study_(study),
        cell_(cell),
        family_(family),
        clock_(clock),
        control_(family.on(clock.clock).control),
        reference_us_(1e6 * family.on(clock.clock).step_s) {
    for (const auto& arm : family_.arms) {
      comparisons_.push_back(compare(cell_, arm, clock_.clock));
      rows_.push_back(row_of(arm, comparisons_.back()));
    }
    add_controls();
  }

  const ClockEntry& clock() const { return clock_; }
  std::vector<OverheadRow>& rows() { return rows_; }

  // Once the rows hold their adjusted p.
  void judge_rows() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto beside = evidence(rows_[i].arm, comparisons_[i]);
      judge_margin(rows_[i], clock_, beside);
      const bool bears_budget = clock_.clock == study_.primary_clock && !study_.facts_of(rows_[i].arm).is_control();
      if (bears_budget) judge_budget(rows_[i], clock_, beside);
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
    row.reference = family_.reference;
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

  OverheadRow row_or_none(const Control& control) const {
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const OverheadRow& row) { return row.arm == control.name; });
    return found == rows_.end() ? OverheadRow{} : *found;
  }

  void add_controls() {
    const auto aa = row_or_none(family_.aa);
    const auto control = row_or_none(control_);
    const double truth_s = median_metric(cell_, control_.name, *clock_.truth_metric);
    for (auto& row : rows_) {
      row.aa_lo = aa.overhead_us_lo;
      row.aa_hi = aa.overhead_us_hi;
      row.injected_us = control.overhead_us;
      row.injected_true_us = 1e6 * truth_s;
    }
  }

  Evidence evidence(const std::string& arm, const Comparison& comparison) const {
    const auto collectives = [&](const std::string& of) { return median_metric(cell_, of, kMetrics.collectives_per_step); };
    Evidence evidence;
    evidence.margin_us = margin_us();
    evidence.sigma_d = comparison.sigma_d;
    evidence.affordable_pairs = comparison.affordable_pairs;
    evidence.budget_percent = cell_.settings.protocol.budget_percent;
    const auto control = row_or_none(control_);
    evidence.control_lo_us = control.overhead_us_lo;
    evidence.control_hi_us = control.overhead_us_hi;
    evidence.aa = family_.aa;
    evidence.control = control_;
    evidence.periodic_planned = has_periodic_work(cell_, arm);
    evidence.cores_per_rank = study_.cores / static_cast<double>(cell_.axes.ranks_per_node);
    const double extra = collectives(arm) - collectives(family_.reference);
    evidence.extra_collectives_per_step = std::isfinite(extra) ? extra : 0;
    add_host(evidence);
    return evidence;
  }

  void add_host(Evidence& evidence) const {
    HostLoad host;
    for (const auto* launch : cell_.launches_with({family_.reference})) {
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
  const Family& family_;
  const ClockEntry& clock_;
  const Control& control_;
  double reference_us_;
  std::vector<OverheadRow> rows_;
  std::vector<Comparison> comparisons_;  // of the rows
};

std::vector<FamilyOnClock> clocks_of_cell(const Study& study, const Cell& cell) {
  std::vector<FamilyOnClock> found;
  for (const auto& clock : kClocks) {
    for (const auto& family : cell.families) {
      if (family.on(clock.clock).is_measured) found.emplace_back(study, cell, family, clock);
    }
  }
  return found;
}

// Holm's adjustment is over all comparisons on a clock: whoever reads its table looks at all of its arms and cells. Each control and
// each probe stands alone.
void adjust(const Study& study, std::vector<FamilyOnClock>& all, Clock clock) {
  std::vector<OverheadRow*> compared;
  for (auto& family : all) {
    if (family.clock().clock != clock) continue;
    for (auto& row : family.rows()) {
      row.p_holm = row.p_value;
      row.comparisons = 1;
      if (study.facts_of(row.arm).is_subject()) compared.push_back(&row);
    }
  }
  adjust_family(compared, &OverheadRow::p_value);
}

}  // namespace

std::vector<OverheadRow> overhead_rows(const Study& study) {
  std::vector<std::vector<FamilyOnClock>> of_cells(study.cells.size());
  in_parallel(of_cells.size(), reading_threads(),
              [&](std::size_t i, std::size_t /*thread*/) { of_cells[i] = clocks_of_cell(study, study.cells[i]); });
  std::vector<FamilyOnClock> all;
  for (auto& cell : of_cells) std::move(cell.begin(), cell.end(), std::back_inserter(all));
  for (const auto& clock : kClocks) adjust(study, all, clock.clock);
  std::vector<OverheadRow> rows;
  for (auto& family : all) {
    family.judge_rows();
    rows.insert(rows.end(), family.rows().begin(), family.rows().end());
  }
  return rows;
}

}  // namespace ddpbench
