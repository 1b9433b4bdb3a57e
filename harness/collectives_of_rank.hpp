#pragma once
#include "harness/measure/part_writer.hpp"
#include "harness/measure/progress_line.hpp"
#include "harness/ranks/rank_group.hpp"
#include "suite/contract/launch_spec.hpp"
#include "suite/contract/rank_info.hpp"

namespace ddpbench {

// This rank's share of a launch of purpose `collectives`: makes the groups of its arms, measures (measure/collective_run.hpp), closes them.
// Collective. Throws CannotRun for an arm that this machine does not have.
void measure_collectives(const LaunchSpec& spec, const RankInfo& info, RankGroup& group, PartWriter& writer,
                         ProgressLine& progress);

}  // namespace ddpbench
