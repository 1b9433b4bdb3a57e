#pragma once
#include "suite/launch/installation.hpp"
#include "suite/plan/plan.hpp"

namespace ddpbench {

// Asks Python whether the user's own modules that arms of the plan train ([modules] of an experiment) can be made and driven by a
// loop by hand: once for each module and release of Lightning, skipped launches aside; some seconds each. Throws one UsageError
// with what is wrong with each of them: the file and line, or the reason.
void check_modules(const Plan& plan, const Installation& installation);

}  // namespace ddpbench
