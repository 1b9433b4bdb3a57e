#pragma once
#include <string>

#include "reports/analysis/findings/sizes/step_time_law.hpp"

namespace ddpbench {

// Returns "by the line through its costs at 6 step lengths".
std::string by_line_phrase(const StepTimeLaw& law);

// Returns "trainer is 5 % of a step of 9.2 ms (4.6 to 14 ms), and 1 % of a step longer than 30 ms, by the line through its costs
// at 6 step lengths.", as tables/step_time_law.csv has it.
std::string crossing_sentence(const StepTimeLaw& law,
                              const std::string& of_arm = "");  // `of_arm`: " without …", behind the arm's name

}  // namespace ddpbench
