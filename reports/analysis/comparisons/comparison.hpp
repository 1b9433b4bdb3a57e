#pragma once
#include <string>
#include <vector>

#include "reports/analysis/samples/clocks.hpp"
#include "reports/analysis/samples/study.hpp"
#include "suite/estimates/quantity.hpp"

namespace ddpbench {

// Holds what an arm's blocks are less another arm's, over all launches that have both, seconds. A wrapper's cost is an addition
// to a step whose length drifts and has a tail: its seconds are estimated from paired differences, not from a ratio times a
// typical step, which found 106 us of an injected 100.
struct Difference {
  Quantity centre, mean;        // of block medians and of block means, over the ranks
  std::vector<Quantity> ranks;  // centre of each rank's own; empty on clocks that take the slowest rank
};

// Tells whether a difference changes with what stood before, who else was there, or when it was measured.
struct SideEffects {
  Quantity apart, apart_mean;          // centre and mean, of pairs in which neither block ran right behind a block of either arm
  std::vector<Quantity> apart_ranks;   // of each rank's own centre; empty as Difference::ranks
  double p_neighbours = kNotMeasured;  // two-sided, that these do not differ from the other pairs (Yuen)
  Quantity undisturbed;                // centre, of pairs that nobody disturbed
  Quantity discarded;                  // of the steps that are discarded, seconds
  Quantity range_ratio;                // log: how far the steps of a block lie apart, arm over reference
  double disturbed_share = 0;          // of the pairs
  double apart_share = 0;              // likewise: those of `apart`
  double trend_z =
      kNotMeasured;  // of Spearman's correlation of the pairs with their order within launches: normal where there is none
  double first_third_s = kNotMeasured, last_third_s = kNotMeasured;  // median of the pairs there, mean over launches
};

// Compares an arm with its reference.
struct Comparison {
  Difference over_reference;
  Difference over_aa;  // the arm less the A/A control; empty where there is none
  SideEffects side;
  std::vector<std::string> launch_ids;   // in the order of the quantities' launches
  std::int64_t pairs = 0, launches = 0;  // where no launch has six pairs: pairs of the launch that has most
  double pair_sd_s = kNotMeasured;       // standard deviation of the pairs, pooled over launches, each about its mean
  double invalid_share = 0;              // of the times of the two arms: no clock can have read them
  double super_block_s = kNotMeasured;   // wall
  double set_up_s = kNotMeasured;        // wall of a launch outside its super-blocks, mean
};

// Holds what a centre may be tested against, seconds; 0 always.
struct Bounds {
  double margin_s = kNotMeasured, budget_s = kNotMeasured;
};

// Compares an arm with its reference in a cell. `aa`: the A/A control's arm, "" for none (and for itself).
Comparison compare(const Cell& cell, const std::string& arm, const std::string& aa, Clock clock, const Bounds& bounds);

}  // namespace ddpbench
