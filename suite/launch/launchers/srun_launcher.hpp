#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "suite/launch/launcher.hpp"

namespace ddpbench {

// Implement launcher `srun` (Launcher): Slurm's, inside a job, a task for each rank, on the job's nodes or some of them.
std::string why_not_srun(const Installation& installation, const Allocation& allocation);
LaunchCommand srun_command(const LaunchSpec& spec, const Program& program);
std::unique_ptr<RunningLaunch> start_srun(const LaunchSpec& spec, const Program& program, Supervision supervision);

// Returns whether a launch failed because of the job's time limit: then Slurm starts nothing more in it, some time before the
// job's shell hears of it.
bool srun_says_job_is_over(std::string_view reason);

// Returns `tasks_per_node` tasks of `of_each` on each node of the launch.
LaunchCommand by_srun(const LaunchSpec& spec, const Program& program, std::int64_t tasks_per_node,
                      const std::vector<std::string>& of_each);

}  // namespace ddpbench
