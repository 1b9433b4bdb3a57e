#include "harness/measure/periodic_timer.hpp"

#include "harness/probe/clocks.hpp"

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
  const auto add = [&](const Metric& metric, double value_s) { recorder.add_periodic_metric(arm, metric, work.name, value_s); };
  add(kMetrics.periodic_wall, seconds(wall_end - wall_begin));
  add(kMetrics.periodic_thread_cpu, seconds(thread_cpu_end - thread_cpu_begin));
  for (const double device_s : device_clock.read()) add(kMetrics.periodic_device, device_s);
}

}  // namespace

void announce_periodic_work(const std::vector<NamedArm>& arms, LaunchRecorder& recorder) {
  for (const auto& named : arms) {
    for (const auto& work : named.arm->periodic_work()) {
      recorder.add_periodic_metric(named.name, kMetrics.periodic_every, work.name, static_cast<double>(work.every));
    }
  }
}

void time_periodic_work(const NamedArm& arm, DeviceClock& device_clock, LaunchRecorder& recorder) {
  for (const auto& work : arm.arm->periodic_work()) {
    arm.arm->step();
    time_event(work, arm.name, device_clock, recorder);
  }
}

}  // namespace ddpbench
