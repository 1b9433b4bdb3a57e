#pragma once
#include <map>
#include <string>

namespace ddpbench {

// Names the fact of a launch that holds it; missing: none.
inline constexpr const char* kProfiledFact = "profiled";

// Says under which profiler from outside a process with these environment variables runs: "nsys", "kineto", "an NVTX tool (FILE)"
// or "a CUDA tool (FILE)"; "": under none. Settings of nsys alone (NSYS_ROOT, NSYS_NVTX_PROFILER_REGISTER_ONLY) start nothing.
std::string profiler_of(const std::map<std::string, std::string>& variables);

// Returns the same of this process.
std::string own_profiler();

}  // namespace ddpbench
