#pragma once
#include <memory>
#include <string>
#include <vector>

#include "suite/launch/launcher.hpp"

namespace ddpbench {

// Implement launcher `ssh` (Launcher): to each of the nodes that --hosts names, or of a job, where no batch system starts
// processes on them.
std::string why_not_ssh(const Installation& installation, const Allocation& allocation);
LaunchCommand ssh_command(const LaunchSpec& spec, const Program& program);
std::unique_ptr<RunningLaunch> start_ssh(const LaunchSpec& spec, const Program& program, Supervision supervision);

// Returns `copies` processes of `of_each` on each node of the launch, by one ssh for each node.
LaunchCommand by_ssh(const LaunchSpec& spec, const Program& program, std::int64_t copies,
                     const std::vector<std::string>& of_each);

}  // namespace ddpbench
