#pragma once
#include <memory>
#include <span>
#include <string_view>

#include "harness/launch/rank_launch.hpp"

namespace ddpbench {

// Does what a launch is for (LaunchSpec::purpose), on one rank. Where a peer has died its destructor may wait for ever: behind
// a failure run_rank does not call it.
class RankPurpose {
 public:
  virtual ~RankPurpose() = default;

  // Runs from the rendezvous to the last row, then leaves the group. Collective. Leaves what is no exception in `outcome`: arms
  // that failed the equal-work check, facts, versions.
  virtual void run(Outcome& outcome) = 0;
};

// Describes a purpose on the rank's side: a line of the table. suite/contract/launch/purposes.hpp describes it to the driver.
struct RankPurposeEntry {
  std::string_view name;
  std::unique_ptr<RankPurpose> (*make)(RankLaunch& launch);
};

// Returns the table of purposes, in the order of the contract's.
std::span<const RankPurposeEntry> rank_purposes();

}  // namespace ddpbench
