#pragma once
#include <cstdint>

#include "suite/contract/tables/phase.hpp"

namespace ddpbench {

// These mark ranges that Nsight Systems shows, in the domain `ddpbench`. Without a tool attached a pair costs below a nanosecond;
// names are registered once, so that nothing is formatted inside a step. Where the NVTX headers were missing at build time they
// do nothing, and nvtx_built() is false.
bool nvtx_built();
void nvtx_register(std::uint32_t arm_count, const char* const* arm_names);  // once per process, before the first range
void nvtx_push(Phase phase);                                                // begins the range of a phase
void nvtx_push_block(std::uint32_t arm);  // begins the range of a block; `arm`: its place in `arm_names`
void nvtx_pop();                          // ends the range that began last

}  // namespace ddpbench
