#pragma once
#include <cmath>
#include <span>
#include <string>

#include "reports/analysis/comparisons/periodic_cost.hpp"
#include "reports/analysis/samples/clocks.hpp"
#include "reports/analysis/samples/families.hpp"
#include "reports/estimates/estimate.hpp"
#include "suite/contract/rows.hpp"

namespace ddpbench {

// What stands beside an OverheadRow when it is judged.
struct Evidence {
  double margin_us = 0;
  double sigma_d = kNotMeasured;           // standard deviation of the pairs' log ratios, within launches
  double affordable_pairs = kNotMeasured;  // within the cap on a launch's time, in as many launches; NaN: not known
  Control aa, control;                     // of the row's family
  bool periodic_planned = false;           // the arm has work of every n-th step, timed or not
  double control_lo_us = kNotMeasured;     // the interval of what was found of its delay
  double control_hi_us = kNotMeasured;
  double cores_per_rank = kNotMeasured;   // NaN: not known
  double extra_collectives_per_step = 0;  // of the arm over its reference
  double load = kNotMeasured;             // median one-minute load average
  double steal_percent = kNotMeasured;    // of wall time
  double budget_percent = 0;              // 0: none was given
};

// A row under judgement.
struct Judgement {
  const OverheadRow& row;
  const ClockEntry& clock;
  const Evidence& evidence;

  double relative(double us) const { return us * 1e-3 / row.reference_step_ms; }
  Estimate whole_percent() const;  // whole_us(row), in percent of the reference's step
  bool periodic_is_known() const { return !std::isnan(row.periodic_us); }
  double half_width_us() const { return 0.5 * (whole_us(row).hi - whole_us(row).lo); }
  // CPU time cannot see that the arm waits where its reference does not.
  bool hides_waiting() const { return clock.clock == Clock::kThreadCpu && evidence.extra_collectives_per_step > 0; }
};

// Pairs for a 95 % half-width of h, in log units: (1.96 · 1.023 · sigma_d / h)², 1.023² being what the Hodges-Lehmann estimate
// costs against the mean of normal values (docs/measurement.md, "Verdicts").
double pairs_needed(double sigma_d, double h);

// Every gate answers "" (passed, or not to be checked here) or why the figure has no verdict.
using Gate = std::string (*)(const Judgement&);
std::string gate_clock(const Judgement& j);     // a clock that never bears a verdict
std::string gate_pairs(const Judgement& j);     // an interval is there
std::string gate_periodic(const Judgement& j);  // … also of the work of every n-th step
std::string gate_power(const Judgement& j);     // the interval is within ±m, or the pairs for that fit the cap
std::string gate_aa(const Judgement& j);        // the A/A interval lies inside ±m
std::string gate_control(const Judgement& j);   // the injected delay is found, within its tolerance and its own interval

// A budget may be far wider than m, and then needs less: that neither A/A nor the control is biased. Their intervals may be as wide as
// the arm's own.
std::string gate_aa_bias(const Judgement& j);       // the A/A interval does not lie outside ±m
std::string gate_control_bias(const Judgement& j);  // the control's does not lie outside the delay's tolerance

// The answer of the first gate that fails; "" where all passed.
std::string first_failure(std::span<const Gate> gates, const Judgement& j);

// Which gates were not checked: "; A/A not checked (no arm raw_again)"; "" where all were.
std::string unchecked_text(const Judgement& j);

}  // namespace ddpbench
