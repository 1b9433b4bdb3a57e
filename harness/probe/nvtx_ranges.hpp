#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "harness/probe/range_sink.hpp"

namespace ddpbench {

// These show Nsight Systems where a rank is, in the domain `ddpbench`. Without a tool attached a range costs some nanoseconds;
// names are registered once, so that nothing is formatted inside a step. Where the NVTX headers were missing at build time they
// do nothing, and nvtx_built() is false.
bool nvtx_built();

// Names the launch's arms and the process's main thread ("rank 0"), and keeps a mark that says who this is ("rank 0 of 2, launch
// L0001"). Called once per process by its main thread, before the first range.
struct NvtxNames {
  std::vector<std::string> arms;
  std::string thread, mark;
};
void nvtx_register(const NvtxNames& names);

// Returns the one sink of the process. A phase's range has its name; a block's the arm's name and the block as payload; a step's
// the name `step`, the payload block << 32 | step (0 for a discarded one), and as category the arm's place + 1, which has the
// arm's name.
RangeSink& nvtx_ranges();

// Open and close the range `measure` around all that is measured, which nsys can take as its window
// (--nvtx-capture=measure@ddpbench), and set the mark in it. Each does nothing where the window is open, or closed, already.
void nvtx_open_window();
void nvtx_close_window();

// Begin and end a range of any name in the domain, on the calling thread.
void nvtx_push(const char* name);
void nvtx_pop();

}  // namespace ddpbench
