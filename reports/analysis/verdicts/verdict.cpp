#include "reports/analysis/verdicts/verdict.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/verdicts/row_phrases.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"
#include "suite/estimates/estimate.hpp"
#include "suite/estimates/student_t.hpp"

namespace ddpbench {
namespace {

constexpr const char* kBlocksApart = "blocks that do not directly follow a block of either arm";

constexpr std::array<Gate, 5> kGates{gate_clock, gate_invalid, gate_pairs, gate_periodic, gate_control};

std::string centre_step(const RowJudgement& j) { return j.evidence.fastest_step ? "the fastest step" : "the median step"; }

std::string aa_text(const RowJudgement& j) { return "A/A interval " + us_interval_text(j.row.aa_lo, j.row.aa_hi); }

std::string share_text(const RowJudgement& j, double us) { return signed_text(j.percent(us)) + " %"; }

// "" if the row has the launches and pairs that it needs: more would not settle it.
std::string settled_by(const RowJudgement& j) {
  return j.evidence.settling.needs_more_than(j.row.launches, j.row.pairs) ? "; " + settling_phrase(j.evidence.settling) : "";
}

void fill_bounds(OverheadRow& row, const RowJudgement& j) {
  const auto whole = j.whole();
  const auto mean = j.mean();
  const auto bounds = j.bounds();
  const bool is_mean_above = mean.lo > 0 && mean.lo > whole.hi + row.margin_us;  // some steps cost what the median one does not
  row.at_least_us = is_mean_above ? mean.lo - j.aa_allowance_us() : bounds.lo;
  row.at_most_us = is_mean_above ? mean.hi + j.aa_allowance_us() : bounds.hi;
  const auto [least, most] = j.scale();
  row.control_factor = most > 1 ? most : least;
  row.resolution_us = 0.5 * (whole.hi - whole.lo) + (std::isnan(farther_aa_us(row)) ? 0 : farther_aa_us(row));
  const auto comparisons = static_cast<std::size_t>(std::max<std::int64_t>(1, row.comparisons));
  row.seen_us = row.resolution_us * two_sided_normal_quantile(bonferroni_confidence(kDefaultConfidence, comparisons)) /
                two_sided_normal_quantile(kDefaultConfidence);
}

// Why a cost whose centre is inside ±m is not called none; "" where nothing speaks against it.
std::string why_not_equivalent(const RowJudgement& j) {
  const auto margin = margin_text(j.row.margin_us);
  const auto outside = [&](const std::string& what, double lo, double hi) {
    return what + " " + us_interval_text(lo, hi) + " is not inside " + margin;
  };
  const auto mean = j.mean();
  if (!j.lies_within_margin(mean))
    return centre_step(j) + " is inside " + margin + ", but " + outside("the mean step", mean.lo, mean.hi);
  const Estimate ranks{0, j.evidence.ranks_lo_us - j.evidence.tick_us, j.evidence.ranks_hi_us + j.evidence.tick_us, 0};
  if (!std::isnan(ranks.lo) && !j.lies_within_margin(ranks))
    return outside("the farthest of the ranks' own intervals", ranks.lo, ranks.hi);
  if (j.evidence.aa.is_planned && !j.lies_within_margin({0, j.row.aa_lo, j.row.aa_hi, 0})) {
    return "inside " + margin + ", but " +
           (std::isnan(j.row.aa_lo) ? "the A/A pair has no estimate" : outside("the A/A interval", j.row.aa_lo, j.row.aa_hi));
  }
  if (j.neighbours_count() && !j.lies_within_margin(j.apart())) {
    return outside(std::string("in ") + kBlocksApart + " the cost", j.apart().lo, j.apart().hi);
  }
  if (!(j.row.p_equivalent_holm < j.evidence.significance / 2)) {
    return "inside " + margin + ", but may be chance in " + counted(j.row.comparisons, "comparison") +
           " (p of more than that, by Holm, " + p_text(j.row.p_equivalent_holm) + ")";
  }
  return "";
}

std::string equivalent_text(const RowJudgement& j) {
  const auto whole = j.whole();
  const auto margin = margin_text(j.row.margin_us);
  const bool differs = (whole.lo > 0 || whole.hi < 0) && j.row.p_holm < j.evidence.significance;
  return "inside " + margin +
         (differs ? "; a real difference of " + estimate_phrase(whole.value, whole.lo, whole.hi) + " is part of that" : "");
}

// One way in which an arm may stand out from its reference.
struct Claim {
  const char* verdict;
  double at_least_us;  // of the distance from 0, A/A allowed for
  std::string words;
  double p_apart;  // of none, where neither block ran right behind the other; NaN: not asked
};

std::string beyond_text(const RowJudgement& j, double at_least_us, const char* side) {
  const auto margin = margin_text(j.row.margin_us);
  return at_least_us > j.row.margin_us ? "beyond " + margin : std::string(side) + " 0, but not all of it beyond " + margin;
}

std::string rank_text(const RowJudgement& j) {
  const auto rank = j.largest_rank();
  return "on rank " + std::to_string(std::llround(j.row.largest_rank)) + " alone " +
         estimate_phrase(rank.value, rank.lo, rank.hi) + " (mean over the ranks " + signed_text(j.row.overhead_us.value) + " us)";
}

std::vector<Claim> claims_of(const RowJudgement& j) {
  const double allowance = j.aa_allowance_us();
  const auto whole = j.whole();
  const auto mean = j.mean();
  std::vector<Claim> claims;
  if (whole.lo > 0) {
    claims.push_back(
        {verdict::kSlower, whole.lo - allowance, beyond_text(j, whole.lo - allowance, "above"), j.evidence.p_apart_slower});
  }
  const auto rank = j.largest_rank();
  if (whole.hi < 0 && !(mean.lo > 0) && !(rank.lo > 0))
    claims.push_back(
        {verdict::kFaster, -whole.hi - allowance, beyond_text(j, -whole.hi - allowance, "below"), j.evidence.p_apart_faster});
  if (mean.lo > 0) {
    claims.push_back({verdict::kSlower, mean.lo - allowance,
                      "the mean step costs " + estimate_phrase(mean.value, mean.lo, mean.hi) + ", " + centre_step(j) + " " +
                          signed_text(whole.value) + " us: something costs now and then",
                      j.evidence.p_apart_mean_slower});
  }
  if (rank.lo > 0) claims.push_back({verdict::kSlower, rank.lo - allowance, rank_text(j), j.evidence.p_apart_rank_slower});
  return claims;
}

// Why a claim does not hold though its interval excludes 0; "" where it does.
std::string why_no_difference(const RowJudgement& j, const Claim& claim) {
  const bool slower = claim.verdict == std::string_view(verdict::kSlower);
  const bool is_other_side = slower ? j.evidence.p_faster < j.evidence.p_slower : j.evidence.p_slower < j.evidence.p_faster;
  if (is_other_side || !(j.row.p_holm < j.evidence.significance)) {  // p is of the side that is nearer to certain
    return "may be chance in " + counted(j.row.comparisons, "comparison") + ", or what the A/A arm shows too (p " +
           p_text(j.row.p_value) + ", by Holm " + p_text(j.row.p_holm) + ")";
  }
  if (!(claim.at_least_us > 0)) return "no farther from 0 than the " + aa_text(j);
  if (!(claim.p_apart < j.evidence.significance / 2) && !std::isnan(claim.p_apart)) {
    const auto apart = j.apart();
    return std::string("not shown in ") + kBlocksApart + ", " + estimate_phrase(apart.value, apart.lo, apart.hi) +
           (j.neighbours_count() ? ": one of them changes the step behind it" : ": too few super-blocks are so");
  }
  return "";
}

std::string bound_text(const RowJudgement& j) {
  return "between " + share_text(j, j.row.at_least_us) + " and " + share_text(j, j.row.at_most_us) +
         " of the step: " + bound_phrase(j.row);
}

// Where the bound lies beyond the interval that stands beside it: why.
std::string whose_bound(const RowJudgement& j) {
  const auto whole = j.whole(), bounds = j.bounds();
  const double allowed = j.aa_allowance_us() + j.row.margin_us;
  const bool is_beyond = bounds.hi > whole.hi + allowed || bounds.lo < whole.lo - allowed;
  return is_beyond ? std::string(", by ") + kBlocksApart : "";
}

void assign_verdict(OverheadRow& row, const RowJudgement& j) {
  std::string doubts;
  if (j.lies_within_margin(j.whole())) {
    doubts = why_not_equivalent(j);
    if (doubts.empty()) {
      row.verdict = verdict::kEquivalent;
      row.reason = equivalent_text(j);
      return;
    }
  }
  for (const auto& claim : claims_of(j)) {
    const auto doubt = why_no_difference(j, claim);
    if (doubt.empty()) {
      row.verdict = claim.verdict;
      row.reason = claim.words;
      return;
    }
    if (doubts.empty()) doubts = claim.words + ", but " + doubt;
  }
  row.verdict = verdict::kAmbiguous;
  const bool tells_of_blocks = doubts.find(kBlocksApart) != std::string::npos;
  row.reason = bound_text(j) + (tells_of_blocks ? "" : whose_bound(j)) + (doubts.empty() ? "" : "; " + doubts) + settled_by(j);
}

std::string budget_verdict_of(const OverheadRow& row, const RowJudgement& j) {
  const double budget_us = 1e-2 * j.evidence.budget_percent * row.step_us;
  const double allowance = j.aa_allowance_us();
  const auto bounds = j.bounds();
  const auto mean = j.mean();
  const bool sure = row.p_budget_holm < j.evidence.significance / 2;
  const bool mean_is_beyond = mean.lo - allowance > budget_us && !j.neighbours_count();
  if (sure && (bounds.lo > budget_us || mean_is_beyond)) return budget_verdict::kReject;
  const bool within = sure && std::max(bounds.hi, mean.hi + allowance) <= budget_us;
  return within ? budget_verdict::kAccept : budget_verdict::kUndecided;
}

}  // namespace

void judge_margin(OverheadRow& row, const ClockEntry& clock, const Evidence& evidence) {
  const RowJudgement j{row, clock, evidence};
  const auto failure = first_failure(kGates, j);
  if (!failure.empty()) {
    row.verdict = clock.bears_verdict ? verdict::kUnmeasurable : "";
    row.reason = failure;
    return;
  }
  fill_bounds(row, j);
  assign_verdict(row, j);
  if (clock.clock == Clock::kThreadCpu && row.verdict != verdict::kAmbiguous) row.reason += "; host work only";
  if (!std::isnan(row.periodic_us.value)) {
    const auto whole = j.whole();
    row.reason += "; with its work of every n-th step, " + us_interval_text(whole.lo, whole.hi) + " in all";
  }
  if (std::fabs(evidence.scatter_bias_us) > 0)
    row.reason += "; of fastest steps, which may hide " + number_text(std::fabs(evidence.scatter_bias_us), 2) +
                  " us: the arm's steps scatter " + (evidence.scatter_bias_us > 0 ? "more" : "less");
  if (row.launches == 1) row.reason += "; within this launch only";
  row.reason += controls_text(j);
}

void judge_budget(OverheadRow& row, const ClockEntry& clock, const Evidence& evidence) {
  constexpr std::array<Gate, 4> kBudgetGates{gate_invalid, gate_pairs, gate_periodic, gate_control};
  if (evidence.budget_percent == 0) return;
  const RowJudgement j{row, clock, evidence};
  const auto failure = first_failure(kBudgetGates, j);
  row.budget_percent = evidence.budget_percent;
  row.budget_verdict = failure.empty() ? budget_verdict_of(row, j) : budget_verdict::kUndecided;
  row.reason += "; budget of " + plain_text(row.budget_percent) + " % of the step: " + row.budget_verdict;
  if (row.budget_verdict == budget_verdict::kUndecided)
    row.reason += ", " + (failure.empty() ? bound_text(j) + settled_by(j) : failure);
}

}  // namespace ddpbench
