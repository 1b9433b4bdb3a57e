#include "harness/ranks/cuda_module.hpp"
#include "suite/base/errors.hpp"

namespace ddpbench {

std::string why_no_cuda_module() { return DDPBENCH_WHY_NO_CUDA; }

const CudaModule& cuda_module() { throw CannotRun(why_no_cuda_module()); }

}  // namespace ddpbench
