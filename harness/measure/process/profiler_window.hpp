#pragma once
#include "harness/api/accelerator.hpp"

namespace ddpbench {

// Opens what a profiler can take for its window: NVTX's range `measure@ddpbench` and, with a device, cudaProfilerStart. Called by
// the main thread when warm-up is over. `accelerator`: nullptr on the CPU.
void open_profiler_window(const Accelerator* accelerator);

// Closes it: the last thing that a rank does, behind its outcome, for nsys may end the process then. Does nothing where it is not
// open. The calling thread must be the one that opened it.
void close_profiler_window();

}  // namespace ddpbench
