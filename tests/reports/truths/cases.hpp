#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "suite/contract/tables/rows.hpp"
#include "tests/reports/truths/campaign.hpp"

namespace ddpbench {

// A campaign of known truth: what `trainer` really costs, microseconds per step on one clock.
struct TruthCase {
  std::string name;  // as print_truths prints it
  CampaignPlan plan;
  double mean_us = 0;                      // cost per step: mean over steps, and over ranks
  double centre_us = 0;                    // the same of the median step; NaN: no one figure
  double largest_rank_us = kNotMeasured;   // of one rank, where ranks differ
  double over_launches_us = kNotMeasured;  // of the population of launches, where they differ
  std::string clock = "thread_cpu";
};

// Every case of the review of the statistics that a single cell can show, in its order.
std::vector<TruthCase> truth_cases();
const TruthCase& truth_case(const std::string& name);

// What came of a case over campaigns with seeds 1 … n, of `trainer` on the case's clock.
struct TruthTally {
  int campaigns = 0;
  std::map<std::string, int> verdicts;
  int centre_held = 0, mean_held = 0, rank_held = 0;     // intervals that hold the truth
  int bounds_held = 0;                                   // at_least_us … at_most_us of the centre
  int rank_named = 0;                                    // the rank that differs
  int qualified = 0;                                     // rows with something to know beside the verdict
  int beyond_twice_resolution = 0, named_beyond_it = 0;  // truths of more than that; called SLOWER or FASTER
  double width_us = 0;                                   // mean half-width

  int of(const char* verdict) const;
};
TruthTally tally(const TruthCase& truth, int campaigns);

const OverheadRow& row_of(const std::vector<OverheadRow>& rows, const std::string& arm, const std::string& clock = "thread_cpu",
                          const std::string& cell = "C1");

}  // namespace ddpbench
