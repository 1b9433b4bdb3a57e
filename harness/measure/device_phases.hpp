#pragma once
#include <array>
#include <memory>
#include <vector>

#include "harness/measure/equal_work.hpp"
#include "harness/probe/device_clock.hpp"

namespace ddpbench {

// Room for the device's marks of a block of so many steps.
std::size_t most_marks(const Session& session, std::int64_t steps);

// Where a step's time goes on the device's own clock: every change of phase is a mark there, on blocks of their own at a launch's end, for
// a mark costs microseconds and no row is made of these steps. One per launch and rank; nothing on a host without a device.
class DevicePhases {
 public:
  using Seconds = std::array<double, kPhaseCount>;

  // One block of the arm: a discarded step and `steps` marked ones. Collective, as every step.
  void measure(Session& session, const NamedArm& arm, std::int64_t steps);

  // Mean of a step, by arm in the order of their first block.
  std::vector<std::pair<std::string, Seconds>> means() const;

 private:
  struct Sums {
    std::string arm;
    std::int64_t steps = 0;
    Seconds seconds{};
  };
  Sums& sums_of(const std::string& arm);

  std::unique_ptr<DeviceClock> clock_;
  std::vector<Phase> phases_;  // of the block at hand
  std::vector<Sums> sums_;
};

}  // namespace ddpbench
