#include "reports/analysis/verdicts/gates.hpp"

#include <algorithm>
#include <cmath>

#include "reports/analysis/phrases/number_phrases.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

constexpr double kControlToleranceShare = 0.05;
constexpr double kControlToleranceUs = 2;
constexpr double kMostControlFactor = 1.5;  // beyond it a figure tells nothing of the size of a cost
constexpr double kCoresForWallGate = 2;     // per rank: with fewer, a spin also takes the core from the neighbour's collectives

bool control_is_gated(const RowJudgement& j) {
  const bool two_cores = j.evidence.cores_per_rank >= kCoresForWallGate;
  return j.clock.control_rule == ControlRule::kGate ||
         (j.clock.control_rule == ControlRule::kGateWithTwoCoresPerRank && two_cores);
}

std::string control_text(const RowJudgement& j) {
  return number_text(j.row.injected_us) + " us found of " + number_text(j.row.injected_true_us) + " us injected";
}

std::string no_control_text(const RowJudgement& j) {
  return "the positive control (" + j.evidence.control.name + ") has no estimate";
}

double control_tolerance_us(const RowJudgement& j) {
  return std::max(kControlToleranceShare * j.row.injected_true_us, kControlToleranceUs) + j.evidence.tick_us;
}

bool control_is_known(const RowJudgement& j) {
  return !std::isnan(j.evidence.control_lo_us) && !std::isnan(j.row.injected_true_us);
}

// Whether what was found lies wholly above or below.
bool control_is_above(const RowJudgement& j, double us) { return j.evidence.control_lo_us > us; }
bool control_is_below(const RowJudgement& j, double us) { return j.evidence.control_hi_us < us; }

std::string control_interval_text(const RowJudgement& j) {
  return control_text(j) + " " + us_interval_text(j.evidence.control_lo_us, j.evidence.control_hi_us);
}

std::string off_text(const RowJudgement& j) {
  const auto scale = j.scale();
  const auto percent = [](double factor) { return number_text(100 * (factor - 1), 2) + " %"; };
  if (scale.most > 1) return "may be " + percent(scale.most) + " too large";
  return scale.least < 1 ? "may be " + percent(1 / scale.least) + " too small" : "";
}

std::string missing_text(const Control& control) {
  return control.name.empty() ? "this worker has none for its reference" : "no arm " + control.name;
}

}  // namespace

// As far as the interval of what was found reaches, once it lies wholly outside the tolerance.
ControlScale RowJudgement::scale() const {
  if (!evidence.control.is_planned || !control_is_gated(*this) || !control_is_known(*this)) return {};
  const double truth = row.injected_true_us;
  const double tolerance = control_tolerance_us(*this);
  if (control_is_above(*this, truth + tolerance)) return {1, std::min(evidence.control_hi_us / truth, kMostControlFactor)};
  if (control_is_below(*this, truth - tolerance)) return {std::max(evidence.control_lo_us / truth, 1 / kMostControlFactor), 1};
  return {};
}

Estimate RowJudgement::widened(const Estimate& e) const {
  const auto [least, most] = scale();
  const double lo = e.lo - evidence.tick_us, hi = e.hi + evidence.tick_us;
  return {e.value, lo > 0 ? lo / most : lo / least, hi > 0 ? hi / least : hi / most, e.n};
}

Estimate RowJudgement::unhidden(Estimate e) const {
  e.hi += std::fmax(evidence.scatter_bias_us, 0);
  e.lo += std::fmin(evidence.scatter_bias_us, 0);
  return e;
}

Estimate RowJudgement::bounds() const {
  auto found = whole();
  if (neighbours_count()) {
    found.lo = std::fmin(found.lo, apart().lo);
    found.hi = std::fmax(found.hi, apart().hi);
  }
  found.lo -= aa_allowance_us();
  found.hi += aa_allowance_us();
  return found;
}

std::string gate_clock(const RowJudgement& j) {
  if (j.clock.bears_verdict) return "";
  return "process CPU gives no verdict: a backend may busy-wait";
}

std::string gate_invalid(const RowJudgement& j) {
  if (!(j.row.invalid_percent > kMostInvalidPercent)) return "";
  return number_text(j.row.invalid_percent, 2) +
         " % of the step times are not finite and above 0, or missing on a rank (more than " + plain_text(kMostInvalidPercent) +
         " %)";
}

std::string gate_pairs(const RowJudgement& j) {
  if (!std::isnan(j.row.overhead_us.lo)) return "";
  if (j.row.pairs == 0) return "no pair was measured (launches that failed or gave a wrong result have no times)";
  if (j.row.pairs >= static_cast<std::int64_t>(kFewestPairs))
    return "too few pairs for this confidence (" + std::to_string(j.row.pairs) + ")";
  return "fewer than six pairs in any launch (" + counted(j.row.pairs, "pair") + ")";
}

std::string gate_periodic(const RowJudgement& j) {
  if (!j.evidence.periodic_planned || !std::isnan(j.row.periodic_us.lo)) return "";
  return "fewer than " + std::to_string(kFewestEvents) + " events of the arm's work of every n-th step";
}

std::string gate_control(const RowJudgement& j) {
  if (!j.evidence.control.is_planned || !control_is_gated(j)) return "";
  if (!control_is_known(j)) return no_control_text(j);
  const double truth = j.row.injected_true_us;
  const double tolerance = control_tolerance_us(j);
  const bool is_found = !control_is_above(j, kMostControlFactor * truth + tolerance) &&
                        !control_is_below(j, truth / kMostControlFactor - tolerance);
  return is_found ? "" : "the positive control is off: " + control_interval_text(j);
}

std::string first_failure(std::span<const Gate> gates, const RowJudgement& j) {
  for (const auto& gate : gates) {
    if (auto failure = gate(j); !failure.empty()) return failure;
  }
  return "";
}

std::string controls_text(const RowJudgement& j) {
  std::string text;
  if (!j.evidence.aa.is_planned) {
    text += "; A/A not checked (" + missing_text(j.evidence.aa) + ")";
  } else if (std::isnan(j.row.aa_lo)) {
    text += "; A/A not checked (" + j.evidence.aa.name + " has no estimate)";
  }
  if (!j.evidence.control.is_planned) return text + "; control not checked (" + missing_text(j.evidence.control) + ")";
  if (j.clock.control_rule == ControlRule::kPrintOnly) return text + "; control not checked on this clock";
  const auto off = off_text(j);
  if (!off.empty()) text += "; the positive control is off: " + control_interval_text(j) + ", so that every figure " + off;
  if (!control_is_gated(j))
    text += "; control shown, not used for the verdict (fewer than two cores per rank): " + control_text(j);
  return text;
}

}  // namespace ddpbench
