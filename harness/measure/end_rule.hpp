#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "reports/estimates/width_stopping.hpp"
#include "suite/contract/arm_facts.hpp"
#include "suite/contract/launch_spec.hpp"

namespace ddpbench {

// What one rank tells rank 0 of a super-block.
struct SuperBlockReport {
  bool disturbed = false;  // another took this host's cores
  std::vector<std::vector<double>>
      steps_s;                  // per arm, in the launch's order: its timed steps on the primary clock; empty: untimed
  std::vector<double> waits_s;  // per arm: what the user waited for a step; NaN: untimed
};
std::string to_payload(const SuperBlockReport& report);
SuperBlockReport report_from_payload(const std::string& payload);  // throws Error for what is none

// What the ranks' times become: CPU time is each rank's own work, a device's step is over when the slowest rank's is.
enum class OverRanks { kMean, kSlowest };

enum class End { kNotYet, kNarrow, kLate, kFull };

// When a launch has measured enough (docs/measurement.md "Stopping"): its intervals are narrow, the time is over, or max_super_blocks
// are there. Never before min_super_blocks; a disturbed super-block is kept and repeated: it does not count towards them, as long as
// there are not twice as many. Pure: no clock, no process. One per launch, on rank 0, which decides for all.
class EndRule {
 public:
  // `arms`: those of the launch, in its order.
  EndRule(const LaunchSpec& spec, std::vector<ArmFacts> arms, OverRanks over_ranks);

  // The next super-block, as every rank reports it.
  void add(const std::vector<SuperBlockReport>& ranks);

  End end(double elapsed_s) const;
  std::int64_t disturbed() const { return disturbed_; }

 private:
  bool enough() const;
  void look_at_widths();
  std::vector<std::vector<double>> watched_of(const std::string& reference) const;

  LaunchSpec spec_;
  std::vector<ArmFacts> arms_;
  WidthStopping widths_;
  OverRanks over_ranks_;
  std::vector<std::vector<double>>
      arms_s_;  // per arm, a value per super-block: the block's median step (or its fastest) over the ranks
  std::vector<std::vector<double>> waits_s_;  // per arm, where it was timed: the slowest rank's
  std::int64_t super_blocks_ = 0, disturbed_ = 0;
  bool narrow_ = false;  // at the last check
};

}  // namespace ddpbench
