#include "reports/analysis/verdicts/overhead.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "reports/analysis/comparisons/block_range.hpp"
#include "reports/analysis/comparisons/comm_wait.hpp"
#include "reports/analysis/comparisons/comparison.hpp"
#include "reports/analysis/comparisons/median_metric.hpp"
#include "reports/analysis/comparisons/periodic_cost.hpp"
#include "reports/analysis/comparisons/waiting.hpp"
#include "reports/analysis/samples/block_series.hpp"
#include "reports/analysis/verdicts/claim_p_values.hpp"
#include "reports/analysis/verdicts/clock_tick.hpp"
#include "reports/analysis/verdicts/holm_family.hpp"
#include "reports/analysis/verdicts/other_clocks.hpp"
#include "reports/analysis/verdicts/qualifiers.hpp"
#include "reports/analysis/verdicts/verdict.hpp"
#include "suite/base/in_parallel.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/tables/metrics.hpp"
#include "suite/estimates/width_stopping.hpp"

namespace ddpbench {
namespace {

Estimate microseconds(const Estimate& seconds) {
  return mapped(seconds, [](double s) { return 1e6 * s; });
}

constexpr double kDecidingShare = 1.0 / 3;
constexpr double kDecidingShareApart = 2.0 / 3;

std::vector<std::string> arms_of(const Family& family) {
  std::vector<std::string> arms{family.reference};
  arms.insert(arms.end(), family.arms.begin(), family.arms.end());
  return arms;
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
        reference_us_(1e6 * family.on(clock.clock).step_s),
        step_us_(1e6 * family.step_s()),
        tick_us_(1e6 * tick_s(cell, arms_of(family), clock.clock)) {
    if (std::isnan(step_us_)) step_us_ = reference_us_;
    bounds_.margin_s = Margin{protocol().margin_percent, protocol().margin_us}.seconds(1e-6 * step_us_);
    if (protocol().budget_percent > 0) bounds_.budget_s = 1e-8 * protocol().budget_percent * step_us_;
    for (const auto& arm : family_.arms) {
      if (is_without_stamps(arm)) continue;
      arms_.push_back(arm);
      const auto aa = family_.aa.is_planned && arm != family_.aa.name ? family_.aa.name : "";
      comparisons_.push_back(compare(cell_, arm, aa, clock_.clock, bounds_));
    }
  }

  const Cell& cell() const { return cell_; }
  const ClockEntry& clock() const { return clock_; }
  const std::vector<std::string>& arms() const { return arms_; }
  std::vector<Comparison>& comparisons() { return comparisons_; }
  double reference_s() const { return 1e-6 * reference_us_; }
  std::vector<OverheadRow>& rows() { return rows_; }

  // Once launches are pooled.
  void make_rows() {
    for (std::size_t i = 0; i < comparisons_.size(); ++i) {
      periodic_.push_back(periodic_cost_s(cell_, arms_[i], clock_));
      tests_.push_back(test_claims(comparisons_[i], periodic_[i], bounds_));
      rows_.push_back(row_of(i));
    }
    add_controls();
  }

  // Once the rows hold their adjusted p.
  void judge_rows() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto beside = evidence(i);
      judge_margin(rows_[i], clock_, beside);
      if (bears_budget(rows_[i])) judge_budget(rows_[i], clock_, beside);
      rows_[i].qualified = join(qualifiers(rows_[i], comparisons_[i]), "; ");
      add_settling(rows_[i], beside.settling);
    }
  }

  bool bears_budget(const OverheadRow& row) const {
    return clock_.clock == study_.primary_clock && study_.facts_of(row.arm).is_subject() && protocol().budget_percent > 0;
  }

 private:
  const Protocol& protocol() const { return cell_.settings.protocol; }

  // A probe that goes without the stamps of which awaited time is made has no row on that clock: nothing of it is missing.
  bool is_without_stamps(const std::string& arm) const {
    if (clock_.clock != Clock::kAwaited || study_.facts_of(arm).role != ArmRole::kProbe) return false;
    const auto launches = cell_.launches_with({arm});
    return std::none_of(launches.begin(), launches.end(),
                        [&](const Launch* launch) { return has_steps(*launch->samples.find(arm), Clock::kAwaited); });
  }

