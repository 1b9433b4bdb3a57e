#pragma once
#include <string>
#include <vector>

namespace ddpbench {

// Returns whether a device can run binaries of one of these architectures: those of "sm_80" run on devices of the same major
// version and the same or a newer minor one, those of "compute_80" on all that are newer. `sm`: a device's compute capability as
// one number, 90 is 9.0. Source: CUDA C++ Programming Guide, "Application Compatibility".
bool has_kernels_for(const std::vector<std::string>& architectures, int sm);

}  // namespace ddpbench
