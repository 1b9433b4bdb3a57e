#pragma once
#include <memory>

#include "suite/launch/launcher.hpp"

namespace ddpbench {

// torchrun once on each of the nodes that are given, started by srun in a job of Slurm's, by pbsdsh in one of PBS's, else by ssh.
LaunchCommand torchrun_on_nodes(const LaunchSpec& spec, const Program& program);
std::unique_ptr<RunningLaunch> start_torchrun_on_nodes(const LaunchSpec& spec, const Program& program, Supervision supervision);

}  // namespace ddpbench
