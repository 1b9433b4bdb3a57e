#include "harness/ranks/backends.hpp"

#include <array>

#include "harness/ranks/cuda_module.hpp"

namespace ddpbench {
namespace {

using Type = c10d::ProcessGroup::BackendType;

std::string available() { return ""; }

// LibTorch's CUDA libraries are loaded only where a GPU is there for them.
std::string why_no_nccl() {
  const auto driver = read_cuda_driver();
  auto reason = why_no_device(driver);
  return reason.empty() ? why_unfit(driver, cuda_module().libraries()) : reason;
}

c10::intrusive_ptr<c10d::Backend> make_nccl(const BackendRequest& request) { return cuda_module().make_nccl(request); }

}  // namespace

std::span<const BackendEntry> backends() {
  static const std::array table{
      BackendEntry{"gloo", "TCP between CPUs; runs everywhere", "", available, Type::GLOO, at::kCPU, make_gloo},
      BackendEntry{"nccl", "NVIDIA GPUs, the fastest there", why_no_cuda_module(), why_no_nccl, Type::NCCL, at::kCUDA, make_nccl},
      BackendEntry{"mpi", "the site's MPI library", "this build has no mpi backend (the torch wheel is built without MPI)",
                   available, Type::MPI, at::kCPU, nullptr},
  };
  return table;
}

}  // namespace ddpbench
