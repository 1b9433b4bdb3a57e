#pragma once
#include "harness/measure/blocks/launch_recorder.hpp"
#include "harness/probe/device_clock.hpp"
#include "harness/probe/run_delays.hpp"

namespace ddpbench {

// Counts the events of each work that are timed, with a step of its arm before each: 30 bear an interval, whatever the host does
// to a few.
inline constexpr int kPeriodicEvents = 40;

// Records which periodic work the arms have, before the first block, so that a launch that is stopped before its events says what
// it lacks.
void announce_periodic_work(const std::vector<NamedArm>& arms, LaunchRecorder& recorder);

// Times one event of every periodic work of an arm behind one step of it, and records what it took on each clock. Collective, as
// every step.
void time_periodic_work(const NamedArm& arm, DeviceClock& device_clock, const RunDelays& delays, LaunchRecorder& recorder);

}  // namespace ddpbench
