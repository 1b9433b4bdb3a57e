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

}  // namespace

IdealBackend::WorkPtr IdealBackend::allreduce(Tensors& tensors, const c10d::AllreduceOptions& /*options*/) {
  return done(tensors);
}

IdealBackend::WorkPtr IdealBackend::allreduce_coalesced(Tensors& tensors, const c10d::AllreduceCoalescedOptions& /*options*/) {
  return done(tensors);
}

IdealBackend::WorkPtr IdealBackend::broadcast(Tensors& tensors, const c10d::BroadcastOptions& /*options*/) {
  return done(tensors);
}

IdealBackend::WorkPtr IdealBackend::allgather(std::vector<Tensors>& outputs, Tensors& inputs,
                                              const c10d::AllgatherOptions& /*options*/) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (auto& output : outputs[i]) output.copy_(inputs[i]);
  }
  return done(inputs);
}

IdealBackend::WorkPtr IdealBackend::barrier(const c10d::BarrierOptions& /*options*/) { return done({}); }

}  // namespace ddpbench
