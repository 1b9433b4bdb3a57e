#include "harness/ranks/observing_backend.hpp"

#include <algorithm>
#include <utility>

#include "harness/probe/clock_readings.hpp"
#include "harness/ranks/backends.hpp"
#include "harness/ranks/ideal_backend.hpp"
#include "suite/contract/processes/heartbeat.hpp"

namespace ddpbench {

// What the caller gets instead of the upstream's Work: the same, with the main thread's wait clocked.
class ObservedWork final : public c10d::Work {
 public:
  // `completes_by_wait`: no future tells when it is done.
  void observe(c10::intrusive_ptr<c10d::Work> upstream, const CollectiveLog& log, CollectiveRecord& record,
               bool completes_by_wait) {
    upstream_ = std::move(upstream);
    log_ = &log;
    record_ = &record;
    completes_by_wait_ = completes_by_wait;
  }

  bool wait(std::chrono::milliseconds timeout) override {
    const auto begin = log_->now();
    const bool done = upstream_->wait(timeout);
    if (record_->waited_ns == 0) {
      record_->wait_begin = begin;
      record_->waited_in = own_heartbeat().phase.load(std::memory_order_relaxed);
    }
    const auto end_ns = wall_ns();
    record_->waited_ns += std::max<std::int64_t>(1, end_ns - begin.wall_ns);
    if (completes_by_wait_) log_->complete(*record_, end_ns);
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
  const CollectiveLog* log_ = nullptr;
  CollectiveRecord* record_ = nullptr;
  bool completes_by_wait_ = false;
};

namespace {

constexpr std::size_t kWorksAtStart = 32;  // more than a step keeps alive at once; grows where that is not so

// A sparse tensor sends its places too.
std::int64_t bytes_of(const at::Tensor& tensor) {
  if (tensor.is_sparse()) return bytes_of(tensor._indices()) + bytes_of(tensor._values());
  return static_cast<std::int64_t>(tensor.nbytes());
}

std::int64_t bytes_of(const std::vector<at::Tensor>& tensors) {
  std::int64_t bytes = 0;
  for (const auto& tensor : tensors) bytes += bytes_of(tensor);
  return bytes;
}

std::int64_t bytes_of(const ObservingBackend::TensorLists& lists) {
  std::int64_t bytes = 0;
  for (const auto& tensors : lists) bytes += bytes_of(tensors);
  return bytes;
}

// A Work of another kind (gloo's send and recv) answers with an exception.
c10::intrusive_ptr<c10::ivalue::Future> future_of(c10d::Work& work) {
  try {
    return work.getFuture();
  } catch (const c10::Error&) {
    return nullptr;
  }
}

// The callback does not look at the future's value: so no stream of a device is made to wait for it.
void stamp_completion(c10::ivalue::Future& future, const CollectiveLog& log, CollectiveRecord& record) {
  constexpr bool kUsesFuture = false;
  future.addCallback([&log, &record](c10::ivalue::Future&) { log.complete(record, wall_ns()); }, kUsesFuture);
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

bool ObservingBackend::wait_at_most(std::chrono::milliseconds timeout) { return set_timeout(*upstream_, timeout); }

void ObservingBackend::setTimeout(std::chrono::milliseconds timeout) { wait_at_most(timeout); }

void ObservingBackend::make_ideal(bool ideal) { network_ = ideal ? ideal_.get() : upstream_.get(); }

c10::intrusive_ptr<ObservedWork> ObservingBackend::free_work() {
  for (std::size_t tried = 0; tried < works_.size(); ++tried) {
    next_work_ = (next_work_ + 1) % works_.size();
    if (works_[next_work_].use_count() == 1) return works_[next_work_];
  }
  works_.push_back(c10::make_intrusive<ObservedWork>());
  return works_.back();
}

// What upstream refuses by an exception was no collective: it is not written down.
template <class Issue>
ObservingBackend::WorkPtr ObservingBackend::observe(CollectiveKind kind, std::int64_t bytes, Issue&& issue, std::int64_t root) {
  own_heartbeat().call(kind, bytes);
  const auto issued_ns = wall_ns();
  auto upstream = issue();
  const auto returned = log_.now();
  auto& record = log_.add(kind, bytes);
  record.root = root;
  record.issued_ns = issued_ns;
  record.returned = returned;
  const auto future = upstream ? future_of(*upstream) : nullptr;
  if (future) {
    stamp_completion(*future, log_, record);
  } else {
    log_.complete(record, returned.wall_ns);
  }
  if (!upstream) return upstream;
  auto work = free_work();
  work->observe(std::move(upstream), log_, record, /*completes_by_wait=*/!future);
  return work;
}

ObservingBackend::WorkPtr ObservingBackend::broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) {
  return observe(
      CollectiveKind::kBroadcast, bytes_of(tensors), [&] { return network_->broadcast(tensors, options); }, options.rootRank);
}

ObservingBackend::WorkPtr ObservingBackend::allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) {
  return observe(CollectiveKind::kAllreduce, bytes_of(tensors), [&] { return network_->allreduce(tensors, options); });
}

ObservingBackend::WorkPtr ObservingBackend::allreduce_sparse(Tensors& tensors, const c10d::AllreduceOptions& options) {
  return observe(CollectiveKind::kAllreduce, bytes_of(tensors), [&] { return network_->allreduce_sparse(tensors, options); });
}

ObservingBackend::WorkPtr ObservingBackend::allreduce_coalesced(Tensors& tensors,
                                                                const c10d::AllreduceCoalescedOptions& options) {
  return observe(CollectiveKind::kAllreduce, bytes_of(tensors), [&] { return network_->allreduce_coalesced(tensors, options); });
}

ObservingBackend::WorkPtr ObservingBackend::reduce(Tensors& tensors, const c10d::ReduceOptions& options) {
  return observe(
      CollectiveKind::kReduce, bytes_of(tensors), [&] { return network_->reduce(tensors, options); }, options.rootRank);
}

ObservingBackend::WorkPtr ObservingBackend::allgather(TensorLists& outputs, Tensors& inputs,
                                                      const c10d::AllgatherOptions& options) {
  return observe(CollectiveKind::kAllgather, bytes_of(inputs), [&] { return network_->allgather(outputs, inputs, options); });
}

ObservingBackend::WorkPtr ObservingBackend::_allgather_base(at::Tensor& output, at::Tensor& input,
                                                            const c10d::AllgatherOptions& options) {
  return observe(CollectiveKind::kAllgather, bytes_of(input), [&] { return network_->_allgather_base(output, input, options); });
}

ObservingBackend::WorkPtr ObservingBackend::allgather_coalesced(TensorLists& outputs, Tensors& inputs,
                                                                const c10d::AllgatherOptions& options) {
  return observe(CollectiveKind::kAllgather, bytes_of(inputs),
                 [&] { return network_->allgather_coalesced(outputs, inputs, options); });
}

ObservingBackend::WorkPtr ObservingBackend::allgather_into_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                                                            const c10d::AllgatherOptions& options) {
  return observe(CollectiveKind::kAllgather, bytes_of(inputs),
                 [&] { return network_->allgather_into_tensor_coalesced(outputs, inputs, options); });
}

ObservingBackend::WorkPtr ObservingBackend::gather(TensorLists& outputs, Tensors& inputs, const c10d::GatherOptions& options) {
  return observe(
      CollectiveKind::kGather, bytes_of(inputs), [&] { return network_->gather(outputs, inputs, options); }, options.rootRank);
}

ObservingBackend::WorkPtr ObservingBackend::scatter(Tensors& outputs, TensorLists& inputs, const c10d::ScatterOptions& options) {
  const auto bytes = inputs.empty() ? bytes_of(outputs) : bytes_of(inputs);
  return observe(
      CollectiveKind::kScatter, bytes, [&] { return network_->scatter(outputs, inputs, options); }, options.rootRank);
}

ObservingBackend::WorkPtr ObservingBackend::reduce_scatter(Tensors& outputs, TensorLists& inputs,
                                                           const c10d::ReduceScatterOptions& options) {
  return observe(CollectiveKind::kReduceScatter, bytes_of(inputs),
                 [&] { return network_->reduce_scatter(outputs, inputs, options); });
}

ObservingBackend::WorkPtr ObservingBackend::_reduce_scatter_base(at::Tensor& output, at::Tensor& input,
                                                                 const c10d::ReduceScatterOptions& options) {
  return observe(CollectiveKind::kReduceScatter, bytes_of(input),
                 [&] { return network_->_reduce_scatter_base(output, input, options); });
}

ObservingBackend::WorkPtr ObservingBackend::reduce_scatter_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                                                            const c10d::ReduceScatterOptions& options) {
  return observe(CollectiveKind::kReduceScatter, bytes_of(inputs),
                 [&] { return network_->reduce_scatter_tensor_coalesced(outputs, inputs, options); });
}

