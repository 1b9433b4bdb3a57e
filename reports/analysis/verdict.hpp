#pragma once
#include <string>

#include "reports/analysis/clocks.hpp"
#include "suite/store/rows.hpp"

namespace ddpbench {

// What stands beside an OverheadRow when it is judged.
struct Evidence {
  double margin_us = 0;
  double sigma_d = kNotMeasured;          // standard deviation of the pairs' log ratios, within launches
  bool aa_planned = false;                // the cell has the arm raw_again
  bool control_planned = false;           // … the arm injected
  double cores_per_rank = kNotMeasured;   // NaN: not known
  double extra_collectives_per_step = 0;  // of the arm over its reference
  double load = kNotMeasured;             // median one-minute load average
  double steal_percent = kNotMeasured;    // of wall time
};

// Pairs for a 95 % half-width of h, in log units: (1.96 · 1.023 · sigma_d / h)², 1.023² being what the Hodges-Lehmann estimate
// costs against the mean of normal values (MEASUREMENT 7d).
double pairs_needed(double sigma_d, double h);

// Fills verdict and reason from the estimates that the row holds: the gates of MEASUREMENT 7, then the verdicts of 8.
void judge(OverheadRow& row, const ClockEntry& clock, const Evidence& evidence);

}  // namespace ddpbench
