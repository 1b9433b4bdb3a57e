#pragma once
#include <memory>
#include <string>

#include "suite/launch/launcher.hpp"

namespace ddpbench {

// Is an option of Python, before -m or -c: it imports nothing from the working folder, where a types.py may be somebody else's.
inline constexpr const char* kNoWorkingFolder = "-P";

// Is the option behind which the ranks' program stands on torchrun's command line.
inline constexpr const char* kNoPython = "--no-python";

// Implement launcher `torchrun` (Launcher), PyTorch's (`python -m torch.distributed.run`): on this machine one process that
// starts all ranks, on nodes agents. torchrun_command throws CannotRun where this installation names no Python.
std::string why_not_torchrun(const Installation& installation, const Allocation& allocation);
LaunchCommand torchrun_command(const LaunchSpec& spec, const Program& program);
Binding torchrun_binding(std::int64_t ranks_per_node, const std::vector<std::string>& hosts);
std::unique_ptr<RunningLaunch> start_torchrun(const LaunchSpec& spec, const Program& program, Supervision supervision);

}  // namespace ddpbench
