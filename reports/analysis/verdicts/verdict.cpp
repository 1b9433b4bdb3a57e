#include "reports/analysis/verdicts/verdict.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/analysis/words/wording.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

constexpr std::array<Gate, 6> kGates{gate_clock, gate_pairs, gate_periodic, gate_power, gate_aa, gate_control};

std::string count_text(double pairs) {
  constexpr double kSaysNothing = 1e9;
  return pairs < kSaysNothing ? std::to_string(std::llround(std::ceil(pairs))) : "over a billion";
}

std::string pairs_text(const Judgement& j) {
  const bool is_known = std::isfinite(j.evidence.affordable_pairs);
  return "sd of a pair " + number_text(100 * j.evidence.sigma_d, 2) + " %, " + count_text(j.row.pairs_needed) +
         " pairs needed for a half-width of " + duration_text(1e-6 * j.evidence.margin_us) + ", " + std::to_string(j.row.pairs) +
         " there" + (is_known ? ", " + count_text(j.evidence.affordable_pairs) + " within the cap" : "");
}

std::string host_text(const Judgement& j) {
  std::string text;
  if (!std::isnan(j.evidence.load)) text += ", load " + number_text(j.evidence.load, 2);
  if (!std::isnan(j.evidence.steal_percent)) text += ", steal " + number_text(j.evidence.steal_percent, 2) + " %";
  return text;
}

// An interval gets narrower with the square root of the number of pairs.
std::string cure_text(const Judgement& j) {
  const double shortfall = j.row.pairs_needed / j.evidence.affordable_pairs;
  if (!(shortfall > 1) || !std::isfinite(shortfall)) return "; a quieter host would help";
  const auto margin = margin_text(j.evidence.margin_us * std::sqrt(shortfall));
  return "; a quieter host would help, or " + number_text(shortfall, 2) +
         " times the pairs (more launches, or a higher cap on each), or a margin of " + margin;
}

std::string why_unmeasurable(const Judgement& j, const std::string& failure) {
  auto reason = "not resolved: " + failure;
  if (!std::isnan(j.evidence.sigma_d)) reason += "; " + pairs_text(j) + host_text(j) + cure_text(j);
  return reason;
}

// With heavy tails the interval is wider than the standard deviation predicts; the interval itself is then scaled.
std::string still_needed(const Judgement& j, double wanted_us) {
  const auto pairs = static_cast<double>(j.row.pairs);
  const double by_deviation = pairs_needed(j.evidence.sigma_d, j.relative(wanted_us));
  const double needed = by_deviation > pairs ? by_deviation : pairs * std::pow(j.half_width_us() / wanted_us, 2);
  const auto more = count_text(std::max(1.0, needed - pairs));
  return "about " + more + " more pairs needed (sd of a pair " + number_text(100 * j.evidence.sigma_d, 2) + " %)" +
         (j.row.launches > 1 ? ", or more launches" : "");
}

// The half-width that settles a verdict against ±m with room to spare.
double settling_half_width_us(const Judgement& j) { return 0.5 * j.evidence.margin_us; }

void settle_against_margin(OverheadRow& row, const Judgement& j) {
  const double m = j.evidence.margin_us;
  const auto margin = margin_text(m);
  const auto whole = whole_us(j.row);
  if (whole.lo >= -m && whole.hi <= m) {
    row.verdict = verdict::kEquivalent;
    row.reason = "inside " + margin;
  } else if (whole.lo > 0) {
    row.verdict = verdict::kSlower;
    row.reason = whole.lo > m ? "beyond " + margin : "above 0, but not all of it beyond " + margin;
  } else if (whole.hi < 0) {
    row.verdict = verdict::kFaster;
    row.reason = whole.hi < -m ? "beyond " + margin : "below 0, but not all of it beyond " + margin;
  } else {
    row.verdict = verdict::kAmbiguous;
    row.reason = "holds 0 and is not inside " + margin + "; " + still_needed(j, settling_half_width_us(j));
  }
}

