#pragma once
#include <span>
#include <string>
#include <vector>

#include "reports/analysis/comparisons/contrast.hpp"
#include "reports/analysis/samples/study.hpp"
#include "reports/analysis/tables/findings.hpp"

namespace ddpbench {

namespace ladder_kind {
inline constexpr const char* kCumulative = "cumulative";      // a rung: an arm less the rung below it
inline constexpr const char* kTotal = "total";                // the whole arm less its reference
inline constexpr const char* kLeaveOneOut = "leave_one_out";  // the whole arm less the whole arm without one feature
inline constexpr const char* kInteraction = "interaction";    // the total less all leave-one-out figures
inline constexpr const char* kLanguage = "language";          // the reference in another program less the worker's: the same loop
}  // namespace ladder_kind

// Holds one part of a wrapper's cost: tables/ladder.csv.
struct LadderRow {
  std::string cell_id, clock, base, kind;
  std::string feature;  // what the arm has and its reference has not, joined by "+"; of a first rung the base itself stands first
  std::string arm, reference;  // of an interaction: the whole arm, and what all its removable features were taken from
  Estimate cost_us;
  std::int64_t pairs = 0, launches = 0;
  double remainder_us = kNotMeasured;  // of a total: what the rungs leave of it, for a median of sums is no sum of medians
};

// Splits a wrapper's cost, for every cell and base arm with two or more arms of growing feature sets, on every one of the clocks.
// The chain starts at the reference of its family and takes the arms whose sets include each other, the default features in their
// order first; its last arm is the whole. A reference has no ladder: it is the ground.
std::vector<LadderRow> ladder_rows(const Study& study, std::span<const ClockEntry> clocks = kTimeClocks);
template <>
std::vector<LadderRow> make_finding(const Findings& findings);

}  // namespace ddpbench
