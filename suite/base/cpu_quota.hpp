#pragma once
#include <cstdint>
#include <string>

namespace ddpbench {

// Returns how many cores' time the control group of this process, or one around it, may use: the least of their quotas (cpu.max
// of version 2, cpu.cfs_quota_us of version 1), as containers and batch systems set them; NaN where none is limited. `root`
// stands before every path, for tests.
double cpu_quota_cores(const std::string& root = "");

// Says what a quota means for so many ranks on this machine: "the CPU quota of this control group is 0.2 cores: 2 ranks are held
// back …"; "" without a quota.
std::string cpu_quota_warning(double quota_cores, std::int64_t ranks);

}  // namespace ddpbench
