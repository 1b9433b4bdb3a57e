#pragma once
#include <cstdint>

#include "suite/contract/tables/phase.hpp"

namespace ddpbench {

// Ranges that Nsight Systems shows, in the domain `ddpbench`. Without a tool attached a pair costs below a nanosecond; names are
// registered once, so that nothing is formatted inside a step. Where the NVTX headers were missing at build time these do nothing.
bool nvtx_built();
void nvtx_register(std::uint32_t arm_count, const char* const* arm_names);  // once per process, before the first range
void nvtx_push(Phase phase);
void nvtx_push_block(std::uint32_t arm);
void nvtx_pop();

}  // namespace ddpbench
