#pragma once
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <utility>
#include <vector>

#include "harness/api/torch.hpp"

namespace ddpbench::parity {

// A backend that keeps a copy of what is handed to it for reduction, in order, and passes everything on. One per training.
class ReductionLog final : public c10d::Backend {
 public:
  using WorkPtr = c10::intrusive_ptr<c10d::Work>;
  using Tensors = std::vector<at::Tensor>;

  explicit ReductionLog(c10::intrusive_ptr<c10d::Backend> upstream)
      : c10d::Backend(upstream->getRank(), upstream->getSize()), upstream_(std::move(upstream)) {}

  // Copies of the floating-point tensors since the last call: of DDP, the buckets.
  Tensors take() { return std::exchange(buckets_, {}); }

  WorkPtr allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) override {
    if (tensors.front().is_floating_point()) buckets_.push_back(tensors.front().clone());
    return upstream_->allreduce(tensors, options);
  }
  WorkPtr broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) override {
    return upstream_->broadcast(tensors, options);
  }
  WorkPtr allgather(std::vector<Tensors>& outputs, Tensors& inputs, const c10d::AllgatherOptions& options) override {
    return upstream_->allgather(outputs, inputs, options);
  }
  WorkPtr barrier(const c10d::BarrierOptions& options) override { return upstream_->barrier(options); }
  const std::string getBackendName() const override { return upstream_->getBackendName(); }

 private:
  c10::intrusive_ptr<c10d::Backend> upstream_;
  Tensors buckets_;
};

// The same ranks, seen through the log.
inline c10::intrusive_ptr<c10d::ProcessGroup> logged(const c10::intrusive_ptr<c10d::ProcessGroup>& group,
                                                     const c10::intrusive_ptr<ReductionLog>& log) {
  const auto unused = c10::make_intrusive<c10d::HashStore>();  // 2.7.1 does not tell a group's own
  auto seen = c10::make_intrusive<c10d::ProcessGroup>(unused, group->getRank(), group->getSize());
  seen->setBackend(at::kCPU, c10d::ProcessGroup::BackendType::GLOO, log);
  seen->setDefaultBackend(c10d::ProcessGroup::BackendType::GLOO);
  return seen;
}

}  // namespace ddpbench::parity
