#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suite/contract/tables/rows.hpp"
#include "suite/launch/installation.hpp"
#include "suite/launch/launcher.hpp"
#include "suite/launch/processes/signal_inbox.hpp"

namespace ddpbench {

// Bounds the time without progress of any rank, seconds.
inline constexpr double kNodeCheckPatience = 60;

// Says how nodes are looked at: as a launch of the sweep's would use them.
struct NodeCheckSetup {
  const Installation& installation;
  const Launcher& launcher;
  std::vector<std::string> hosts;  // two or more
  std::int64_t ranks_per_node = 1;
  std::string backend;
  Options backend_options{}, launcher_options{};
  double hang_timeout_seconds = kNodeCheckPatience;
  std::int64_t threads_per_rank = 1;
};

// Names a node on which a rank could not start, or that broke.
struct BrokenNode {
  std::string node, reason;
};

// Holds what a look at nodes measured, and which of them broke.
struct CheckedNodes {
  std::vector<std::string> hosts;  // those that `rows` are of; without rows, those that are not known as broken
  std::vector<NodeCheckRow> rows;  // none: see `failure`
  std::vector<BrokenNode> broken;  // and not among `hosts`
  std::string failure;             // why nothing was measured: no node could be named, or too few are left
  std::string profiled;            // the profiler that ranks ran under; "": none
  int stop_signal = 0;             // not 0: this process was asked to stop, and nothing was measured
};

// Starts a rank for each place of every node and has them measure what their node can do (docs/cluster.md, "Slow and broken
// nodes"). A node that breaks the launch is named and left out, and the others are looked at again.
CheckedNodes check_nodes(const NodeCheckSetup& setup);

}  // namespace ddpbench
