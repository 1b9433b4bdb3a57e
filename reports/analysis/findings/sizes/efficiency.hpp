#pragma once
#include <string>
#include <vector>

#include "reports/analysis/samples/study.hpp"
#include "reports/analysis/tables/findings.hpp"

namespace ddpbench {

// Holds the POP factors (co-design.pop-coe.eu) of one arm of one cell, from the mean useful time U of every rank (step less
// communication wait) and the mean step T (slowest rank of each block), over all launches that have the arm. Seconds; shares from
// 0 to 1.
struct EfficiencyRow {
  std::string cell_id, arm, mode, reference_cell;
  std::string ideal_arm;  // the arm with an ideal network; "": none
  std::int64_t ranks = 0, launches = 0;
  double mean_useful_us = kNotMeasured, max_useful_us = kNotMeasured, step_us = kNotMeasured;
  double load_balance = kNotMeasured;   // mean U / max U
  double communication = kNotMeasured;  // max U / T
  Estimate parallel;                    // their product, mean U / T; bounds: t-interval over launches
  // With an arm whose network is ideal (`ARM+ideal`): max U_ideal / T_ideal, T_ideal / T and max U / max U_ideal, whose product
  // is `communication`; and what that arm saves, paired, in us: the exposed communication (docs/measurement.md, "Communication
  // and efficiency"). POP takes U to be the same with either network; on shared cores the backend's own work makes the ranks'
  // longer, and what is above 1 in the third factor is that.
  double serialisation = kNotMeasured, transfer = kNotMeasured, contention = kNotMeasured;
  Estimate exposed_us;
  // Against the smallest world size: useful time per sample there over here, and what remains of the whole.
  double computation_scaling = kNotMeasured, global = kNotMeasured;
  // The identity global / global_ref = speed-up · p_ref / p, whose right side comes from the step times alone; its miss in
  // percent.
  double identity_error_percent = kNotMeasured;
};

// A row that misses the identity by more has a fault.
inline constexpr double kIdentityTolerancePercent = 1;

// Makes a row for every arm that was measured in every cell, once per mode.
std::vector<EfficiencyRow> efficiency_rows(const Study& study);
template <>
std::vector<EfficiencyRow> make_finding(const Findings& findings);

// Returns a sentence for every row that misses the identity by more than the tolerance.
std::vector<std::string> identity_failures(const Study& study, const std::vector<EfficiencyRow>& rows);

}  // namespace ddpbench