  // Of the family's i-th arm.
  OverheadRow row_of(std::size_t i) const {
    const auto& arm = arms_[i];
    const auto& comparison = comparisons_[i];
    const auto& periodic = periodic_[i];
    OverheadRow row;
    row.axes() = cell_.axes.axes();
    row.label = cell_.label;
    row.options = cell_.axes.options;
    row.cell_id = cell_.axes.cell_id;
    row.arm = arm;
    row.reference = family_.reference;
    row.clock = clock_.name;
    const auto& [centre, mean, ranks] = comparison.over_reference;
    const auto share = [this](double us) { return 100 * us / step_us_; };
    const auto difference = centre.estimate();
    row.overhead_us = microseconds(difference);
    const auto ratio = ratio_to_one(difference, family_.step_error);  // the step is known with an error of its own
    row.overhead_percent = {share(row.overhead_us.value), share(1e6 * ratio.lo), share(1e6 * ratio.hi)};
    const auto of_means = mean.estimate();
    row.overhead_us_of_means = 1e6 * of_means.value;
    row.overhead_us_of_means_lo = 1e6 * of_means.lo;
    row.overhead_us_of_means_hi = 1e6 * of_means.hi;
    row.periodic_us = microseconds(periodic);
    if (clock_.clock == Clock::kWall) add_comm_wait(row);
    if (clock_.clock == Clock::kAwaited) add_waiting(row);
    row.versions = versions_of(cell_, arm);
    row.reference_step_us = reference_us_;
    row.step_us = step_us_;
    row.margin_us = 1e6 * bounds_.margin_s;
    row.pairs = comparison.pairs;
    row.launches = comparison.launches;
    row.invalid_percent = 100 * comparison.invalid_share;
    row.sigma_d_percent = 100 * comparison.pair_sd_s / (1e-6 * reference_us_);
    row.sigma_pair_us = 1e6 * comparison.pair_sd_s;
    row.sigma_launch_us = 1e6 * centre.between_sd();
    row.standard_error_us = 1e6 * centre.standard_error();
    add_ranks(row, comparison);
    if (!centre.empty()) {
      row.disturbed_percent = 100 * comparison.side.disturbed_share;
      row.undisturbed_us = 1e6 * comparison.side.undisturbed.estimate().value;
    }
    row.p_value = tests_[i].difference();
    row.p_equivalent_holm = tests_[i].equivalent;  // adjusted later
    row.p_budget_holm = tests_[i].budget();
    return row;
  }

  void add_comm_wait(OverheadRow& row) const { row.comm_wait_us = microseconds(added_comm_wait_s(cell_, row.arm)); }

  void add_waiting(OverheadRow& row) const { row.waiting_us = microseconds(added_waiting_s(cell_, row.arm)); }

