#pragma once
#include <string>

#include "suite/plan/plan.hpp"

namespace ddpbench::test {

// `launches` of a cell of 30 seconds each.
inline PlannedLaunch launches_on(std::int64_t nodes, std::int64_t ranks, std::int64_t launches, const std::string& skipped = "") {
  PlannedLaunch launch;
  launch.spec.nodes = nodes;
  launch.spec.ranks_per_node = ranks;
  launch.spec.cell_id = "n" + std::to_string(nodes) + "r" + std::to_string(ranks);
  launch.spec.protocol.max_seconds_per_launch = 30;
  launch.stands_for = launches;
  launch.skip_reason = skipped;
  return launch;
}

}  // namespace ddpbench::test
