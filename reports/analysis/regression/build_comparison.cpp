#include "reports/analysis/regression/build_comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>

#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/verdicts/holm_family.hpp"
#include "reports/analysis/verdicts/row_phrases.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"
#include "suite/estimates/mean_difference.hpp"

namespace ddpbench {
namespace {

using ByRepetition = std::map<std::int64_t, double>;
using ByKey = std::map<std::string, const LaunchValues*>;

ByKey by_key(const std::vector<LaunchValues>& values) {
  ByKey found;
  for (const auto& one : values) found.emplace(one.key(), &one);
  return found;
}

const LaunchValues* find(const ByKey& values, const std::string& key) {
  const auto found = values.find(key);
  return found == values.end() ? nullptr : found->second;
}

std::vector<double> of_launches(const ByRepetition& values) {
  std::vector<double> found;
  for (const auto& [repetition, value] : values) found.push_back(value);
  return found;
}

// Steps that took turns drift together: they are paired by repetition. A cost is paired within its launch already.
MeanDifference difference(const ByRepetition& sample, const ByRepetition& reference, bool by_repetition) {
  if (!by_repetition) return difference_of_means(of_launches(sample), of_launches(reference));
  std::vector<double> differences;
  for (const auto& [repetition, value] : sample) {
    if (const auto other = reference.find(repetition); other != reference.end()) differences.push_back(value - other->second);
  }
  return mean_of_differences(differences);
}

// Base as both of its measurements have it: steps of one repetition by their mean, launches' costs one beside the other.
ByRepetition both(const ByRepetition& base, const ByRepetition& again, bool by_repetition) {
  auto all = base;
  const std::int64_t beyond = base.empty() ? 0 : base.rbegin()->first + 1;
  for (const auto& [repetition, value] : again) {
    if (!by_repetition) {
      all[beyond + repetition] = value;
    } else if (const auto other = all.find(repetition); other != all.end()) {
      other->second = 0.5 * (other->second + value);
    }
  }
  return all;
}

// One row under judgement.
struct Judged {
  ComparedRow row;
  MeanDifference change;
  std::string why_not;  // not empty: no verdict
  double bound_s = 0;   // below which what passes must surely lie: the threshold, or the margin where none was given
  double threshold_s = 0;
  double p_slower = kNotMeasured, p_within = kNotMeasured;
};

class Comparer {
 public:
  Comparer(const std::vector<LaunchValues>& base, const std::vector<LaunchValues>& fresh, const std::vector<LaunchValues>& again,
           const ComparisonRule& rule)
      : base_(base), fresh_(by_key(fresh)), again_(by_key(again)), rule_(rule) {
    for (const auto& one : base) {
      if (one.is_aa) aa_arms_.emplace(one.cell_id + '\n' + entry_of(one.clock).name, &one);
    }
    for (const auto& one : fresh) fresh_cells_.insert(one.cell_id);
  }

  std::vector<ComparedRow> rows() {
    for (const auto& one : base_) {
      if (const auto* other = find(fresh_, one.key())) {
        judged_.push_back(compared(one, *other));
      } else if (rule_.in_turn || fresh_cells_.contains(one.cell_id)) {
        judged_.push_back(missing(one));
      }
    }
    for (const auto& clock : kClocks) adjust(clock.name);
    std::vector<ComparedRow> rows;
    for (auto& one : judged_) {
      judge(one);
      rows.push_back(std::move(one.row));
    }
    hold_against_other_clocks(rows);
    return rows;
  }

 private:
  bool is_step(const LaunchValues& values) const { return values.what == compared_what::kStep; }
  bool pairs_repetitions(const LaunchValues& values) const { return rule_.in_turn && is_step(values); }
  bool is_judged(const LaunchValues& values) const {
    return !values.is_aa && (!is_step(values) || (rule_.in_turn && !rule_.costs_only));
  }

  // What base has measured and new has not: an arm that failed there must not pass.
  Judged missing(const LaunchValues& base) const {
    Judged one;
    one.why_not = "new has not measured it";
    fill(one.row, base, {}, base.by_repetition);
    one.row.counts = is_judged(base) && base.clock == rule_.primary_clock;
    return one;
  }

