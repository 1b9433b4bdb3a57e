#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "reports/analysis/regression/launch_values.hpp"

namespace ddpbench {

// Says what a comparison is asked to find.
struct ComparisonRule {
  // Of the step that the user waits for: a change beyond it is a regression, one below passes; 0: beyond 0, below the margin.
  double threshold_percent = 0;
  bool costs_only = false;  // steps are told, and not judged
  bool in_turn = false;     // the launches of the two took turns on one machine: steps can be judged too
  Clock primary_clock = Clock::kThreadCpu;
  double confidence = kDefaultConfidence;
};

// These say how a row ends. Only rows with `counts` set the exit code.
namespace gate {
inline constexpr const char* kRegression = "REGRESSION";  // surely slower, by more than the threshold
inline constexpr const char* kPass = "PASS";   // surely not slower by more than the threshold, or the margin where none was given
inline constexpr const char* kOpen = "OPEN";   // the launches cannot tell
inline constexpr const char* kNotJudged = "";  // told only
}  // namespace gate

// Holds one quantity of one cell on one clock, new against base.
struct ComparedRow {
  std::string cell_id, what, arm, clock, verdict, gate, reason;
  std::string label;
  double base_us = kNotMeasured, new_us = kNotMeasured;  // means over launches
  Estimate change_us;
  Estimate change_percent;                                  // of step_us
  double step_us = kNotMeasured;                            // of base, that the user waits for
  double aa_lo_us = kNotMeasured, aa_hi_us = kNotMeasured;  // change of base measured again, else of the A/A arm
  double resolution_us = kNotMeasured, margin_us = kNotMeasured;
  std::int64_t base_launches = 0, new_launches = 0;
  double p_slower_holm = kNotMeasured;  // one-sided, of a change up to the threshold, against more
  double p_within_holm = kNotMeasured;  // one-sided, of a change by the threshold (or the margin) and more, against less
  double settle_launches = kNotMeasured;
  bool counts = false;  // on the primary clock, and judged
};

// Holds a comparison of two builds, or of two folders.
struct BuildComparison {
  ComparisonRule rule;
  std::vector<ComparedRow> rows;         // in the order of base
  std::vector<std::string> only_in_one;  // "base: convnet…": cells that the other lacks
};

// Compares `fresh` with `base`. `again`: base measured a second time in the same turns; empty: it was not.
BuildComparison compare_builds(const std::vector<LaunchValues>& base, const std::vector<LaunchValues>& fresh,
                               const std::vector<LaunchValues>& again, const ComparisonRule& rule);

}  // namespace ddpbench