ObservingBackend::WorkPtr ObservingBackend::alltoall_base(at::Tensor& output, at::Tensor& input, Sizes& output_sizes,
                                                          Sizes& input_sizes, const c10d::AllToAllOptions& options) {
  return observe(CollectiveKind::kAlltoall, bytes_of(input),
                 [&] { return network_->alltoall_base(output, input, output_sizes, input_sizes, options); });
}

ObservingBackend::WorkPtr ObservingBackend::alltoall(Tensors& outputs, Tensors& inputs, const c10d::AllToAllOptions& options) {
  return observe(CollectiveKind::kAlltoall, bytes_of(inputs), [&] { return network_->alltoall(outputs, inputs, options); });
}

ObservingBackend::WorkPtr ObservingBackend::send(Tensors& tensors, int to_rank, int tag) {
  return observe(CollectiveKind::kSend, bytes_of(tensors), [&] { return network_->send(tensors, to_rank, tag); });
}

ObservingBackend::WorkPtr ObservingBackend::recv(Tensors& tensors, int from_rank, int tag) {
  return observe(CollectiveKind::kReceive, bytes_of(tensors), [&] { return network_->recv(tensors, from_rank, tag); });
}

ObservingBackend::WorkPtr ObservingBackend::recvAnysource(Tensors& tensors, int tag) {
  return observe(CollectiveKind::kReceive, bytes_of(tensors), [&] { return network_->recvAnysource(tensors, tag); });
}

ObservingBackend::WorkPtr ObservingBackend::barrier(const c10d::BarrierOptions& options) {
  return observe(CollectiveKind::kBarrier, 0, [&] { return network_->barrier(options); });
}

// It has no Work: the call is the wait.
void ObservingBackend::monitoredBarrier(const c10d::BarrierOptions& options, bool wait_for_all) {
  own_heartbeat().call(CollectiveKind::kBarrier, 0);
  const auto issued_ns = wall_ns();
  network_->monitoredBarrier(options, wait_for_all);
  auto& record = log_.add(CollectiveKind::kBarrier, 0);
  record.issued_ns = issued_ns;
  record.returned = log_.now();
  record.waited_ns = std::max<std::int64_t>(1, record.returned.wall_ns - record.issued_ns);
  record.waited_in = own_heartbeat().phase.load(std::memory_order_relaxed);
  log_.complete(record, record.returned.wall_ns);
}

ObservingBackend::WorkPtr ObservingBackend::endCoalescing() {
  return observe(CollectiveKind::kCoalesced, 0, [&] { return network_->endCoalescing(); });
}

}  // namespace ddpbench
