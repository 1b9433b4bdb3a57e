#include "reports/analysis/verdict.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/analysis/wording.hpp"
#include "reports/estimates/estimate.hpp"
#include "suite/vocab/arm_name.hpp"
#include "suite/vocab/status.hpp"

namespace ddpbench {
namespace {

constexpr double kControlToleranceShare = 0.05;
constexpr double kControlToleranceUs = 2;
constexpr double kCoresForWallGate = 2;  // per rank: with fewer, a spin also takes the core from the neighbour's collectives

struct Judgement {
  const OverheadRow& row;
  const ClockEntry& clock;
  const Evidence& evidence;

  double relative(double us) const { return us * 1e-3 / row.reference_step_ms; }
  // The half-width that settles a verdict against ±m with room to spare.
  double wanted_half_width() const { return relative(0.5 * evidence.margin_us); }
  double half_width() const { return relative(0.5 * (row.overhead_us_hi - row.overhead_us_lo)); }
};

// Every gate answers "" (passed, or not to be checked here) or why the figure has no verdict.
std::string gate_clock(const Judgement& j) {
  if (j.clock.bears_verdict) return "";
  return "a backend may spin: process CPU is never a verdict clock";
}

std::string gate_pairs(const Judgement& j) {
  if (!std::isnan(j.row.overhead_us_lo)) return "";
  if (j.row.pairs == 0) return "no pair was measured (launches that failed or gave a wrong result have no times)";
  if (j.row.pairs >= static_cast<std::int64_t>(kFewestPairs))
    return "too few pairs for this confidence (" + std::to_string(j.row.pairs) + ")";
  return "fewer than six pairs in any launch (" + count_words(j.row.pairs, "pair") + ")";
}

std::string gate_aa(const Judgement& j) {
  if (!j.evidence.aa_planned) return "";
  if (std::isnan(j.row.aa_lo)) return "the A/A pair (raw_again) has no estimate";
  const bool inside = j.row.aa_lo >= -j.evidence.margin_us && j.row.aa_hi <= j.evidence.margin_us;
  if (inside) return "";
  return "A/A interval " + us_interval_text(j.row.aa_lo, j.row.aa_hi) + " exceeds " + margin_text(j.evidence.margin_us);
}

bool control_is_gated(const Judgement& j) {
  const bool two_cores = j.evidence.cores_per_rank >= kCoresForWallGate;
  return j.clock.control_rule == ControlRule::kGate ||
         (j.clock.control_rule == ControlRule::kGateWithTwoCoresPerRank && two_cores);
}

std::string control_text(const Judgement& j) {
  return number_text(j.row.injected_us) + " us found of " + number_text(j.row.injected_true_us) + " us injected";
}

std::string gate_control(const Judgement& j) {
  if (!j.evidence.control_planned || !control_is_gated(j)) return "";
  if (std::isnan(j.row.injected_us) || std::isnan(j.row.injected_true_us))
    return "the positive control (injected) has no estimate";
  const double tolerance = std::max(kControlToleranceShare * j.row.injected_true_us, kControlToleranceUs);
  if (std::fabs(j.row.injected_us - j.row.injected_true_us) <= tolerance) return "";
  return "the positive control was not found: " + control_text(j) + ", tolerance " + margin_text(tolerance);
}

constexpr std::array kGates{gate_clock, gate_pairs, gate_aa, gate_control};

std::string count_text(double pairs) { return number_text(std::ceil(pairs)); }

std::string pairs_text(const Judgement& j) {
  const double needed = pairs_needed(j.evidence.sigma_d, j.wanted_half_width());
  return "sd of a pair " + number_text(100 * j.evidence.sigma_d, 2) + " %, " + count_text(needed) +
         " pairs needed for a half-width of " + duration_text(0.5e-6 * j.evidence.margin_us) + ", " +
         std::to_string(j.row.pairs) + " there";
}

std::string host_text(const Judgement& j) {
  std::string text;
  if (!std::isnan(j.evidence.load)) text += ", load " + number_text(j.evidence.load, 2);
  if (!std::isnan(j.evidence.steal_percent)) text += ", steal " + number_text(j.evidence.steal_percent, 2) + " %";
  return text;
}

// Heavy tails make the interval wider than the standard deviation tells: then the interval itself is scaled.
std::string still_needed(const Judgement& j) {
  const auto pairs = static_cast<double>(j.row.pairs);
  const double wanted = j.wanted_half_width();
  const double by_deviation = pairs_needed(j.evidence.sigma_d, wanted);
  const double needed = by_deviation > pairs ? by_deviation : pairs * std::pow(j.half_width() / wanted, 2);
  const auto more = count_text(std::max(1.0, needed - pairs));
  return "about " + more + " more pairs needed (sd of a pair " + number_text(100 * j.evidence.sigma_d, 2) + " %)" +
         (j.row.launches > 1 ? ", or more launches" : "");
}

void settle(OverheadRow& row, const Judgement& j) {
  const double m = j.evidence.margin_us;
  const auto margin = margin_text(m);
  const bool inside = row.overhead_us_lo >= -m && row.overhead_us_hi <= m;
  if (inside) {
    row.verdict = verdict::kEquivalent;
    row.reason = "inside " + margin;
  } else if (row.overhead_us_lo > 0) {
    row.verdict = verdict::kSlower;
    row.reason = row.overhead_us_lo > m ? "beyond " + margin : "above 0, but not all of it beyond " + margin;
  } else if (row.overhead_us_hi < 0) {
    row.verdict = verdict::kFaster;
    row.reason = row.overhead_us_hi < -m ? "beyond " + margin : "below 0, but not all of it beyond " + margin;
  } else {
    row.verdict = verdict::kAmbiguous;
    row.reason = "holds 0 and is not inside " + margin + "; " + still_needed(j);
  }
}

// What CPU time cannot see: the arm may wait where its reference does not.
void doubt_cpu_time(OverheadRow& row, const Judgement& j) {
  const bool cpu_only = j.clock.clock == Clock::kThreadCpu;
  if (cpu_only && row.verdict == verdict::kEquivalent && j.evidence.extra_collectives_per_step > 0) {
    row.verdict = verdict::kAmbiguous;
    row.reason = "host CPU " + row.reason + ", but the arm adds " + number_text(j.evidence.extra_collectives_per_step, 2) +
                 " collectives a step, whose wait CPU time cannot see: see wall";
  } else if (cpu_only) {
    row.reason += "; host work only";
  }
}

std::string unchecked(const Judgement& j) {
  std::string text;
  if (!j.evidence.aa_planned) text += "; A/A not checked (no arm raw_again)";
  if (!j.evidence.control_planned) return text + "; control not checked (no arm injected)";
  if (j.clock.control_rule == ControlRule::kPrintOnly) return text + "; control not checked on this clock";
  if (!control_is_gated(j)) text += "; control printed, not gated (fewer than two cores per rank): " + control_text(j);
  return text;
}

}  // namespace

double pairs_needed(double sigma_d, double h) { return std::pow(1.96 * 1.023 * sigma_d / h, 2); }

void judge(OverheadRow& row, const ClockEntry& clock, const Evidence& evidence) {
  const Judgement j{row, clock, evidence};
  for (const auto& gate : kGates) {
    const auto failure = gate(j);
    if (failure.empty()) continue;
    row.verdict = clock.bears_verdict ? verdict::kUnmeasurable : "";
    row.reason = "not resolved: " + failure;
    if (clock.bears_verdict && !std::isnan(evidence.sigma_d)) row.reason += "; " + pairs_text(j) + host_text(j);
    if (!clock.bears_verdict) row.reason = failure;
    return;
  }
  settle(row, j);
  doubt_cpu_time(row, j);
  row.reason += unchecked(j);
}

}  // namespace ddpbench
