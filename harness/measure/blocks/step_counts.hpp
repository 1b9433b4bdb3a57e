#pragma once
#include "harness/measure/blocks/launch_recorder.hpp"

namespace ddpbench {

// Counts what a step of an arm does: tensor operations, reads on the host, collectives by kind, calls of Python functions, heap
// allocations. Runs steps of its own, behind all that is timed, since counting costs time. Collective, as every step.
void count_steps(Measurement& measurement, const NamedArm& arm, LaunchRecorder& recorder);

}  // namespace ddpbench
