#include "harness/measure/blocks/periodic_timer.hpp"

#include "harness/probe/clock_readings.hpp"
#include "suite/contract/processes/heartbeat.hpp"

namespace ddpbench {
namespace {

struct Taken {
  double wall_s = 0, thread_cpu_s = 0, own_s = 0;
  std::vector<double> device_s{};  // one; none without a device's clock
};

// A device's clock runs behind the host's: its marks stand before and behind what the body has queued.
template <class Body>
Taken time_of(Body&& body, DeviceClock& device_clock, const RunDelays& delays) {
  device_clock.mark();
  const auto thread_cpu_begin = thread_cpu_ns();
  const auto begin = delays.now();
  body();
  const auto end = delays.now();
  const auto thread_cpu_end = thread_cpu_ns();
  device_clock.mark();
  const auto wall = end.wall_ns - begin.wall_ns;
  return {seconds(wall), seconds(thread_cpu_end - thread_cpu_begin), seconds(wall - (end.delay_ns - begin.delay_ns)),
          device_clock.read()};
}

// An event behind a step of its arm. Of an event that is a step itself, that step is taken off; it is an ordinary one, behind a step in
// which what rested between two blocks, as a loader's workers, begins anew.
void time_event(const PeriodicWork& work, const NamedArm& arm, DeviceClock& device_clock, const RunDelays& delays,
                LaunchRecorder& recorder) {
  tell_arm(arm.name);
  if (work.is_in_a_step) arm.arm->step();
  const auto step = time_of([&] { arm.arm->step(); }, device_clock, delays);
  const auto event = time_of(work.run, device_clock, delays);
  const Taken off = work.is_in_a_step ? step : Taken{.device_s = std::vector<double>(event.device_s.size())};
  const auto add = [&](const Metric& metric, double value_s) { recorder.add_named_metric(arm.name, metric, work.name, value_s); };
  add(kMetrics.periodic_wall, event.wall_s - off.wall_s);
  add(kMetrics.periodic_thread_cpu, event.thread_cpu_s - off.thread_cpu_s);
  if (delays.reads()) add(kMetrics.periodic_own, event.own_s - off.own_s);
  for (std::size_t i = 0; i < event.device_s.size(); ++i) add(kMetrics.periodic_device, event.device_s[i] - off.device_s[i]);
}

}  // namespace

void announce_periodic_work(const std::vector<NamedArm>& arms, LaunchRecorder& recorder) {
  for (const auto& named : arms) {
    for (const auto& work : named.arm->periodic_work()) {
      recorder.add_named_metric(named.name, kMetrics.periodic_every, work.name, static_cast<double>(work.every));
    }
  }
}

void time_periodic_work(const NamedArm& arm, DeviceClock& device_clock, const RunDelays& delays, LaunchRecorder& recorder) {
  for (const auto& work : arm.arm->periodic_work()) time_event(work, arm, device_clock, delays, recorder);
}

}  // namespace ddpbench
