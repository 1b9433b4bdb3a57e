#pragma once
#include "harness/measure/blocks/launch_recorder.hpp"

namespace ddpbench {

// What a step of an arm does, beside what it takes: tensor operations, reads on the host, collectives by kind, calls of Python functions,
// heap allocations. Counted in steps of their own, behind all that is timed, since what counts costs time. Collective, as every step.
void count_steps(Measurement& measurement, const NamedArm& arm, LaunchRecorder& recorder);

}  // namespace ddpbench
