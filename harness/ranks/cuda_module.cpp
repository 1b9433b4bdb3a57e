#include "harness/ranks/cuda_module.hpp"

#include "harness/ranks/open_module.hpp"

namespace ddpbench {

std::string why_no_cuda_module() { return ""; }

const CudaModule& cuda_module() {
  static const auto* const module =
      open_module<CudaModule>("libddpbench_cuda.so", "ddpbench_cuda_module", "LibTorch's CUDA part");
  return *module;
}

}  // namespace ddpbench
