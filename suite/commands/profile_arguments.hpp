#pragma once
#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "suite/purposes/profile/profile_plan.hpp"

namespace ddpbench {

// Declares --profile and the options that choose arms, steps and ranks; they are read into `request`.
void add_profile_arguments(CLI::App& app, ProfileRequest& request);

// Returns these options as they can be given again.
std::vector<std::string> profile_tokens(const ProfileRequest& request);

// Throws UsageError where this machine lacks the profiler that is asked for.
void require_profiler(const ProfileRequest& request);

}  // namespace ddpbench
