#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/api/collective_runner.hpp"
#include "harness/launch/rank_launch.hpp"
#include "harness/purposes/collectives/collective_run.hpp"

namespace ddpbench {

class StepOfWorkload;
class StepOnIdealNetwork;

// Makes the steps of a launch of purpose `collectives`: forward and backward of its workload, alone, over DDP, and over DDP on an
// ideal network. Their models share their weights, which no step changes; each has gradients and buckets of its own.
class CollectiveSteps final : public BucketedWorkload {
 public:
  CollectiveSteps(RankLaunch& launch, const std::vector<std::unique_ptr<CollectiveRunner>>& runners);
  ~CollectiveSteps() override;
  CollectiveSteps(const CollectiveSteps&) = delete;
  CollectiveSteps& operator=(const CollectiveSteps&) = delete;

  std::vector<std::int64_t> bucket_bytes(const std::string& bucket_cap) override;
  std::vector<FilledBucket> filled_buckets(const std::string& bucket_cap) override;
  std::shared_ptr<RepeatedStep> make_step(std::size_t arm, const std::string& bucket_cap) override;

 private:
  std::shared_ptr<StepOfWorkload> alone(const std::string& arm);
  std::shared_ptr<StepOnIdealNetwork> ideal(const std::string& bucket_cap);
  std::shared_ptr<StepOfWorkload> over_ddp(const std::string& bucket_cap, const c10::intrusive_ptr<c10d::ProcessGroup>& group);
  std::shared_ptr<StepOfWorkload> step_with(std::unique_ptr<Strategy> strategy);
  const std::vector<at::Tensor>& weights();   // made once: a model's values take longer than the rest of it
  const std::vector<at::Tensor>& expected();  // gradients

  RankLaunch& launch_;
  const std::vector<std::unique_ptr<CollectiveRunner>>& runners_;
  std::vector<at::Tensor> weights_, expected_;
  std::map<std::string, std::shared_ptr<StepOfWorkload>> alone_;      // by arm
  std::map<std::string, std::shared_ptr<StepOnIdealNetwork>> ideal_;  // by bucket size
};

}  // namespace ddpbench
