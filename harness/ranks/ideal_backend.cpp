#include "harness/ranks/ideal_backend.hpp"

#include <utility>

namespace ddpbench {
namespace {

class CompletedWork final : public c10d::Work {
 public:
  explicit CompletedWork(std::vector<at::Tensor> result)
      : result_(std::move(result)),
        future_(c10::make_intrusive<c10::ivalue::Future>(c10::ListType::create(c10::TensorType::get()))) {
    future_->markCompleted(c10::IValue(result_));
  }
  bool isCompleted() override { return true; }
  bool isSuccess() const override { return true; }
  bool wait(std::chrono::milliseconds /*timeout*/) override { return true; }
  void synchronize() override {}
  std::vector<at::Tensor> result() override { return result_; }
  c10::intrusive_ptr<c10::ivalue::Future> getFuture() override { return future_; }

 private:
  std::vector<at::Tensor> result_;
  c10::intrusive_ptr<c10::ivalue::Future> future_;
};

IdealBackend::WorkPtr done(const IdealBackend::Tensors& tensors) { return c10::make_intrusive<CompletedWork>(tensors); }

// Where an exchange gives every rank as much as it takes; with unequal parts there is nothing of this rank's own for all places.
void copy_if_equal(const at::Tensor& from, at::Tensor& to) {
  if (from.numel() == to.numel()) to.copy_(from.view(to.sizes()));
}

}  // namespace

// Of a buffer with a part for each rank, every part.
void IdealBackend::gather_own(at::Tensor& output, const at::Tensor& input) const {
  output.view({getSize(), -1}).copy_(input.reshape({1, -1}).expand({getSize(), -1}));
}

// Of a buffer with a part for each rank, the own one.
void IdealBackend::scatter_own(at::Tensor& output, const at::Tensor& input) const {
  output.view({-1}).copy_(input.reshape({getSize(), -1})[getRank()]);
}

IdealBackend::WorkPtr IdealBackend::broadcast(Tensors& tensors, const c10d::BroadcastOptions& /*options*/) {
  return done(tensors);
}

IdealBackend::WorkPtr IdealBackend::allreduce(Tensors& tensors, const c10d::AllreduceOptions& /*options*/) {
  return done(tensors);
}

IdealBackend::WorkPtr IdealBackend::allreduce_sparse(Tensors& tensors, const c10d::AllreduceOptions& /*options*/) {
  return done(tensors);
}

IdealBackend::WorkPtr IdealBackend::allreduce_coalesced(Tensors& tensors, const c10d::AllreduceCoalescedOptions& /*options*/) {
  return done(tensors);
}

IdealBackend::WorkPtr IdealBackend::reduce(Tensors& tensors, const c10d::ReduceOptions& /*options*/) { return done(tensors); }

IdealBackend::WorkPtr IdealBackend::allgather(TensorLists& outputs, Tensors& inputs, const c10d::AllgatherOptions& /*options*/) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (auto& output : outputs[i]) output.copy_(inputs[i]);
  }
  return done(inputs);
}

IdealBackend::WorkPtr IdealBackend::_allgather_base(at::Tensor& output, at::Tensor& input,
                                                    const c10d::AllgatherOptions& /*options*/) {
  gather_own(output, input);
  return done({output});
}

// A list for each rank, with a tensor for each input.
IdealBackend::WorkPtr IdealBackend::allgather_coalesced(TensorLists& outputs, Tensors& inputs,
                                                        const c10d::AllgatherOptions& /*options*/) {
  for (auto& of_rank : outputs) {
    for (std::size_t i = 0; i < of_rank.size(); ++i) of_rank[i].copy_(inputs[i]);
  }
  return done(inputs);
}

IdealBackend::WorkPtr IdealBackend::allgather_into_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                                                    const c10d::AllgatherOptions& /*options*/) {
  for (std::size_t i = 0; i < outputs.size(); ++i) gather_own(outputs[i], inputs[i]);
  return done(outputs);
}

// Only the root has outputs.
IdealBackend::WorkPtr IdealBackend::gather(TensorLists& outputs, Tensors& inputs, const c10d::GatherOptions& /*options*/) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (auto& output : outputs[i]) output.copy_(inputs[i]);
  }
  return done(inputs);
}

// Only the root has inputs.
IdealBackend::WorkPtr IdealBackend::scatter(Tensors& outputs, TensorLists& inputs, const c10d::ScatterOptions& /*options*/) {
  for (std::size_t i = 0; i < inputs.size(); ++i) outputs[i].copy_(inputs[i].at(static_cast<std::size_t>(getRank())));
  return done(outputs);
}

IdealBackend::WorkPtr IdealBackend::reduce_scatter(Tensors& outputs, TensorLists& inputs,
                                                   const c10d::ReduceScatterOptions& /*options*/) {
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i].copy_(inputs[i].at(static_cast<std::size_t>(getRank())));
  return done(outputs);
}

IdealBackend::WorkPtr IdealBackend::_reduce_scatter_base(at::Tensor& output, at::Tensor& input,
                                                         const c10d::ReduceScatterOptions& /*options*/) {
  scatter_own(output, input);
  return done({output});
}

IdealBackend::WorkPtr IdealBackend::reduce_scatter_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                                                    const c10d::ReduceScatterOptions& /*options*/) {
  for (std::size_t i = 0; i < outputs.size(); ++i) scatter_own(outputs[i], inputs[i]);
  return done(outputs);
}

IdealBackend::WorkPtr IdealBackend::alltoall_base(at::Tensor& output, at::Tensor& input, Sizes& /*output_sizes*/,
                                                  Sizes& /*input_sizes*/, const c10d::AllToAllOptions& /*options*/) {
  copy_if_equal(input, output);
  return done({output});
}

IdealBackend::WorkPtr IdealBackend::alltoall(Tensors& outputs, Tensors& inputs, const c10d::AllToAllOptions& /*options*/) {
  for (std::size_t i = 0; i < outputs.size(); ++i) copy_if_equal(inputs[i], outputs[i]);
  return done(outputs);
}

IdealBackend::WorkPtr IdealBackend::send(Tensors& tensors, int /*to_rank*/, int /*tag*/) { return done(tensors); }

IdealBackend::WorkPtr IdealBackend::recv(Tensors& tensors, int /*from_rank*/, int /*tag*/) { return done(tensors); }

IdealBackend::WorkPtr IdealBackend::recvAnysource(Tensors& tensors, int /*tag*/) { return done(tensors); }

IdealBackend::WorkPtr IdealBackend::barrier(const c10d::BarrierOptions& /*options*/) { return done({}); }

IdealBackend::WorkPtr IdealBackend::endCoalescing() { return done({}); }

}  // namespace ddpbench
