#pragma once
#include <array>
#include <string>
#include <vector>

#include "reports/analysis/samples/clocks.hpp"
#include "suite/base/not_measured.hpp"
#include "suite/contract/vocabulary/arm_facts.hpp"

namespace ddpbench {

struct Cell;
struct Study;

// Holds an arm that checks a family's measurement. `name` is that by the tables where none was planned; "": they have none.
struct Control {
  std::string name;
  bool is_planned = false;
};

// Holds what the reference of a family says of a clock.
struct ReferenceOnClock {
  bool is_measured = false;
  double step_s = kNotMeasured;  // median over super-blocks of the block median
  Control control;               // the positive control of this clock
};

// Holds the arms of a cell that are compared with one reference. A cell may hold several families; each is judged by its own
// controls.
struct Family {
  std::string reference;
  std::vector<std::string> arms;  // all but the reference, in the order of the experiment
  Control aa;
  std::array<ReferenceOnClock, kClockCount> clocks;
  double step_error = 0;  // half the width of the 95 % interval of step_s(), as a share of it; 0: not known

  const ReferenceOnClock& on(Clock clock) const { return clocks[index_of(clock)]; }

  // Returns the clock of the step that the user waits for: the device's where it was measured, for there the host only enqueues;
  // else what the ranks awaited, where that was, and the wall where not. To be asked wherever a step's length is needed.
  Clock step_clock() const {
    if (on(Clock::kDevice).is_measured) return Clock::kDevice;
    return on(Clock::kAwaited).is_measured ? Clock::kAwaited : Clock::kWall;
  }
  double step_s() const { return on(step_clock()).step_s; }

  // Returns the clock of what was attained here: samples per second and hours are what this machine gave, the time for which
  // threads waited for a core included.
  Clock attained_clock() const { return on(Clock::kDevice).is_measured ? Clock::kDevice : Clock::kWall; }
  bool host_only_enqueues() const { return step_clock() == Clock::kDevice; }
};

// Fills the families of every cell, the study's primary clock and the places of its cells, once: later stages ask for these again
// and again.
void find_families(Study& study);

}  // namespace ddpbench
