#include "harness/ranks/observing_backend.hpp"

#include <algorithm>
#include <utility>

#include "harness/probe/clocks.hpp"
#include "harness/ranks/ideal_backend.hpp"

namespace ddpbench {

// What the caller gets instead of the upstream's Work: the same, with the main thread's wait clocked.
class ObservedWork final : public c10d::Work {
 public:
  void observe(c10::intrusive_ptr<c10d::Work> upstream, CollectiveRecord& record) {
    upstream_ = std::move(upstream);
    record_ = &record;
  }

  bool wait(std::chrono::milliseconds timeout) override {
    const auto begin = wall_ns();
    const bool done = upstream_->wait(timeout);
    record_->waited_ns += std::max<std::int64_t>(1, wall_ns() - begin);
    return done;
  }
  bool isCompleted() override { return upstream_->isCompleted(); }
  bool isSuccess() const override { return upstream_->isSuccess(); }
  std::exception_ptr exception() const override { return upstream_->exception(); }
  int sourceRank() const override { return upstream_->sourceRank(); }
  std::vector<at::Tensor> result() override { return upstream_->result(); }
  void synchronize() override { upstream_->synchronize(); }
  void abort() override { upstream_->abort(); }
  c10::intrusive_ptr<c10::ivalue::Future> getFuture() override { return upstream_->getFuture(); }
  c10::intrusive_ptr<c10::ivalue::Future> getFutureResult() override { return upstream_->getFutureResult(); }
  float getDuration() const override { return upstream_->getDuration(); }
  uint64_t getSequencenumber() const override { return upstream_->getSequencenumber(); }

 private:
  c10::intrusive_ptr<c10d::Work> upstream_;
  CollectiveRecord* record_ = nullptr;
};

namespace {

constexpr std::size_t kWorksAtStart = 32;  // more than a step keeps alive at once; grows where that is not so

std::int64_t bytes_of(const std::vector<at::Tensor>& tensors) {
  std::int64_t bytes = 0;
  for (const auto& tensor : tensors) bytes += static_cast<std::int64_t>(tensor.nbytes());
  return bytes;
}

// The callback does not look at the future's value: so no stream of a device is made to wait for it.
void stamp_completion(c10d::Work& work, CollectiveRecord& record) {
  constexpr bool kUsesFuture = false;
  const auto stamp = [&record](c10::ivalue::Future&) { record.completed_ns.store(wall_ns(), std::memory_order_release); };
  work.getFuture()->addCallback(stamp, kUsesFuture);
}

}  // namespace

ObservingBackend::ObservingBackend(c10::intrusive_ptr<c10d::Backend> upstream, CollectiveLog& log)
    : c10d::Backend(upstream->getRank(), upstream->getSize()),
      upstream_(std::move(upstream)),
      ideal_(c10::make_intrusive<IdealBackend>(getRank(), getSize())),
      network_(upstream_.get()),
      log_(log) {
  for (std::size_t i = 0; i < kWorksAtStart; ++i) works_.push_back(c10::make_intrusive<ObservedWork>());
}

ObservingBackend::~ObservingBackend() = default;

void ObservingBackend::make_ideal(bool ideal) { network_ = ideal ? ideal_.get() : upstream_.get(); }

c10::intrusive_ptr<ObservedWork> ObservingBackend::free_work() {
  for (std::size_t tried = 0; tried < works_.size(); ++tried) {
    next_work_ = (next_work_ + 1) % works_.size();
    if (works_[next_work_].use_count() == 1) return works_[next_work_];
  }
  works_.push_back(c10::make_intrusive<ObservedWork>());
  return works_.back();
}

template <class Issue>
ObservingBackend::WorkPtr ObservingBackend::observe(CollectiveKind kind, std::int64_t bytes, Issue&& issue) {
  auto& record = log_.add(kind, bytes);
  record.issued_ns = wall_ns();
  auto upstream = issue();
  record.returned_ns = wall_ns();
  stamp_completion(*upstream, record);
  auto work = free_work();
  work->observe(std::move(upstream), record);
  return work;
}

ObservingBackend::WorkPtr ObservingBackend::allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) {
  return observe(CollectiveKind::kAllreduce, bytes_of(tensors), [&] { return network_->allreduce(tensors, options); });
}

ObservingBackend::WorkPtr ObservingBackend::allreduce_coalesced(Tensors& tensors,
                                                                const c10d::AllreduceCoalescedOptions& options) {
  return observe(CollectiveKind::kAllreduce, bytes_of(tensors), [&] { return network_->allreduce_coalesced(tensors, options); });
}

ObservingBackend::WorkPtr ObservingBackend::broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) {
  return observe(CollectiveKind::kBroadcast, bytes_of(tensors), [&] { return network_->broadcast(tensors, options); });
}

ObservingBackend::WorkPtr ObservingBackend::allgather(std::vector<Tensors>& outputs, Tensors& inputs,
                                                      const c10d::AllgatherOptions& options) {
  return observe(CollectiveKind::kAllgather, bytes_of(inputs), [&] { return network_->allgather(outputs, inputs, options); });
}

ObservingBackend::WorkPtr ObservingBackend::endCoalescing() {
  return observe(CollectiveKind::kOther, 0, [&] { return upstream_->endCoalescing(); });
}

ObservingBackend::WorkPtr ObservingBackend::barrier(const c10d::BarrierOptions& options) {
  return observe(CollectiveKind::kBarrier, 0, [&] { return network_->barrier(options); });
}

}  // namespace ddpbench
