#include "harness/ranks/rank_group.hpp"

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <utility>
#include <vector>

#include "harness/api/rank_collectives.hpp"
#include "harness/ranks/backends.hpp"
#include "harness/ranks/connection_peers.hpp"
#include "harness/ranks/cuda_module.hpp"
#include "harness/ranks/observing_backend.hpp"
#include "harness/ranks/rendezvous_store.hpp"
#include "harness/ranks/store_control_channel.hpp"
#include "suite/contract/processes/heartbeat.hpp"

namespace ddpbench {
namespace {

// A mean is a sum here, and divided afterwards: gloo has no mean of its own.
c10d::ReduceOp operation_of(Reduction how) {
  switch (how) {
    case Reduction::kMin: return c10d::ReduceOp::MIN;
    case Reduction::kMax: return c10d::ReduceOp::MAX;
    case Reduction::kSum:
    case Reduction::kMean: break;
  }
  return c10d::ReduceOp::SUM;
}

// Some backends return no Work where the result is there already.
void finish(const c10::intrusive_ptr<c10d::Work>& work) {
  if (work) work->wait();
}

// Collectives of a process group; a group of one rank is asked like any other. One per group.
class GroupCollectives final : public Collectives {
 public:
  explicit GroupCollectives(c10::intrusive_ptr<c10d::ProcessGroup> group) : group_(std::move(group)) {}

  std::int64_t rank() const override { return group_->getRank(); }
  std::int64_t world_size() const override { return group_->getSize(); }
  void broadcast(at::Tensor& tensor, std::int64_t from_rank) override;
  void all_reduce(at::Tensor& tensor, Reduction how) override;
  at::Tensor all_gather(const at::Tensor& mine) override;
  void barrier() override;
  void swap_with(at::Tensor& tensor, std::int64_t peer) override;

 private:
  c10::intrusive_ptr<c10d::ProcessGroup> group_;
};

void GroupCollectives::broadcast(at::Tensor& tensor, std::int64_t from_rank) {
  const torch::NoGradGuard no_grad;
  std::vector<at::Tensor> tensors{tensor};
  c10d::BroadcastOptions options;
  options.rootRank = from_rank;
  finish(group_->broadcast(tensors, options));
}

void GroupCollectives::all_reduce(at::Tensor& tensor, Reduction how) {
  const torch::NoGradGuard no_grad;
  std::vector<at::Tensor> tensors{tensor};
  c10d::AllreduceOptions options;
  options.reduceOp = operation_of(how);
  finish(group_->allreduce(tensors, options));
  if (how == Reduction::kMean) tensor.div_(world_size());
}

at::Tensor GroupCollectives::all_gather(const at::Tensor& mine) {
  const torch::NoGradGuard no_grad;
  std::vector<at::Tensor> inputs{mine.contiguous()};
  std::vector<std::vector<at::Tensor>> outputs(1);
  for (std::int64_t rank = 0; rank < world_size(); ++rank) outputs.front().push_back(at::empty_like(inputs.front()));
  finish(group_->allgather(outputs, inputs));
  return at::stack(outputs.front());
}

void GroupCollectives::barrier() { finish(group_->barrier()); }

// The smaller rank speaks first: where both did, a backend that waits for its receiver would wait for ever.
void GroupCollectives::swap_with(at::Tensor& tensor, std::int64_t peer) {
  const torch::NoGradGuard no_grad;
  std::vector<at::Tensor> mine{tensor}, other{at::empty_like(tensor)};
  const auto to = static_cast<int>(peer);
  const auto send = [&] { finish(group_->send(mine, to, 0)); };
  const auto receive = [&] { finish(group_->recv(other, to, 0)); };
  if (rank() < peer) {
    send();
    receive();
  } else {
    receive();
    send();
  }
  tensor.copy_(other.front());
}

constexpr std::size_t kLoggedCollectives = 8192;  // of one block; ResNet50 issues about 10 a step

void tell_driver(std::chrono::milliseconds timeout) {
  own_heartbeat().waits_ms.store(timeout.count(), std::memory_order_relaxed);
}

}  // namespace

std::unique_ptr<RankGroup> RankGroup::rendezvous(const RankInfo& info, const std::string& backend,
                                                 std::chrono::milliseconds timeout,
                                                 const std::map<std::string, std::string>& options) {
  const auto& entry = usable_backend(backend);
  std::unique_ptr<RankGroup> group(new RankGroup);
  group->take_device(entry, info);
  group->store_ = open_store(info, timeout);
  group->log_ = std::make_unique<CollectiveLog>(kLoggedCollectives);
  const auto backend_store = c10::make_intrusive<c10d::PrefixStore>("measured", group->store_);
  const BackendRequest request{backend_store, info, timeout, group->device_, options};
  group->backend_ = c10::make_intrusive<ObservingBackend>(entry.make(request), *group->log_);
  group->process_group_ = process_group_on(entry, request, group->backend_);
  tell_driver(timeout);
  group->collectives_ = std::make_unique<GroupCollectives>(group->process_group_);
  group->control_channel_ = std::make_unique<StoreControlChannel>(group->store_, info.rank, info.world_size);
  const auto devices =
      group->control_channel_->all_gather(group->device_uuid_);  // every rank has taken its peers' connections now
  if (const auto why = why_shared(devices); !why.empty()) throw UsageError(why);
  require_own_peers();
  return group;
}

// Before anything else asks LibTorch for its CUDA part (cuda_module.hpp).
void RankGroup::take_device(const BackendFactory& entry, const RankInfo& info) {
  if (entry.device_type() != at::kCUDA) return;
  const auto driver = read_cuda_driver();
  const auto index = choose_device(info.local_rank, driver);
  device_uuid_ = driver.devices.at(static_cast<std::size_t>(index)).uuid;
  accelerator_ = cuda_module().make_accelerator(index);
  device_ = at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(index));
}

void RankGroup::wait_at_most(std::chrono::milliseconds timeout) {
  store_->setTimeout(timeout);
  if (backend_->wait_at_most(timeout)) tell_driver(timeout);
}

void RankGroup::leave() {
  control_channel_->leave();
  process_group_->shutdown();
}

c10::intrusive_ptr<c10d::Backend> RankGroup::backend() const { return backend_; }

Network& RankGroup::network() { return *backend_; }

RankGroup::~RankGroup() = default;

}  // namespace ddpbench
