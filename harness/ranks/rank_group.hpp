#pragma once
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "harness/api/accelerator.hpp"
#include "harness/api/control_channel.hpp"
#include "harness/api/network.hpp"
#include "harness/api/rank_collectives.hpp"
#include "harness/probe/collective_log.hpp"
#include "suite/contract/processes/rank_info.hpp"

namespace ddpbench {

class ObservingBackend;
struct BackendFactory;

// Holds the ranks of one launch, met: the measured process group behind its observing decorator, and the channel on which ranks
// agree. There is one per rank, owned by its RankLaunch.
class RankGroup {
 public:
  // Lets the ranks meet. Collective. Throws UsageError for an unknown backend and for a rank without a device of its own,
  // CannotRun where this machine does not have the backend, Error where the ranks do not meet within the timeout.
  static std::unique_ptr<RankGroup> rendezvous(const RankInfo& info, const std::string& backend,
                                               std::chrono::milliseconds timeout,
                                               const std::map<std::string, std::string>& options = {});
  ~RankGroup();

  const c10::intrusive_ptr<c10d::ProcessGroup>& process_group() const { return process_group_; }
  // Returns the measured backend behind its decorator; with the store of the launch it makes a second process group on the same
  // collectives.
  c10::intrusive_ptr<c10d::Backend> backend() const;
  const c10::intrusive_ptr<c10d::Store>& store() const { return store_; }
  ControlChannel& control_channel() { return *control_channel_; }
  CollectiveLog& log() { return *log_; }
  Network& network();
  Collectives& collectives() { return *collectives_; }       // over the measured process group, also where it has one rank
  at::Device device() const { return device_; }              // what this rank trains on
  Accelerator* accelerator() { return accelerator_.get(); }  // null where that is the CPU

  // Limits how long a collective, and a question of the control channel, waits for peers from now on. To be called while none is under
  // way.
  void wait_at_most(std::chrono::milliseconds timeout);

  // Waits for the peers of a rank that is done, then closes the backend's communicators: the last call.
  void leave();

 private:
  RankGroup() = default;
  void take_device(const BackendFactory& entry, const RankInfo& info);
  at::Device device_ = at::kCPU;
  std::unique_ptr<Accelerator> accelerator_;
  std::string device_uuid_;
  c10::intrusive_ptr<c10d::Store> store_;
  std::unique_ptr<CollectiveLog> log_;  // outlives the group's threads, which stamp it
  c10::intrusive_ptr<c10d::ProcessGroup> process_group_;
  c10::intrusive_ptr<ObservingBackend> backend_;
  std::unique_ptr<Collectives> collectives_;
  std::unique_ptr<ControlChannel> control_channel_;
};

}  // namespace ddpbench
