#pragma once
#include <memory>
#include <string>

#include "suite/launch/launcher.hpp"

namespace ddpbench {

// Implement launcher `mpirun` (Launcher): MPI's own, Open MPI's or Hydra (mpirun_kind.hpp), on the nodes of a job, or
// without one on this machine.
std::string why_not_mpirun(const Installation& installation, const Allocation& allocation);
LaunchCommand mpirun_command(const LaunchSpec& spec, const Program& program);
std::unique_ptr<RunningLaunch> start_mpirun(const LaunchSpec& spec, const Program& program, Supervision supervision);

}  // namespace ddpbench
