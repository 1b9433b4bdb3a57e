#include "harness/ranks/collective_runners.hpp"

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <utility>

#include "harness/ranks/mpi_module.hpp"
#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using WorkPtr = c10::intrusive_ptr<c10d::Work>;

WorkPtr begin_on(c10d::Backend& backend, Collective kind, CollectiveBuffers& buffers) {
  std::vector<at::Tensor> tensors;
  std::vector<std::int64_t> even;
  switch (kind) {
    case Collective::kAllReduce: tensors = {buffers.input}; return backend.allreduce(tensors);
    case Collective::kBroadcast: tensors = {buffers.input}; return backend.broadcast(tensors);
    case Collective::kAllGather: return backend._allgather_base(buffers.output, buffers.input);
    case Collective::kReduceScatter: return backend._reduce_scatter_base(buffers.output, buffers.input);
    case Collective::kAllToAll: return backend.alltoall_base(buffers.output, buffers.input, even, even);
    case Collective::kBarrier: break;
  }
  return backend.barrier();
}

// As training calls them.
class BackendRunner final : public CollectiveRunner {
 public:
  BackendRunner(c10::intrusive_ptr<c10d::Backend> backend, c10::intrusive_ptr<c10d::ProcessGroup> group)
      : backend_(std::move(backend)), group_(std::move(group)) {}

  void begin(Collective kind, CollectiveBuffers& buffers) override { works_.push_back(begin_on(*backend_, kind, buffers)); }
  void wait() override {
    for (const auto& work : works_) work->wait();
    works_.clear();
  }
  void close() override { backend_->shutdown(); }
  const c10::intrusive_ptr<c10d::ProcessGroup>& group() const { return group_; }

 private:
  c10::intrusive_ptr<c10d::Backend> backend_;
  c10::intrusive_ptr<c10d::ProcessGroup> group_;
  std::vector<WorkPtr> works_;
};

// As many bytes as the larger buffer has, read and written once.
class CopyRunner final : public CollectiveRunner {
 public:
  void begin(Collective /*kind*/, CollectiveBuffers& buffers) override {
    const bool gathers = buffers.output.defined() && buffers.output.nbytes() > buffers.input.nbytes();
    const auto& source = gathers ? buffers.output : buffers.input;
    if (target_.numel() < source.numel() || target_.device() != source.device()) target_ = at::zeros_like(source);
    target_.narrow(0, 0, source.numel()).copy_(source);
  }
  void wait() override {}

 private:
  at::Tensor target_ = at::empty({0});
};

class NoRunner final : public CollectiveRunner {
 public:
  void begin(Collective /*kind*/, CollectiveBuffers& /*buffers*/) override {}
  void wait() override {}
};

BackendRequest own_request(const CollectiveArm& arm, const BackendFactory& entry, const BackendRequest& launch) {
  auto request = launch;
  request.store = c10::make_intrusive<c10d::PrefixStore>("collectives/" + std::string(arm.name), launch.store);
  for (const auto& option : entry.options) request.options.try_emplace(option.name, option.default_value);
  if (!arm.option.empty()) request.options[std::string(arm.option)] = arm.value;
  return request;
}

std::unique_ptr<CollectiveRunner> make_backend_way(const CollectiveArm& arm, const BackendRequest& request) {
  const auto& entry = usable_backend(arm.backend);
  if (entry.device_type() != request.device.type())
    throw UsageError("backend '" + entry.name +
                     "': its tensors lie on another kind of device than those of the launch's backend; compare them apart");
  const auto own = own_request(arm, entry, request);
  auto backend = entry.make(own);
  auto group = process_group_on(entry, own, backend);
  return std::make_unique<BackendRunner>(std::move(backend), std::move(group));
}

}  // namespace

std::unique_ptr<CollectiveRunner> make_collective_runner(const CollectiveArm& arm, const BackendRequest& request) {
  if (arm.name == kCopyArm) return std::make_unique<CopyRunner>();
  if (is_step_arm(arm.name)) return std::make_unique<NoRunner>();
  if (arm.call == LibraryCall::kNone) return make_backend_way(arm, request);
  return mpi_module().make_bare(arm.call == LibraryCall::kBlocking, static_cast<int>(request.info.rank));
}

c10::intrusive_ptr<c10d::ProcessGroup> process_group_of(const CollectiveRunner& runner) {
  const auto* backend = dynamic_cast<const BackendRunner*>(&runner);
  return backend == nullptr ? nullptr : backend->group();
}

}  // namespace ddpbench
