#pragma once
#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/comparisons/weighted_line.hpp"
#include "reports/analysis/samples/study.hpp"
#include "reports/analysis/tables/findings.hpp"

namespace ddpbench {

// Fewer step lengths than this, each a tenth longer than the one before, bear no law.
inline constexpr std::size_t kFewestStepLengths = 5;

// Holds one cell's estimate, as the line is fitted through it.
struct LawPoint {
  std::string cell_id;
  double step_us;
  Estimate overhead_us;
  double sd_us;  // from the interval: half of its width over the quantile that made it
};

// Describes what an arm costs as a function of the reference's step time on one clock: c + s T, over the cells of a group: all
// that is fixed is the same, and what makes a step longer (batch size, `matmuls`) differs. Leaves out the error of T: it is small
// against the range of T.
struct StepTimeLaw {
  std::string group;  // "null, ddp, gloo, fp32, 1 node, 2 ranks per node"
  std::string arm, clock;
  std::vector<LawPoint> points;      // by step time
  std::optional<WeightedLine> line;  // us against us: the intercept is c in us, the slope is s; none: `reason`
  std::string reason;
  double least_factor = 1, most_factor = 1;  // of its cells' `control_factor`: figures may be so many times too small, too large
};

// Returns, by the law's line, which must be there, what the arm costs at a step of the reference, us; allows for the positive
// controls.
Estimate law_cost_at(const StepTimeLaw& law, double step_us);
// Returns the step, us, at which the cost is that share of it, 0 to 1, alike.
Crossing law_crossing(const StepTimeLaw& law, double share);

// Fits the law of every group with two and more cells, for every arm and clock of `rows`.
std::vector<StepTimeLaw> step_time_laws(const Study& study, const std::vector<OverheadRow>& rows);
template <>
std::vector<StepTimeLaw> make_finding(const Findings& findings);

// Returns the group of a cell, as StepTimeLaw names it.
std::string law_group(const Study& study, const PlanRow& axes);

// Says of "matmuls=8" whether the option only makes the step longer, as the batch size does.
bool is_length_option(const std::string& option);

}  // namespace ddpbench
