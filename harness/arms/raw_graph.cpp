#include <utility>
#include <vector>

#include "harness/api/kernel_choice.hpp"
#include "harness/arms/arms.hpp"
#include "harness/arms/raw_step.hpp"
#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

void require_same_shape(const at::Tensor& held, const at::Tensor& next) {
  if (held.sizes() == next.sizes() && held.scalar_type() == next.scalar_type()) return;
  throw Error("a captured step cannot take a batch of another shape or type");
}

// The raw step, captured as a graph: batches are copied into tensors that stay where they are, and all that follows is one launch. What was
// captured under other kernels than are asked for now (the equal-work check asks for deterministic ones) is captured anew, in a step that
// nobody times: warm-up comes between. Memory that the step allocates belongs to the graph, so the arms beside it are not touched.
class RawGraph final : public Arm {
 public:
  RawGraph(Session& session, BlockConditions conditions)
      : session_(session), conditions_(conditions), graph_(session.accelerator->make_graph()) {}

  BlockConditions conditions() const override { return conditions_; }

  at::Tensor step() override {
    const PhaseScope step(session_.timer, Phase::kOther);
    fetch();
    if (const auto kernels = KernelChoice::now(); !loss_.defined() || kernels != captured_with_) capture(kernels);
    graph_->replay();
    return loss_;
  }

 private:
  void fetch() {
    for (std::size_t i = 0; i < static_cast<std::size_t>(session_.options.accumulate); ++i) {
      const auto next = raw_batch(session_);
      if (i == held_.size()) held_.push_back({next.input.clone(), next.target.clone()});
      require_same_shape(held_[i].input, next.input);
      held_[i].input.copy_(next.input, /*non_blocking=*/true);
      held_[i].target.copy_(next.target, /*non_blocking=*/true);
    }
  }

  void capture(KernelChoice kernels) {
    loss_ = at::Tensor();
    graph_->capture([this] {
      auto held = held_.begin();
      loss_ = raw_step_on(session_, [&] { return *held++; }).detach();  // its graph would keep gradients on the capture's stream
    });
    captured_with_ = kernels;
  }

  Session& session_;
  BlockConditions conditions_;
  std::unique_ptr<StepGraph> graph_;
  std::vector<Batch> held_;  // one per micro-batch; the graph reads them
  at::Tensor loss_;          // the graph writes it
  KernelChoice captured_with_;
};

}  // namespace

std::unique_ptr<Arm> make_raw_graph(const ArmRequest& request) {
  if (request.session.accelerator == nullptr)
    throw UsageError("feature 'graph' needs a CUDA device, this rank trains on the CPU");
  return std::make_unique<RawGraph>(request.session, block_conditions(request.features));
}

}  // namespace ddpbench
