#include "harness/ranks/backends.hpp"

#include <array>

namespace ddpbench {
namespace {

using Type = c10d::ProcessGroup::BackendType;

std::string available() { return ""; }

}  // namespace

std::span<const BackendEntry> backends() {
  static const std::array table{
      BackendEntry{"gloo", "TCP between CPUs; runs everywhere", "", available, Type::GLOO, at::kCPU, make_gloo},
      BackendEntry{"nccl", "NVIDIA GPUs, the fastest there", "this build has no nccl backend", available, Type::NCCL, at::kCUDA,
                   nullptr},
      BackendEntry{"mpi", "the site's MPI library", "this build has no mpi backend (the torch wheel is built without MPI)",
                   available, Type::MPI, at::kCPU, nullptr},
  };
  return table;
}

}  // namespace ddpbench
