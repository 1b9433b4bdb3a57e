#pragma once
#include "harness/launch/rank_runtime.hpp"
#include "suite/contract/launch/launch_spec.hpp"
#include "suite/contract/processes/outcome.hpp"
#include "suite/contract/processes/rank_info.hpp"

namespace ddpbench {

// Runs one rank of one launch, from rendezvous to its last row. All that happens is in the outcome it returns; samples are in the
// part files. `runtime`: the process around it. Throws UsageError for a specification that this build cannot run.
Outcome run_rank(const LaunchSpec& spec, const RankInfo& info, RankRuntime& runtime);

}  // namespace ddpbench
