#pragma once
#include <span>
#include <string>
#include <string_view>

#include "suite/launch/launcher.hpp"
#include "suite/launch/machines/allocation.hpp"
#include "suite/plan/plan.hpp"

namespace ddpbench {

// Returns every way of starting ranks, in the order of `list launchers`.
std::span<const Launcher> launchers();

// Returns the one that starts ranks where nobody names one: inside a job the batch system's, else this machine's.
std::string_view default_launcher(const Allocation& allocation);

// Says what keeps the job's own launcher from its nodes, and what would do in its place, for a launcher that keeps to this
// machine in a job; "" where there is no job.
std::string why_not_on_nodes(const Launcher& launcher, const Allocation& allocation);

// Returns the worker of this installation, as the program of a launch.
Program worker_program(const Installation& installation);

// Throws CannotRun with the reason where the launcher cannot start anything here.
void require_available(const Launcher& launcher, const Installation& installation, const Allocation& allocation);

// Adds what no launch that it starts can be, and why: a backend that needs processes of MPI's.
void add_limits(const Launcher& launcher, Availability& availability);

// Returns the part folder of such a launch, in the working directory: ddpbench-parts/ID.
std::string pasteable_part_dir(const LaunchSpec& spec);

// Returns the command of a launch as a person can paste it into a shell, which then runs the launch: part files go to
// pasteable_part_dir. `data`: the folder with the launch's data set, empty where it needs none.
std::string pasteable_command(const Launcher& launcher, LaunchSpec spec, const Program& program, const std::string& data);

}  // namespace ddpbench
