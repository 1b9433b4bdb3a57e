#pragma once
#include <memory>

#include "harness/api/accelerator.hpp"
#include "harness/probe/cuda_facts.hpp"

namespace ddpbench {

// The CUDA runtime behind an Accelerator. Makes `device` the process's current one, and asks for cuBLAS's deterministic workspaces where the
// user has not chosen any.
std::unique_ptr<Accelerator> make_cuda_accelerator(std::int64_t device);

// Needs no GPU.
CudaLibraries read_cuda_libraries();

}  // namespace ddpbench
