#pragma once
#include <string>

#include "reports/analysis/findings/step_time_law.hpp"

namespace ddpbench {

// The arm's fitted law on a clock: of the wanted group, else of the first group that has one; nullptr: none.
const StepTimeLaw* find_law(const std::vector<StepTimeLaw>& laws, const std::string& group,
                            const std::pair<std::string, std::string>& arm_and_clock);

// "s = +0.0003 [-0.0001, +0.0007]"
std::string slope_words(const StepTimeLaw& law);

// "over 6 step lengths of 210 us to 3.40 ms (null, …) c = +1.6 us [..] and s = +0.0003 [..]: 1 % of a step of 160 us [..] …"
std::string law_words(const StepTimeLaw& law);

}  // namespace ddpbench
