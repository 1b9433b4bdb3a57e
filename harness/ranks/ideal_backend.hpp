#pragma once
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <vector>

namespace ddpbench {

// A network that takes no time: every collective is complete when the call returns. Tensors keep this rank's values, so what is computed
// with it is not a training: it is there to take the network away from a measurement.
class IdealBackend final : public c10d::Backend {
 public:
  using WorkPtr = c10::intrusive_ptr<c10d::Work>;
  using Tensors = std::vector<at::Tensor>;

  IdealBackend(int rank, int size) : c10d::Backend(rank, size) {}
  const std::string getBackendName() const override { return "ideal"; }

  WorkPtr allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) override;
  WorkPtr allreduce_coalesced(Tensors& tensors, const c10d::AllreduceCoalescedOptions& options) override;
  WorkPtr broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) override;
  WorkPtr allgather(std::vector<Tensors>& outputs, Tensors& inputs, const c10d::AllgatherOptions& options) override;
  WorkPtr barrier(const c10d::BarrierOptions& options) override;
};

}  // namespace ddpbench
