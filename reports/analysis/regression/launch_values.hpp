#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// What is compared between two builds. A cost is paired within its launch, so that what the machine did that day falls out of it;
// a step is not.
namespace compared_what {
inline constexpr const char* kStep = "step";  // of a reference: median over super-blocks
inline constexpr const char* kCost = "cost";  // of an arm over its reference: overhead_us of each launch
}  // namespace compared_what

// Holds one quantity of one cell as each launch of a folder has it.
struct LaunchValues {
  std::string cell_id, label, what, arm;
  Clock clock = Clock::kWall;
  bool is_aa = false;                            // an A/A control: told, and not judged
  std::map<std::int64_t, double> by_repetition;  // seconds
  double step_s = kNotMeasured;                  // that the user waits for
  double margin_s = kNotMeasured;
  std::string why_not;  // why the folder itself has no verdict on it; "": it has

  std::string key() const { return cell_id + '\n' + what + '\n' + arm + '\n' + entry_of(clock).name; }
};

// Returns the mean; NaN where there is no launch.
double mean_over_launches(const std::map<std::int64_t, double>& by_repetition);

// Returns, for every cell in which instructions were counted, what launch_values returns, in instructions per step: they stand
// where seconds do, and step_s is the reference's count. Beside a device they are told only (findings/instructions.hpp).
std::vector<LaunchValues> launch_counts(const Study& study);

// Returns, for every cell, on every clock that bears verdicts, the references' steps and the costs of all subjects and of the A/A
// controls. Both leave out launches that ran under a profiler.
std::vector<LaunchValues> launch_values(const Study& study);

}  // namespace ddpbench
