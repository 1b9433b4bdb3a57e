#pragma once
#include "harness/measure/part_writer.hpp"
#include "harness/measure/process/progress_line.hpp"
#include "harness/ranks/backends.hpp"
#include "harness/ranks/rank_group.hpp"
#include "suite/contract/launch/launch_spec.hpp"

namespace ddpbench {

// Holds what a rank has once its launch's ranks have met. All of it outlives the call.
struct CollectivesOfRank {
  const LaunchSpec& spec;
  const BackendRequest& request;  // of a backend that has no options of its own
  RankGroup& group;
  PartWriter& writer;
  ProgressLine& progress;
};

// Runs this rank's share of a launch of purpose `collectives`: makes the groups of its arms, measures
// (measure/collectives/collective_run.hpp), closes them. Collective. Throws CannotRun for an arm that this machine does not have.
void measure_collectives(const CollectivesOfRank& rank);

}  // namespace ddpbench
