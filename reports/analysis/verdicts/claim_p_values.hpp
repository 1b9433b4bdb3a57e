#pragma once
#include "reports/analysis/comparisons/comparison.hpp"

namespace ddpbench {

// Holds the one-sided p of what may be claimed of all that an arm costs, before Holm. NaN: cannot be claimed.
//
// A difference must show against the reference and against the A/A arm, which is the same code: the larger p counts, so that what
// sets the A/A arm apart is no finding. It may show in the centre, in the mean or on one rank (Bonferroni over these, and over
// the ranks); a gain in the centre only. That there is none must hold for the centre, the mean and every rank.
struct ClaimTests {
  double slower = kNotMeasured, faster = kNotMeasured;
  double equivalent = kNotMeasured;
  double within_budget = kNotMeasured, beyond_budget = kNotMeasured;

  double difference() const;  // two-sided
  double budget() const;      // of the side that is nearer to certain
};

// Tests the claims. `periodic`: the cost of the arm's work of every n-th step, seconds; NaN where it has none. `bounds`: as the
// comparison was made with.
ClaimTests test_claims(const Comparison& comparison, const Estimate& periodic, const Bounds& bounds);

// Returns the one-sided p that a quantity, with the periodic work on top, is not above 0; NaN where it is empty.
double p_not_above_zero(const Quantity& quantity, const Estimate& periodic);
// Returns the p that it is not below 0.
double p_not_below_zero(const Quantity& quantity, const Estimate& periodic);

// Returns the rank on which the arm differs most from its reference, with an interval that holds for all ranks together
// (Bonferroni); n: the rank. NaN: not compared rank by rank.
Estimate largest_rank(const Difference& difference, double confidence);

}  // namespace ddpbench