std::string p_text(double p) { return p < 1e-4 ? "< 0.0001" : "= " + number_text(p, 2); }

// One of twenty arms that cost nothing is called slower or faster by its own interval. Work of every n-th step is timed by itself and not
// found as a difference: where it costs more than the whole interval is wide, chance cannot explain the verdict.
void doubt_chance(OverheadRow& row, const Judgement& j) {
  const bool differs = row.verdict == verdict::kSlower || row.verdict == verdict::kFaster;
  const double width = row.overhead_us_hi - row.overhead_us_lo;
  const bool by_its_periodic_work = row.verdict == verdict::kSlower && row.periodic_us_lo > width;
  if (!differs || row.p_holm < kSignificance || by_its_periodic_work) return;
  row.verdict = verdict::kAmbiguous;
  row.reason += ", but may be chance in " + counted(row.comparisons, "comparison") + " (p " + p_text(row.p_value) + ", by Holm " +
                p_text(row.p_holm) + "); " + still_needed(j, settling_half_width_us(j));
}

void doubt_cpu_time(OverheadRow& row, const Judgement& j) {
  if (j.clock.clock != Clock::kThreadCpu) return;
  if (row.verdict != verdict::kEquivalent || !j.hides_waiting()) {
    row.reason += "; host work only";
    return;
  }
  row.verdict = verdict::kAmbiguous;
  row.reason = "host CPU " + row.reason + ", but the arm adds " + number_text(j.evidence.extra_collectives_per_step, 2) +
               " collectives a step, whose wait CPU time cannot see: see wall";
}

// How many pairs would move the bound beyond the budget up to it.
std::string undecided_text(const Judgement& j) {
  const auto whole = j.whole_percent();
  if (whole.hi <= j.evidence.budget_percent) {
    return "host CPU is within it, but the arm adds collectives, whose wait CPU time cannot see: see wall";
  }
  const double distance_percent = std::fabs(whole.value - j.evidence.budget_percent);
  return still_needed(j, 10 * distance_percent * j.row.reference_step_ms);
}

std::string budget_verdict_of(const Judgement& j) {
  const auto whole = j.whole_percent();
  if (whole.lo > j.evidence.budget_percent) return budget_verdict::kReject;
  const bool within = whole.hi <= j.evidence.budget_percent;
  return within && !j.hides_waiting() ? budget_verdict::kAccept : budget_verdict::kUndecided;
}

}  // namespace

void judge_margin(OverheadRow& row, const ClockEntry& clock, const Evidence& evidence) {
  const Judgement j{row, clock, evidence};
  const auto failure = first_failure(kGates, j);
  if (!failure.empty()) {
    row.verdict = clock.bears_verdict ? verdict::kUnmeasurable : "";
    row.reason = clock.bears_verdict ? why_unmeasurable(j, failure) : failure;
    return;
  }
  const auto whole = whole_us(j.row);
  settle_against_margin(row, j);
  doubt_chance(row, j);
  doubt_cpu_time(row, j);
  if (j.periodic_is_known())
    row.reason += "; with its work of every n-th step, " + us_interval_text(whole.lo, whole.hi) + " in all";
  row.reason += unchecked_text(j);
}

void judge_budget(OverheadRow& row, const ClockEntry& clock, const Evidence& evidence) {
  constexpr std::array<Gate, 4> kBudgetGates{gate_pairs, gate_periodic, gate_aa_bias, gate_control_bias};
  if (evidence.budget_percent == 0) return;
  const Judgement j{row, clock, evidence};
  const auto failure = first_failure(kBudgetGates, j);
  row.budget_percent = evidence.budget_percent;
  row.budget_verdict = failure.empty() ? budget_verdict_of(j) : budget_verdict::kUndecided;
  row.reason += "; budget of " + plain_text(row.budget_percent) + " %: " + row.budget_verdict;
  if (row.budget_verdict == budget_verdict::kUndecided) row.reason += ", " + (failure.empty() ? undecided_text(j) : failure);
}

}  // namespace ddpbench