  Judged compared(const LaunchValues& base, const LaunchValues& fresh) const {
    const bool in_pairs = pairs_repetitions(base);
    const auto* again = find(again_, base.key());
    const auto reference = again == nullptr ? base.by_repetition : both(base.by_repetition, again->by_repetition, in_pairs);
    Judged one;
    one.change = difference(fresh.by_repetition, reference, in_pairs);
    one.threshold_s = 0.01 * rule_.threshold_percent * base.step_s;
    one.bound_s = one.threshold_s > 0 ? one.threshold_s : base.margin_s;
    one.why_not = why_not({&base, &fresh, again});
    if (one.why_not.empty() && std::isnan(one.change.standard_error)) one.why_not = "needs two repetitions that both builds have";
    fill(one.row, base, fresh, reference);
    fill_change(one, base);
    const auto aa = aa_of(base, again);
    one.row.aa_lo_us = 1e6 * aa.lo;
    one.row.aa_hi_us = 1e6 * aa.hi;
    const auto change = one.change.interval(rule_.confidence);
    one.row.resolution_us = 1e6 * (0.5 * (change.hi - change.lo)) + (std::isnan(aa.lo) ? 0 : farther_us(one.row));
    one.row.counts = is_judged(base) && base.clock == rule_.primary_clock;
    if (is_judged(base) && one.why_not.empty()) {
      one.p_slower = one.change.p_above(one.threshold_s + allowance_s(one.row));
      one.p_within = one.change.p_below(one.bound_s - allowance_s(one.row));
    }
    return one;
  }

  static double farther_us(const ComparedRow& row) { return std::fmax(std::fabs(row.aa_lo_us), std::fabs(row.aa_hi_us)); }

  // What equal builds were seen to differ by beyond chance: every claim must clear it.
  static double allowance_s(const ComparedRow& row) { return row.aa_lo_us > 0 || row.aa_hi_us < 0 ? 1e-6 * farther_us(row) : 0; }

  // Of base against base; where it was not measured again, of the A/A arm between the two builds.
  Estimate aa_of(const LaunchValues& base, const LaunchValues* again) const {
    if (again != nullptr)
      return difference(again->by_repetition, base.by_repetition, pairs_repetitions(base)).interval(rule_.confidence);
    if (is_step(base) || base.is_aa) return {};
    const auto found = aa_arms_.find(base.cell_id + '\n' + entry_of(base.clock).name);
    if (found == aa_arms_.end()) return {};
    const auto* other = find(fresh_, found->second->key());
    return other == nullptr ? Estimate{}
                            : difference(other->by_repetition, found->second->by_repetition, false).interval(rule_.confidence);
  }

  // Of base, new and, where there is one, base again.
  static std::string why_not(const std::array<const LaunchValues*, 3>& sides) {
    constexpr std::array kNames{"base", "new", "base again"};
    if (std::min(sides[0]->by_repetition.size(), sides[1]->by_repetition.size()) < 2)
      return "needs two launches of each build, at the least";
    for (std::size_t i = 0; i < sides.size(); ++i) {
      if (sides[i] != nullptr && !sides[i]->why_not.empty()) return std::string(kNames[i]) + ": " + sides[i]->why_not;
    }
    return "";
  }

  static void fill(ComparedRow& row, const LaunchValues& base, const LaunchValues& fresh, const ByRepetition& reference) {
    row.cell_id = base.cell_id;
    row.label = base.label;
    row.what = base.what;
    row.arm = base.arm;
    row.clock = entry_of(base.clock).name;
    row.base_us = 1e6 * mean_over_launches(reference);
    row.new_us = 1e6 * mean_over_launches(fresh.by_repetition);
    row.step_us = 1e6 * base.step_s;
    row.margin_us = 1e6 * base.margin_s;
    row.base_launches = static_cast<std::int64_t>(base.by_repetition.size());
    row.new_launches = static_cast<std::int64_t>(fresh.by_repetition.size());
  }

  void fill_change(Judged& one, const LaunchValues& base) const {
    const auto change = one.change.interval(rule_.confidence);
    const double percent = 100 / base.step_s;
    auto& row = one.row;
    row.change_us = mapped(change, [](double seconds) { return 1e6 * seconds; });
    row.change_percent = mapped(change, [&](double seconds) { return percent * seconds; });
  }

  void adjust(const std::string& clock) {
    std::vector<Judged*> family;
    for (auto& one : judged_) {
      if (one.row.clock == clock) family.push_back(&one);
    }
    adjust_family(family, &Judged::p_slower, &Judged::p_slower);
    adjust_family(family, &Judged::p_within, &Judged::p_within);
  }

