#pragma once
#include "harness/api/accelerator.hpp"
#include "harness/api/control_channel.hpp"
#include "harness/api/rank_collectives.hpp"
#include "harness/api/torch.hpp"
#include "harness/measure/part_writer.hpp"
#include "suite/contract/launch/launch_spec.hpp"

namespace ddpbench {

// Holds what a launch of purpose `nodes` works with. All of it outlives the run.
struct NodeRunSetup {
  const LaunchSpec& spec;
  std::int64_t rank;
  at::Device device;
  Accelerator* accelerator;  // of `device`; null on the CPU
  Collectives& collectives;
  ControlChannel& control_channel;
  PartWriter& writer;
};

// Measures what the node of this rank can do, beside all others at the same time: node_checks.hpp names the rows. All ranks make
// the call. It takes some four seconds on nodes that are well; where one is very slow, the rounds end after 20 seconds, but not
// before a test can tell it.
void run_node_checks(const NodeRunSetup& setup);

}  // namespace ddpbench
