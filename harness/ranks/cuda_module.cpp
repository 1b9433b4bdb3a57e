#include "harness/ranks/cuda_module.hpp"

#include <dlfcn.h>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

const CudaModule* open_module() {
  void* const library = ::dlopen("libddpbench_cuda.so", RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) throw CannotRun(std::string("LibTorch's CUDA part cannot be loaded: ") + ::dlerror());
  auto* const table = reinterpret_cast<const CudaModule* (*)()>(::dlsym(library, "ddpbench_cuda_module"));
  if (table == nullptr) throw CannotRun("libddpbench_cuda.so is from another build: run ./bootstrap.sh build");
  return table();
}

}  // namespace

std::string why_no_cuda_module() { return ""; }

const CudaModule& cuda_module() {
  static const CudaModule* const module = open_module();
  return *module;
}

}  // namespace ddpbench
