#pragma once
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <vector>

#include "harness/api/network.hpp"
#include "harness/api/torch_release.hpp"
#include "harness/probe/collective_log.hpp"

namespace ddpbench {

class ObservedWork;

// Decorates any c10d::Backend: passes every collective on and stamps its issue and completion in a CollectiveLog. There is one
// per process group; the log outlives it. After the first steps it allocates nothing of its own (its Work objects are reused);
// the completion callback is one entry in the upstream future's own list.
//
// A collective is complete when its future is; where its Work has none (gloo's send and recv) when the wait for it returned, and
// until somebody waits, when it was issued; where the backend returns no Work, when the call returned. What is not supported
// upstream throws upstream's own words.
//
// On a GPU the host only enqueues, and the future of a collective counts as complete as soon as that is done: there every stamp
// is one of enqueuing, and `waited_ns` is what the host was held up, not the time for which the device waited. That one shows in
// device time alone.
class ObservingBackend final : public c10d::Backend, public Network {
 public:
  using WorkPtr = c10::intrusive_ptr<c10d::Work>;
  using Tensors = std::vector<at::Tensor>;
  using TensorLists = std::vector<Tensors>;
  using Sizes = std::vector<std::int64_t>;

  ObservingBackend(c10::intrusive_ptr<c10d::Backend> upstream, CollectiveLog& log);
  ~ObservingBackend() override;

  // Puts its own stand-in in the upstream's place; issue and completion are stamped as ever.
  void make_ideal(bool ideal) override;

  WorkPtr broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) override;
  WorkPtr allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) override;
  WorkPtr allreduce_sparse(Tensors& tensors, const c10d::AllreduceOptions& options) override;
  WorkPtr allreduce_coalesced(Tensors& tensors, const c10d::AllreduceCoalescedOptions& options) override;
  WorkPtr reduce(Tensors& tensors, const c10d::ReduceOptions& options) override;
  WorkPtr allgather(TensorLists& outputs, Tensors& inputs, const c10d::AllgatherOptions& options) override;
  WorkPtr _allgather_base(at::Tensor& output, at::Tensor& input, const c10d::AllgatherOptions& options) override;
  WorkPtr allgather_coalesced(TensorLists& outputs, Tensors& inputs, const c10d::AllgatherOptions& options) override;
  WorkPtr allgather_into_tensor_coalesced(Tensors& outputs, Tensors& inputs, const c10d::AllgatherOptions& options) override;
  WorkPtr gather(TensorLists& outputs, Tensors& inputs, const c10d::GatherOptions& options) override;
  WorkPtr scatter(Tensors& outputs, TensorLists& inputs, const c10d::ScatterOptions& options) override;
  WorkPtr reduce_scatter(Tensors& outputs, TensorLists& inputs, const c10d::ReduceScatterOptions& options) override;
  WorkPtr _reduce_scatter_base(at::Tensor& output, at::Tensor& input, const c10d::ReduceScatterOptions& options) override;
  WorkPtr reduce_scatter_tensor_coalesced(Tensors& outputs, Tensors& inputs, const c10d::ReduceScatterOptions& options) override;
  WorkPtr alltoall_base(at::Tensor& output, at::Tensor& input, Sizes& output_sizes, Sizes& input_sizes,
                        const c10d::AllToAllOptions& options) override;
  WorkPtr alltoall(Tensors& outputs, Tensors& inputs, const c10d::AllToAllOptions& options) override;
  WorkPtr send(Tensors& tensors, int to_rank, int tag) override;
  WorkPtr recv(Tensors& tensors, int from_rank, int tag) override;
  WorkPtr recvAnysource(Tensors& tensors, int tag) override;
  WorkPtr barrier(const c10d::BarrierOptions& options) override;
  void monitoredBarrier(const c10d::BarrierOptions& options, bool wait_for_all) override;
  void startCoalescing() override { network_->startCoalescing(); }
  WorkPtr endCoalescing() override;

  // What a backend has beside collectives. Groups cannot be split, merged or shrunk through the decorator: it says so by default.
  const std::string getBackendName() const override { return upstream_->getBackendName(); }
  bool supportsCoalescing() const override { return upstream_->supportsCoalescing(); }
  void eagerConnectSingleDevice(at::Device device) override { upstream_->eagerConnectSingleDevice(device); }
  // Limits the time of the collectives from now on. Returns false where LibTorch cannot change that of the backend behind it.
  bool wait_at_most(std::chrono::milliseconds timeout);
  void setTimeout(std::chrono::milliseconds timeout) DDPBENCH_OVERRIDES_SET_TIMEOUT;
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
  WorkPtr observe(CollectiveKind kind, std::int64_t bytes, Issue&& issue, std::int64_t root = CollectiveRecord::kNoRoot);
  c10::intrusive_ptr<ObservedWork> free_work();

  c10::intrusive_ptr<c10d::Backend> upstream_;
  c10::intrusive_ptr<c10d::Backend> ideal_;
  c10d::Backend* network_;  // the one of the two that has the collectives
  CollectiveLog& log_;
  std::vector<c10::intrusive_ptr<ObservedWork>> works_;
  std::size_t next_work_ = 0;
};

}  // namespace ddpbench