  void add_ranks(OverheadRow& row, const Comparison& comparison) const {
    const auto largest = largest_rank(comparison.over_reference, cell_.settings.confidence);
    if (std::isnan(largest.value)) return;
    row.largest_rank = static_cast<double>(largest.n);
    row.largest_rank_us = microseconds(largest);
    row.largest_rank_us.n = 0;  // there it is the rank
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
      row.aa_lo = aa.overhead_us.lo;
      row.aa_hi = aa.overhead_us.hi;
      row.injected_us = control.overhead_us.value;
      row.injected_true_us = 1e6 * truth_s;
    }
  }

  Evidence evidence(std::size_t i) const {
    const auto& arm = arms_[i];
    const auto& comparison = comparisons_[i];
    Evidence evidence;
    evidence.significance = cell_.settings.significance();
    evidence.budget_percent = protocol().budget_percent;
    const auto control = row_or_none(control_);
    evidence.control_lo_us = control.overhead_us.lo;
    evidence.control_hi_us = control.overhead_us.hi;
    evidence.aa = family_.aa;
    evidence.control = control_;
    evidence.periodic_planned = has_periodic_work(cell_, arm);
    evidence.cores_per_rank = study_.cores / static_cast<double>(cell_.axes.ranks_per_node);
    evidence.tick_us = tick_us_;
    evidence.fastest_step = protocol().fastest_step && clock_.step_column != nullptr;
    if (protocol().fastest_step) evidence.scatter_bias_us = scatter_bias_us(comparison);
    for (const auto& rank : comparison.over_reference.ranks) {
      const auto of_rank = rank.estimate();
      evidence.ranks_lo_us = std::fmin(evidence.ranks_lo_us, 1e6 * of_rank.lo);
      evidence.ranks_hi_us = std::fmax(evidence.ranks_hi_us, 1e6 * of_rank.hi);
    }
    evidence.p_slower = tests_[i].slower;
    evidence.p_faster = tests_[i].faster;
    add_apart(evidence, i);
    if (study_.facts_of(arm).is_subject()) evidence.settling = settling(comparison);  // nobody measures on for a control
    return evidence;
  }

  // Noise that only adds hides nothing of the fastest step; of noise that is as likely to take away, the fastest step lies half a range below the
  // middle. So what the fastest steps of an arm may hide is half of how much wider its blocks' ranges are.
  double scatter_bias_us(const Comparison& comparison) const {
    const auto& ratio = comparison.side.range_ratio;
    if (ratio.empty()) return 0;
    const double bias_us = 0.5e6 * block_range_s(cell_, family_.reference, clock_.clock) * std::expm1(ratio.estimate().value);
    return std::isfinite(bias_us) ? bias_us : 0;
  }

  void add_apart(Evidence& evidence, std::size_t i) const {
    const auto& side = comparisons_[i].side;
    const auto apart = side.apart.estimate();
    evidence.apart = microseconds(apart);
    evidence.p_neighbours = side.p_neighbours;
    evidence.p_apart_slower = p_not_above_zero(side.apart, periodic_[i]);
    evidence.p_apart_faster = p_not_below_zero(side.apart, periodic_[i]);
    evidence.p_apart_mean_slower = p_not_above_zero(side.apart_mean, periodic_[i]);
    const double rank = rows_[i].largest_rank;
    if (std::isnan(rank) || static_cast<std::size_t>(rank) >= side.apart_ranks.size()) return;
    evidence.p_apart_rank_slower = p_not_above_zero(side.apart_ranks[static_cast<std::size_t>(rank)], {});
  }

  // The half-width that would decide: a third of what was found, or of ±m where that is wider, for the arm has to clear the A/A arm too. In
  // the super-blocks in which the two arms do not touch, which are the fewer the fewer arms there are, it may be two thirds.
  SampleSizePlan settling(const Comparison& comparison) const {
    const auto& centre = comparison.over_reference.centre;
    if (centre.empty()) return {};
    VarianceComponents scatter;
    scatter.confidence = cell_.settings.confidence;
    scatter.pair_us = 1e6 * centre.error_of_a_pair();
    scatter.launch_us = 1e6 * centre.between_sd();
    scatter.super_block_s = comparison.super_block_s;
    scatter.set_up_s = comparison.set_up_s;
    scatter.most_pairs = protocol().max_seconds_per_launch / comparison.super_block_s;
    if (protocol().max_super_blocks > 0) {
      scatter.most_pairs = std::fmin(scatter.most_pairs, static_cast<double>(protocol().max_super_blocks));
    }
    const double apart_share = comparison.side.apart_share;
    const double share =
        apart_share > 0 ? std::min(kDecidingShare, kDecidingShareApart * std::sqrt(apart_share)) : kDecidingShare;
    return cheapest(scatter, share * std::max(1e6 * bounds_.margin_s, std::fabs(1e6 * centre.estimate().value)));
  }

  static void add_settling(OverheadRow& row, const SampleSizePlan& settling) {
    const bool is_open = row.verdict == verdict::kAmbiguous || row.budget_verdict == budget_verdict::kUndecided;
    if (!is_open || !settling.needs_more_than(row.launches, row.pairs)) return;
    row.settle_launches = settling.launches;
    row.settle_pairs = settling.pairs;
    row.settle_minutes = settling.minutes;
  }

  const Study& study_;
  const Cell& cell_;
  const Family& family_;
  const ClockEntry& clock_;
  const Control& control_;
  double reference_us_;  // on the clock
  double step_us_;       // that the user waits for
  double tick_us_;
  Bounds bounds_;
  std::vector<std::string> arms_;  // of the family, those that the clock knows
  std::vector<OverheadRow> rows_;
  std::vector<Comparison> comparisons_;  // of these arms
  std::vector<Estimate> periodic_;       // their work of every n-th step, seconds
  std::vector<ClaimTests> tests_;
};

struct Place {
  const Cell* cell;
  const Family* family;
  const ClockEntry* clock;
};

