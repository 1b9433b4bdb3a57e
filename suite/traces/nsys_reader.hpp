#pragma once
#include <string>
#include <vector>

#include "suite/traces/trace.hpp"

namespace ddpbench {

// Reads what `nsys export --type sqlite` made of a report of Nsight Systems: a Trace for each process that has ranges of NVTX or
// used a GPU. Reads by column names, so that exports of 2022 to 2024 are the same to it. Throws UsageError that names the file
// where it is damaged, no such export, has no NVTX ranges, or is empty.
std::vector<Trace> read_nsys(const std::string& path);

}  // namespace ddpbench