  void judge(Judged& one) const {
    auto& row = one.row;
    row.p_slower_holm = one.p_slower;
    row.p_within_holm = one.p_within;
    const double significance = 1 - rule_.confidence;
    if (!one.why_not.empty()) {
      row.verdict = verdict::kUnmeasurable;
      row.reason = one.why_not;
      row.gate = row.counts ? gate::kOpen : gate::kNotJudged;
      return;
    }
    if (std::isnan(one.p_slower)) return;  // told only
    const bool is_within = one.p_within < significance / 2;
    const bool is_slower = one.p_slower < significance / 2;
    row.verdict = verdict_of(row, is_within, is_slower);
    row.reason = reason_of(one, is_within, is_slower);
    if (!is_within && !is_slower) row.settle_launches = launches_to_settle(one);
    if (row.counts) row.gate = is_within ? gate::kPass : is_slower ? gate::kRegression : gate::kOpen;
  }

  // No figure passes that another clock of what the user waits for has surely beyond its bound.
  void hold_against_other_clocks(std::vector<ComparedRow>& rows) const {
    std::map<std::string, std::vector<const ComparedRow*>> others;
    const auto key = [](const ComparedRow& row) { return row.cell_id + '\n' + row.what + '\n' + row.arm; };
    for (const auto& row : rows) {
      const bool is_wall = row.clock == clock_name::kWall && rule_.primary_clock != Clock::kDevice;
      const double bound_us = rule_.threshold_percent > 0 ? 1e-2 * rule_.threshold_percent * row.step_us : row.margin_us;
      const bool sees_waiting = is_wall || row.clock == clock_name::kAwaited || row.clock == clock_name::kDevice;
      if (sees_waiting && row.verdict == verdict::kSlower && row.change_us.lo > bound_us) others[key(row)].push_back(&row);
    }
    for (auto& row : rows) {
      for (const auto* other : others[key(row)]) {
        if (other == &row || row.verdict == verdict::kSlower || row.verdict == verdict::kUnmeasurable || row.verdict.empty())
          continue;
        if (row.gate == gate::kPass) row.gate = gate::kOpen;
        row.verdict = verdict::kAmbiguous;
        row.reason += "; but on " + clock_phrase(other->clock) + " it is " +
                      estimate_phrase(other->change_us.value, other->change_us.lo, other->change_us.hi) + " slower";
      }
    }
  }

  static const char* verdict_of(const ComparedRow& row, bool is_within, bool is_slower) {
    if (is_within && row.change_us.lo >= -row.margin_us && row.change_us.hi <= row.margin_us) return verdict::kEquivalent;
    if (row.change_us.hi < -1e6 * allowance_s(row) && is_within) return verdict::kFaster;
    return is_slower && !is_within ? verdict::kSlower : verdict::kAmbiguous;
  }

  std::string reason_of(const Judged& one, bool is_within, bool is_slower) const {
    const auto percent = [&](double s) { return number_text(100 * s / (1e-6 * one.row.step_us), 2) + " %"; };
    const auto limit = percent(one.bound_s) + " of the step";
    if (is_within) return "not slower by more than " + limit;
    if (is_slower)
      return one.threshold_s > 0 ? "slower by more than " + percent(one.threshold_s) + " of the step" : "slower beyond chance";
    return "neither surely slower nor surely within " + limit;
  }

  // That either claim takes, should the estimate stand: half-widths shrink with the root of the launches.
  double launches_to_settle(const Judged& one) const {
    const auto change = one.change.interval(rule_.confidence);
    const double half = 0.5 * (change.hi - change.lo);
    const double distance = std::fmax(one.bound_s - change.value, change.value - one.threshold_s) - allowance_s(one.row);
    if (!(distance > 0)) return kNotMeasured;
    const double factor = half / distance;
    return std::ceil(static_cast<double>(one.row.new_launches) * std::fmax(1.0, factor * factor) + 1);
  }

  const std::vector<LaunchValues>& base_;
  ByKey fresh_, again_, aa_arms_;
  std::set<std::string> fresh_cells_;
  ComparisonRule rule_;
  std::vector<Judged> judged_;
};

void name_lonely(const std::vector<LaunchValues>& ours, const std::vector<LaunchValues>& others, const std::string& side,
                 std::vector<std::string>& found) {
  std::set<std::string> there, told;
  for (const auto& one : others) there.insert(one.cell_id);
  for (const auto& one : ours) {
    if (!there.contains(one.cell_id) && told.insert(one.cell_id).second) found.push_back(side + ": " + one.cell_id);
  }
}

}  // namespace

BuildComparison compare_builds(const std::vector<LaunchValues>& base, const std::vector<LaunchValues>& fresh,
                               const std::vector<LaunchValues>& again, const ComparisonRule& rule) {
  BuildComparison comparison{rule, Comparer(base, fresh, again, rule).rows(), {}};
  name_lonely(base, fresh, "base", comparison.only_in_one);
  name_lonely(fresh, base, "new", comparison.only_in_one);
  return comparison;
}

}  // namespace ddpbench
