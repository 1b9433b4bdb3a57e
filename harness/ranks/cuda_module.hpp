#pragma once
#include <memory>
#include <string>

#include "harness/api/accelerator.hpp"
#include "harness/probe/cuda_facts.hpp"
#include "harness/ranks/backends.hpp"

namespace ddpbench {

// Holds the functions of libddpbench_cuda.so: all of ours that links LibTorch's CUDA libraries. They take half a second to load,
// which a rank on the CPU must not pay, so the module is opened when a device is first asked for. A process that opens it does so
// before it touches LibTorch's CUDA hooks (a seed, a tensor on a device): LibTorch looks once whether its CUDA part is there.
struct CudaModule {
  CudaLibraries (*libraries)();
  std::unique_ptr<Accelerator> (*make_accelerator)(std::int64_t device);
  c10::intrusive_ptr<c10d::Backend> (*make_nccl)(const BackendRequest& request);
};

// Returns "" where this build has the module, else why not.
std::string why_no_cuda_module();

// Opens the module at the first call. Throws CannotRun where it is not built or cannot be loaded, with the dynamic linker's
// words.
const CudaModule& cuda_module();

}  // namespace ddpbench
