#pragma once
#include "harness/measure/blocks/launch_recorder.hpp"
#include "harness/probe/device_clock.hpp"
#include "harness/probe/run_delays.hpp"

namespace ddpbench {

// So many events of each work, with a step of its arm before every one: 30 bear an interval, whatever the host does to a few.
inline constexpr int kPeriodicEvents = 40;

// Records which periodic work the arms have, before the first block: a launch that is stopped before its events lacks something, and says
// so.
void announce_periodic_work(const std::vector<NamedArm>& arms, LaunchRecorder& recorder);

// Times one event of every periodic work of an arm behind one step of it, and records what it took on each clock. Collective, as every
// step.
void time_periodic_work(const NamedArm& arm, DeviceClock& device_clock, const RunDelays& delays, LaunchRecorder& recorder);

}  // namespace ddpbench
