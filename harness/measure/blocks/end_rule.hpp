#pragma once
#include <cstdint>
#include <vector>

#include "suite/contract/launch/launch_spec.hpp"
#include "suite/contract/vocabulary/arm_facts.hpp"
#include "suite/estimates/width_stopping.hpp"

namespace ddpbench {

// Says why a launch has measured enough: intervals narrow, time over, max_super_blocks reached; or that it has not.
enum class End { kNotYet, kNarrow, kLate, kFull };

// Decides when a launch has measured enough (docs/measurement.md "Stopping"): its intervals are narrow, the time is over, or
// max_super_blocks are there; the first two never before min_super_blocks. A disturbed super-block is kept and repeated: it does
// not count towards these, as long as there are not twice as many. Pure: no clock, no process. There is one per launch, on rank
// 0, which decides for all.
class EndRule {
 public:
  // `arms`: those of the launch, in its order.
  EndRule(const LaunchSpec& spec, std::vector<ArmFacts> arms);

  // Adds the next super-block: whether another took a host's cores, and for each arm (in the launch's order) its timed steps on
  // the clock that the verdict rests on, of the ranks together, seconds; empty: untimed.
  void add(bool disturbed, const std::vector<std::vector<double>>& steps_s);

  End end(double elapsed_s) const;
  std::int64_t disturbed() const { return disturbed_; }

 private:
  bool enough() const;
  void look_at_widths();
  std::vector<std::vector<double>> watched_of(const std::string& reference) const;

  LaunchSpec spec_;
  std::vector<ArmFacts> arms_;
  WidthStopping widths_;
  std::vector<std::vector<double>> arms_s_;   // per arm, a value per super-block: the block's median step (or its fastest)
  std::vector<std::vector<double>> waits_s_;  // the median step, where it was timed: what the margin is a share of
  std::int64_t super_blocks_ = 0, disturbed_ = 0;
  bool narrow_ = false;  // at the last check
};

}  // namespace ddpbench
