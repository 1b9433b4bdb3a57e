#pragma once
#include <memory>
#include <string>

#include "suite/launch/launcher.hpp"

namespace ddpbench {

// Implement launcher `local` (Launcher): ranks as children of this process, with torchrun's environment.
std::string why_not_local(const Installation& installation, const Allocation& allocation);
LaunchCommand local_command(const LaunchSpec& spec, const Program& program);
Binding local_binding(std::int64_t ranks, const std::vector<std::string>& hosts);
std::unique_ptr<RunningLaunch> start_local(const LaunchSpec& spec, const Program& program, Supervision supervision);

}  // namespace ddpbench
