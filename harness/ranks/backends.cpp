#include "harness/ranks/backends.hpp"

#include <array>

#include "harness/ranks/cuda_module.hpp"
#include "harness/ranks/mpi_module.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/vocabulary/mpi_backends.hpp"
#include "suite/contract/vocabulary/registry.hpp"

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

std::string why_no_mpi() {
  try {
    mpi_module();
    return "";
  } catch (const CannotRun& error) {
    return error.what();
  }
}

c10::intrusive_ptr<c10d::Backend> make_mpi(const BackendRequest& request) { return mpi_module().make_mpi(request); }

std::vector<OptionEntry> mpi_options() {
  return {{.name = kMpiProgressOption,
           .type = OptionType::kText,
           .default_value = kMpiProgressThread,
           .legal = {kMpiProgressThread, kMpiProgressPoll},
           .help = "who looks after collectives while the rank computes: a thread of its own, or the rank itself when it waits"}};
}

}  // namespace

std::span<const BackendFactory> backends() {
  static const std::array table{
      BackendFactory{{.name = "gloo", .help = "TCP between CPUs; runs everywhere", .device = "cpu", .is_ring = true},
                     available,
                     Type::GLOO,
                     make_gloo},
      BackendFactory{
          {.name = "nccl", .help = "NVIDIA GPUs, the fastest there", .why_not_built = why_no_cuda_module(), .device = "cuda"},
          why_no_nccl,
          Type::NCCL,
          make_nccl},
      BackendFactory{{.name = kMpiBackend,
                      .help = "the site's MPI library, between CPUs",
                      .options = mpi_options(),
                      .why_not_built = why_no_mpi_module(),
                      .device = "cpu"},
                     why_no_mpi,
                     Type::MPI,
                     make_mpi,
                     [] { return mpi_module().facts(); },
                     [](const auto& options) { return options.at(kMpiProgressOption) == kMpiProgressPoll; }},
  };
  return table;
}

c10::intrusive_ptr<c10d::ProcessGroup> process_group_on(const BackendFactory& entry, const BackendRequest& request,
                                                        const c10::intrusive_ptr<c10d::Backend>& backend) {
  const auto rank = static_cast<int>(request.info.rank);
  const auto world_size = static_cast<int>(request.info.world_size);
  auto group = c10::make_intrusive<c10d::ProcessGroup>(request.store, rank, world_size);
  group->setBackend(entry.device_type(), entry.type, backend);
  group->setDefaultBackend(entry.type);
  return group;
}

const BackendFactory& usable_backend(std::string_view name) {
  const auto& entry = find_entry(backends(), "backend", name);
  if (!entry.why_not_built.empty()) throw UsageError("backend '" + entry.name + "': " + entry.why_not_built);
  if (const auto reason = entry.why_unavailable(); !reason.empty()) throw CannotRun("backend '" + entry.name + "': " + reason);
  return entry;
}

}  // namespace ddpbench
