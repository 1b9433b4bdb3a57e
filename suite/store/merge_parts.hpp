#pragma once
#include <cstdint>
#include <vector>

#include "suite/contract/launch/launch_spec.hpp"
#include "suite/contract/vocabulary/arm_facts.hpp"
#include "suite/store/results_folder.hpp"

namespace ddpbench {

// Joins the part files of all ranks in `spec.part_dir` into what ResultsFolder::commit takes. Keeps the super-blocks that are
// complete on every rank (every block of every arm: the discarded and `block_steps` timed step rows and one block row), and the
// rows of the equal-work check (super_block 0). A rank may have died while it wrote: what follows its last whole line is dropped,
// and a file that is missing counts as empty. Throws Error naming file and line for a whole line that is no row of this launch.
// `arms`: of the launch, in their order.
// `runs` has one row per arm with everything that the specification and the samples tell; left to the caller are options, status,
// reason, host_list, started_utc and wall_s.
LaunchResult merge_parts(const LaunchSpec& spec, const std::vector<ArmFacts>& arms);

}  // namespace ddpbench
