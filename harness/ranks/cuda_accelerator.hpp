#pragma once
#include <memory>

#include "harness/api/accelerator.hpp"
#include "harness/probe/cuda_facts.hpp"

namespace ddpbench {

// Makes an Accelerator of the CUDA runtime. Makes `device` the process's current one, and asks for cuBLAS's deterministic
// workspaces where the user has not chosen any.
std::unique_ptr<Accelerator> make_cuda_accelerator(std::int64_t device);

// Reads what LibTorch's CUDA part says of itself; needs no GPU.
CudaLibraries read_cuda_libraries();

}  // namespace ddpbench
