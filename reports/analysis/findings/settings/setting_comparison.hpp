#pragma once
#include <string>
#include <vector>

#include "reports/analysis/samples/study.hpp"
#include "reports/analysis/tables/findings.hpp"
#include "suite/estimates/estimate.hpp"

namespace ddpbench {

// Compares two values of one setting (strategy, backend, precision, or any option that is an axis), all else equal: the
// reference's step of one cell with that of the cell whose value the experiment lists first. They are other launches, so what
// pairs them is the repetition: each repetition runs every cell once, in an order of its own, and what drifts from one to the
// next falls out of the differences.
struct SettingComparison {
  std::string setting;  // where the folder has several references, with that whose step it is: "bucket_cap_mb (py_raw)"
  std::string value, reference_value;
  std::string cell_id, reference_cell_id, clock;
  Estimate difference_us;  // of the launches' median steps, t interval over repetitions
  // Likewise; the intervals of all values of the setting hold together: one of them is told as the largest.
  Estimate difference_us_together;
  Estimate difference_percent;  // by the logarithms of their ratios, likewise
  double reference_step_us = kNotMeasured;
  std::int64_t repetitions = 0;                    // in the estimates
  double p = kNotMeasured, p_holm = kNotMeasured;  // of no difference; Holm over all comparisons on the clock
  double p_equivalent_holm = kNotMeasured;         // one-sided, of more than the margin; likewise
  double margin_us = kNotMeasured;
  std::int64_t comparisons = 0;
  std::string verdict, reason;  // against the experiment's margin; "" with one repetition
};

// Compares all cells that differ in one setting alone, for each reference, on each clock that bears verdicts.
std::vector<SettingComparison> compare_settings(const Study& study);
template <>
std::vector<SettingComparison> make_finding(const Findings& findings);

}  // namespace ddpbench
