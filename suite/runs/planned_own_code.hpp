#pragma once
#include "suite/launch/installation.hpp"
#include "suite/plan/plan.hpp"

namespace ddpbench {

// Asks Python whether the user's own code that arms of the plan take (kOwnCodeKinds) does what it must, in one process, skipped
// launches aside; some seconds each. A module: whether a loop by hand can drive it, once for each module and release of Lightning.
// A loop: whether it does the same work as its reference, once for each work,
// workload, strategy and precision. Throws one UsageError with
// what is wrong with each of them: the file and line, or the reason.
void check_own_code(const Plan& plan, const Installation& installation);

}  // namespace ddpbench
