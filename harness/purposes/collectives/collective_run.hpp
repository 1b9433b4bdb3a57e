#pragma once
#include <memory>
#include <string>
#include <vector>

#include "harness/api/collective_runner.hpp"
#include "harness/launch/rank_launch.hpp"
#include "suite/contract/vocabulary/collectives.hpp"

namespace ddpbench {

// Runs a forward and a backward of the launch's workload, again and again on the same weights. Collective where its gradients
// are.
class RepeatedStep {
 public:
  virtual ~RepeatedStep() = default;
  virtual void run() = 0;
  virtual std::int64_t wrong_elements() = 0;  // of the gradients of the last run
};

// Gives the launch's workload, its gradients in buckets of a size. All calls but bucket_bytes are collective.
class BucketedWorkload {
 public:
  virtual ~BucketedWorkload() = default;
  // Returns the bytes of each bucket, in the order in which a backward fills them.
  virtual std::vector<std::int64_t> bucket_bytes(const std::string& bucket_cap) = 0;
  // Returns the buckets of a step of arm `ideal`, and when it fills them; empty where the host's clock cannot tell (a device).
  virtual std::vector<FilledBucket> filled_buckets(const std::string& bucket_cap) = 0;
  // Makes the step of the arm at that place of the launch's; null where it takes no part.
  virtual std::shared_ptr<RepeatedStep> make_step(std::size_t arm, const std::string& bucket_cap) = 0;
};

// Holds what is measured. All of it outlives the run.
struct CollectiveRunSetup {
  RankLaunch& launch;
  const std::vector<std::unique_ptr<CollectiveRunner>>& runners;  // of the launch's arms, in their order
  BucketedWorkload& workload;
};

// Measures every case of the launch by each of its arms: the arms' results are checked; then, round by round, each arm runs a
// block of the same number of repetitions on the same buffers, in a drawn order, behind repetitions that do not count; then
// results are checked again. Bucket sequences that follow each other share their rounds, so that they can be compared too, and so
// do steps. Rank 0 writes the rows of all ranks when a case is through. A case that is too small for the ranks (less than an
// element for each) has none. All ranks make the call.
void run_collectives(const CollectiveRunSetup& setup);

}  // namespace ddpbench
