#pragma once
#include <string>
#include <string_view>

#include "suite/launch/launcher.hpp"

namespace ddpbench {

// Returns the path of nsys: $DDPBENCH_NSYS, else what $PATH has; "" where there is none.
std::string nsys_program();

// Says why a launch cannot run under this profiler here; "" where it can.
std::string why_no_profiler(const std::string& profiler);

// Returns the program as that launcher's ranks run it in such a launch: nsys is put in front of it, a file for each rank; Kineto
// needs nothing. A rank that does not record leaves no file. `spec`: of purpose `profile`, with its part folder.
Program under_profiler(const Launcher& launcher, const LaunchSpec& spec, Program program);

// Returns whether nsys says such a line of its own progress: nobody need read it where all goes well.
bool is_progress_of_nsys(std::string_view line);

}  // namespace ddpbench
