#include "reports/analysis/verdicts/gates.hpp"

#include <algorithm>
#include <cmath>

#include "reports/analysis/words/wording.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

constexpr double kControlToleranceShare = 0.05;
constexpr double kControlToleranceUs = 2;
constexpr double kCoresForWallGate = 2;  // per rank: with fewer, a spin also takes the core from the neighbour's collectives

bool control_is_gated(const Judgement& j) {
  const bool two_cores = j.evidence.cores_per_rank >= kCoresForWallGate;
  return j.clock.control_rule == ControlRule::kGate ||
         (j.clock.control_rule == ControlRule::kGateWithTwoCoresPerRank && two_cores);
}

std::string control_text(const Judgement& j) {
  return number_text(j.row.injected_us) + " us found of " + number_text(j.row.injected_true_us) + " us injected";
}

std::string no_control_text(const Judgement& j) {
  return "the positive control (" + j.evidence.control.name + ") has no estimate";
}

double control_tolerance_us(const Judgement& j) {
  return std::max(kControlToleranceShare * j.row.injected_true_us, kControlToleranceUs);
}

// How far chance may move the control's estimate: half of its interval. Never more than the margin, beyond which an interval proves
// nothing, nor than the tolerance, so that a delay that was not found does not pass.
double control_chance_us(const Judgement& j) {
  const double half_width = 0.5 * (j.evidence.control_hi_us - j.evidence.control_lo_us);
  return std::isnan(half_width) ? 0 : std::min({half_width, j.evidence.margin_us, control_tolerance_us(j)});
}

std::string missing_text(const Control& control) {
  return control.name.empty() ? "this worker has none for its reference" : "no arm " + control.name;
}

std::string aa_text(const Judgement& j) { return "A/A interval " + us_interval_text(j.row.aa_lo, j.row.aa_hi); }

}  // namespace

Estimate Judgement::whole_percent() const {
  const Estimate every_step{row.overhead_percent, row.overhead_percent_lo, row.overhead_percent_hi};
  if (!periodic_is_known()) return every_step;
  const auto percent = [this](double us) { return 100 * relative(us); };
  return sum_of(every_step, {percent(row.periodic_us), percent(row.periodic_us_lo), percent(row.periodic_us_hi)});
}

double pairs_needed(double sigma_d, double h) { return std::pow(1.96 * 1.023 * sigma_d / h, 2); }

std::string gate_clock(const Judgement& j) {
  if (j.clock.bears_verdict) return "";
  return "a backend may spin: process CPU is never a verdict clock";
}

std::string gate_pairs(const Judgement& j) {
  if (!std::isnan(j.row.overhead_us_lo)) return "";
  if (j.row.pairs == 0) return "no pair was measured (launches that failed or gave a wrong result have no times)";
  if (j.row.pairs >= static_cast<std::int64_t>(kFewestPairs))
    return "too few pairs for this confidence (" + std::to_string(j.row.pairs) + ")";
  return "fewer than six pairs in any launch (" + counted(j.row.pairs, "pair") + ")";
}

std::string gate_periodic(const Judgement& j) {
  if (!j.evidence.periodic_planned || !std::isnan(j.row.periodic_us_lo)) return "";
  return "fewer than " + std::to_string(kFewestEvents) + " events of the arm's work of every n-th step";
}

// A narrow interval is proof enough: after a few stalls the standard deviation asks for more pairs than the interval took.
std::string gate_power(const Judgement& j) {
  const bool narrow = j.half_width_us() <= j.evidence.margin_us;
  if (narrow || std::isnan(j.row.pairs_needed) || std::isnan(j.evidence.affordable_pairs)) return "";
  if (j.row.pairs_needed <= j.evidence.affordable_pairs) return "";
  return "it takes more pairs than the cap on a launch affords";
}

std::string gate_aa(const Judgement& j) {
  if (!j.evidence.aa.is_planned) return "";
  if (std::isnan(j.row.aa_lo)) return "the A/A pair (" + j.evidence.aa.name + ") has no estimate";
  const bool inside = j.row.aa_lo >= -j.evidence.margin_us && j.row.aa_hi <= j.evidence.margin_us;
  return inside ? "" : aa_text(j) + " exceeds " + margin_text(j.evidence.margin_us);
}

std::string gate_aa_bias(const Judgement& j) {
  if (!j.evidence.aa.is_planned) return "";
  if (std::isnan(j.row.aa_lo)) return "the A/A pair (" + j.evidence.aa.name + ") has no estimate";
  const bool outside = j.row.aa_lo > j.evidence.margin_us || j.row.aa_hi < -j.evidence.margin_us;
  return outside ? aa_text(j) + " lies outside " + margin_text(j.evidence.margin_us) : "";
}

std::string gate_control(const Judgement& j) {
  if (!j.evidence.control.is_planned || !control_is_gated(j)) return "";
  if (std::isnan(j.row.injected_us) || std::isnan(j.row.injected_true_us)) return no_control_text(j);
  const double tolerance = control_tolerance_us(j) + control_chance_us(j);
  if (std::fabs(j.row.injected_us - j.row.injected_true_us) <= tolerance) return "";
  return "the positive control was not found: " + control_text(j) + ", tolerance " + margin_text(tolerance);
}

std::string gate_control_bias(const Judgement& j) {
  if (!j.evidence.control.is_planned || !control_is_gated(j)) return "";
  if (std::isnan(j.evidence.control_lo_us) || std::isnan(j.row.injected_true_us)) return no_control_text(j);
  const double tolerance = control_tolerance_us(j);
  const bool outside = j.evidence.control_lo_us > j.row.injected_true_us + tolerance ||
                       j.evidence.control_hi_us < j.row.injected_true_us - tolerance;
  if (!outside) return "";
  return "the positive control is off: " + control_text(j) + " " +
         us_interval_text(j.evidence.control_lo_us, j.evidence.control_hi_us) + ", tolerance " + margin_text(tolerance);
}

std::string first_failure(std::span<const Gate> gates, const Judgement& j) {
  for (const auto& gate : gates) {
    if (auto failure = gate(j); !failure.empty()) return failure;
  }
  return "";
}

std::string unchecked_text(const Judgement& j) {
  std::string text;
  if (!j.evidence.aa.is_planned) text += "; A/A not checked (" + missing_text(j.evidence.aa) + ")";
  if (!j.evidence.control.is_planned) return text + "; control not checked (" + missing_text(j.evidence.control) + ")";
  if (j.clock.control_rule == ControlRule::kPrintOnly) return text + "; control not checked on this clock";
  if (!control_is_gated(j)) text += "; control printed, not gated (fewer than two cores per rank): " + control_text(j);
  return text;
}

}  // namespace ddpbench