std::vector<Place> measured_places(const Study& study) {
  std::vector<Place> found;
  for (const auto& cell : study.cells) {
    for (const auto& clock : kTimeClocks) {
      for (const auto& family : cell.families) {
        if (family.on(clock.clock).is_measured) found.push_back({&cell, &family, &clock});
      }
    }
  }
  return found;
}

// visit(quantity, place): every quantity of a comparison. What has one place is the same of all cells, however many ranks they have.
template <class Visit>
void for_each_quantity(Comparison& comparison, Visit visit) {
  auto& over_reference = comparison.over_reference;
  auto& over_aa = comparison.over_aa;
  auto& side = comparison.side;
  std::size_t place = 0;
  for (auto* quantity : {&over_reference.centre, &over_reference.mean, &over_aa.centre, &over_aa.mean, &side.apart,
                         &side.apart_mean, &side.undisturbed, &side.discarded}) {
    visit(*quantity, place++);
  }
  const std::array by_rank{&over_reference.ranks, &over_aa.ranks, &side.apart_ranks};
  for (std::size_t which = 0; which < by_rank.size(); ++which) {
    for (std::size_t rank = 0; rank < by_rank[which]->size(); ++rank) {
      visit((*by_rank[which])[rank], place + by_rank.size() * rank + which);
    }
  }
}

// What launches differ by is taken together from cells of like steps (BetweenLaunches): with two or three launches of a cell alone nobody can say how
// much it is.
void pool_launches(std::vector<FamilyOnClock>& all, Clock clock) {
  std::map<std::string, std::vector<BetweenLaunches>> by_arm;
  const auto each = [&](auto visit) {
    for (auto& family : all) {
      if (family.clock().clock != clock) continue;
      for (std::size_t i = 0; i < family.comparisons().size(); ++i) {
        auto& pooled = by_arm[family.arms()[i]];
        for_each_quantity(family.comparisons()[i], [&](Quantity& quantity, std::size_t place) {
          if (pooled.size() <= place) pooled.resize(place + 1);
          visit(quantity, pooled[place], family.reference_s());
        });
      }
    }
  };
  each([](Quantity& quantity, BetweenLaunches& between, double scale) { quantity.add_to(between, scale); });
  each([](Quantity& quantity, const BetweenLaunches& between, double scale) { quantity.pool(between, scale); });
}

// Holm's adjustments are over all comparisons on a clock: whoever reads its table looks at all of its arms and cells. Differences,
// equivalences and budgets are a family each. Each control and each probe stands alone.
void adjust(const Study& study, std::vector<FamilyOnClock>& all, Clock clock) {
  std::vector<OverheadRow*> compared;
  std::vector<OverheadRow*> budgeted;
  for (auto& family : all) {
    if (family.clock().clock != clock) continue;
    for (auto& row : family.rows()) {
      row.p_holm = row.p_value;
      row.comparisons = 1;
      if (study.facts_of(row.arm).is_subject()) compared.push_back(&row);
      if (family.bears_budget(row)) {
        budgeted.push_back(&row);
      } else {
        row.p_budget_holm = kNotMeasured;
      }
    }
  }
  adjust_family(compared, &OverheadRow::p_value, &OverheadRow::p_holm);
  adjust_family(compared, &OverheadRow::p_equivalent_holm, &OverheadRow::p_equivalent_holm);
  adjust_family(budgeted, &OverheadRow::p_budget_holm, &OverheadRow::p_budget_holm);
  count_family(compared, &OverheadRow::p_value, &OverheadRow::comparisons);
}

}  // namespace

std::vector<OverheadRow> overhead_rows(const Study& study) {
  const auto places = measured_places(study);
  std::vector<std::optional<FamilyOnClock>> found(places.size());
  in_parallel(places.size(), reading_threads(), [&](std::size_t i, std::size_t /*thread*/) {
    found[i].emplace(study, *places[i].cell, *places[i].family, *places[i].clock);
  });
  std::vector<FamilyOnClock> all;
  for (auto& family : found) all.push_back(std::move(*family));
  for (const auto& clock : kTimeClocks) pool_launches(all, clock.clock);
  for (auto& family : all) family.make_rows();
  for (const auto& clock : kTimeClocks) adjust(study, all, clock.clock);
  std::vector<OverheadRow> rows;
  for (auto& family : all) {
    family.judge_rows();
    rows.insert(rows.end(), family.rows().begin(), family.rows().end());
  }
  hold_against_other_clocks(study, rows);
  return rows;
}

}  // namespace ddpbench
