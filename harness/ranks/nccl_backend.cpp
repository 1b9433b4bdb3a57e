#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

#include "harness/ranks/cuda_accelerator.hpp"
#include "harness/ranks/cuda_module.hpp"

namespace ddpbench {
namespace {

using Nccl = c10d::ProcessGroupNCCL;

// The communicator is made here and not in the first collective: bound to a device, as Python's init_process_group(device_id=…) does it.
c10::intrusive_ptr<c10d::Backend> make_nccl(const BackendRequest& request) {
  auto options = Nccl::Options::create();
  options->timeout = request.timeout;
  options->group_name = "measured";
  const auto rank = static_cast<int>(request.info.rank);
  auto backend = c10::make_intrusive<Nccl>(request.store, rank, static_cast<int>(request.info.world_size), std::move(options));
  backend->setBoundDeviceId(request.device);
  backend->eagerConnectSingleDevice(request.device);
  return backend;
}

}  // namespace
}  // namespace ddpbench

extern "C" const ddpbench::CudaModule* ddpbench_cuda_module() {
  static const ddpbench::CudaModule module{ddpbench::read_cuda_libraries, ddpbench::make_cuda_accelerator, ddpbench::make_nccl};
  return &module;
}
