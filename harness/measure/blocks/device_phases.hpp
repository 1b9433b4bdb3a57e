#pragma once
#include <array>
#include <memory>
#include <vector>

#include "harness/measure/blocks/launch_recorder.hpp"
#include "harness/probe/device_clock.hpp"

namespace ddpbench {

// Measures where a step's time goes on the device's own clock. Every change of phase is a mark there, on blocks of their own at a
// launch's end: a mark costs microseconds, and no row is made of these steps. There is one per launch and rank; it does nothing
// on a host without a device.
class DevicePhases {
 public:
  // Runs one block of the arm: a discarded step and a block's marked ones. Collective, as every step.
  void measure(Session& session, const NamedArm& arm, const LaunchSpec& spec);

  // Adds a metric for every arm and phase: the mean of a step.
  void add_metrics(LaunchRecorder& recorder) const;

 private:
  struct Sums {
    std::string arm;
    std::int64_t steps = 0;
    std::array<double, kPhaseCount> seconds{};
  };
  Sums& sums_of(const std::string& arm);

  std::unique_ptr<DeviceClock> clock_;
  std::vector<Phase> phases_;  // of the block at hand
  std::vector<Sums> sums_;
};

}  // namespace ddpbench
