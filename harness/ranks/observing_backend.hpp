#pragma once
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <vector>

#include "harness/api/network.hpp"
#include "harness/probe/collective_log.hpp"

namespace ddpbench {

class ObservedWork;

// Decorator around any c10d::Backend: passes every collective on and stamps its issue and completion in a CollectiveLog. One per
// process group; the log outlives it. After the first steps it allocates nothing of its own (its Work objects are reused); the
// completion callback is one entry in the upstream future's own list.
//
// On a GPU the host only enqueues, and the future of a collective counts as complete as soon as that is done: there every stamp is one of
// enqueuing, and `waited_ns` is what the host was held up, not the time for which the device waited. That one shows in device time alone.
class ObservingBackend final : public c10d::Backend, public Network {
 public:
  using WorkPtr = c10::intrusive_ptr<c10d::Work>;
  using Tensors = std::vector<at::Tensor>;

  ObservingBackend(c10::intrusive_ptr<c10d::Backend> upstream, CollectiveLog& log);
  ~ObservingBackend() override;

  // Its own stand-in takes the upstream's place; issue and completion are stamped as ever.
  void make_ideal(bool ideal) override;

  WorkPtr allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) override;
  WorkPtr allreduce_coalesced(Tensors& tensors, const c10d::AllreduceCoalescedOptions& options) override;
  WorkPtr broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) override;
  WorkPtr allgather(std::vector<Tensors>& outputs, Tensors& inputs, const c10d::AllgatherOptions& options) override;
  WorkPtr barrier(const c10d::BarrierOptions& options) override;

  const std::string getBackendName() const override { return upstream_->getBackendName(); }
  // What a backend may have beyond collectives. Groups cannot be split or shrunk through the decorator: it says so by default.
  bool supportsCoalescing() const override { return upstream_->supportsCoalescing(); }
  void startCoalescing() override { upstream_->startCoalescing(); }
  WorkPtr endCoalescing() override;
  void eagerConnectSingleDevice(at::Device device) override { upstream_->eagerConnectSingleDevice(device); }
  void waitForPendingWorks() override { upstream_->waitForPendingWorks(); }
  void enableCollectivesTiming() override { upstream_->enableCollectivesTiming(); }
  c10d::ErrorType getError() override { return upstream_->getError(); }
  std::shared_ptr<c10::Allocator> getMemAllocator() override { return upstream_->getMemAllocator(); }
  bool supportsTensorAlloc(c10::DeviceIndex device) override { return upstream_->supportsTensorAlloc(device); }
  at::Tensor allocateTensor(long size, at::TensorOptions options) override { return upstream_->allocateTensor(size, options); }
  void abort() override { upstream_->abort(); }
  void shutdown() override { upstream_->shutdown(); }
  void setSequenceNumberForGroup() override { upstream_->setSequenceNumberForGroup(); }
  uint64_t getSequenceNumberForGroup() override { return upstream_->getSequenceNumberForGroup(); }

 private:
  template <class Issue>
  WorkPtr observe(CollectiveKind kind, std::int64_t bytes, Issue&& issue);
  c10::intrusive_ptr<ObservedWork> free_work();

  c10::intrusive_ptr<c10d::Backend> upstream_;
  c10::intrusive_ptr<c10d::Backend> ideal_;
  c10d::Backend* network_;  // the one of the two that has the collectives
  CollectiveLog& log_;
  std::vector<c10::intrusive_ptr<ObservedWork>> works_;
  std::size_t next_work_ = 0;
};

}  // namespace ddpbench
