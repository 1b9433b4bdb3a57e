#include "harness/measure/periodic_timer.hpp"

#include "harness/probe/clocks.hpp"
#include "suite/contract/periodic_metric.hpp"

namespace ddpbench {
namespace {

// A device's clock runs behind the host's: its marks stand before and behind what the work has queued.
void time_event(const PeriodicWork& work, const std::string& arm, DeviceClock& device_clock, LaunchRecorder& recorder) {
  device_clock.mark();
  const auto thread_cpu_begin = thread_cpu_ns();
  const auto wall_begin = wall_ns();
  work.run();
  const auto wall_end = wall_ns();
  const auto thread_cpu_end = thread_cpu_ns();
  device_clock.mark();
  const auto add = [&](std::string_view metric, double value_s) {
    recorder.add_metric(arm, periodic_metric(metric, work.name), value_s, "s");
  };
  add(kPeriodicWall, seconds(wall_end - wall_begin));
  add(kPeriodicThreadCpu, seconds(thread_cpu_end - thread_cpu_begin));
  for (const double device_s : device_clock.read()) add(kPeriodicDevice, device_s);
}

}  // namespace

void time_periodic_work(const NamedArm& arm, DeviceClock& device_clock, LaunchRecorder& recorder) {
  for (const auto& work : arm.arm->periodic_work()) {
    arm.arm->step();
    time_event(work, arm.name, device_clock, recorder);
  }
}

}  // namespace ddpbench
