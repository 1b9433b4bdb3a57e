#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "harness/api/agreement.hpp"
#include "harness/probe/collective_log.hpp"
#include "harness/ranks/rank_info.hpp"

namespace ddpbench {

// The ranks of one launch, met: the measured process group behind its observing decorator, and the channel on which ranks agree.
// One per rank, owned by worker_main.
class RankGroup {
 public:
  // Collective. Throws UsageError for an unknown backend, Error where the ranks do not meet within the timeout.
  static std::unique_ptr<RankGroup> meet(const RankInfo& info, const std::string& backend, std::chrono::milliseconds timeout);
  ~RankGroup();

  const c10::intrusive_ptr<c10d::ProcessGroup>& process_group() const { return process_group_; }
  Agreement& agreement() { return *agreement_; }
  CollectiveLog& log() { return *log_; }

 private:
  RankGroup() = default;
  c10::intrusive_ptr<c10d::Store> store_;
  std::unique_ptr<CollectiveLog> log_;  // outlives the group's threads, which stamp it
  c10::intrusive_ptr<c10d::ProcessGroup> process_group_;
  std::unique_ptr<Agreement> agreement_;
};

}  // namespace ddpbench
