#include "harness/ranks/rank_group.hpp"

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>

#include "harness/ranks/backends.hpp"
#include "harness/ranks/connection_peers.hpp"
#include "harness/ranks/cuda_module.hpp"
#include "harness/ranks/group_collectives.hpp"
#include "harness/ranks/observing_backend.hpp"
#include "harness/ranks/rendezvous_store.hpp"
#include "harness/ranks/store_agreement.hpp"
#include "suite/contract/heartbeat.hpp"

namespace ddpbench {
namespace {

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
  group->agreement_ = std::make_unique<StoreAgreement>(group->store_, info.rank, info.world_size);
  const auto devices = group->agreement_->all_gather(group->device_uuid_);  // every rank has taken its peers' connections now
  if (const auto why = why_shared(devices); !why.empty()) throw UsageError(why);
  require_own_peers();
  return group;
}

// Before anything else asks LibTorch for its CUDA part (cuda_module.hpp).
void RankGroup::take_device(const BackendEntry& entry, const RankInfo& info) {
  if (entry.device != at::kCUDA) return;
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
  agreement_->leave();
  process_group_->shutdown();
}

c10::intrusive_ptr<c10d::Backend> RankGroup::backend() const { return backend_; }

Network& RankGroup::network() { return *backend_; }

RankGroup::~RankGroup() = default;

}  // namespace ddpbench
