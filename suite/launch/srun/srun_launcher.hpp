#pragma once
#include <memory>
#include <string>

#include "suite/launch/launcher.hpp"

namespace ddpbench {

// Slurm's launcher, inside a job: a task for each rank, on the job's nodes or some of them.
std::string why_not_srun(const Installation& installation);
LaunchCommand srun_command(const LaunchSpec& spec, const Program& program);
std::unique_ptr<RunningLaunch> start_srun(const LaunchSpec& spec, const Program& program, Supervision supervision);

}  // namespace ddpbench
