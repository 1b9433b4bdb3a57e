#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/api/accelerator.hpp"
#include "harness/api/agreement.hpp"
#include "harness/api/collective_way.hpp"
#include "harness/measure/part_writer.hpp"
#include "harness/measure/progress_line.hpp"
#include "suite/contract/collectives.hpp"
#include "suite/contract/launch_spec.hpp"

namespace ddpbench {

// A forward and a backward of the launch's workload, again and again on the same weights. Collective where its gradients are.
class RepeatedStep {
 public:
  virtual ~RepeatedStep() = default;
  virtual void run() = 0;
  virtual std::int64_t wrong_elements() = 0;  // of the gradients of the last run
};

// What a launch of purpose `collectives` works with. All of it outlives the run.
struct CollectiveRunSetup {
  const LaunchSpec& spec;
  std::int64_t rank;
  at::Device device;
  Accelerator* accelerator;  // of `device`; null on the CPU
  Agreement& agreement;
  PartWriter& writer;
  ProgressLine& progress;
  const std::vector<std::unique_ptr<CollectiveWay>>& ways;  // of spec.arms, in their order
  // Bytes of the buckets of the launch's workload, in the order in which a backward fills them.
  std::function<std::vector<std::int64_t>(const std::string& bucket_cap)> bucket_bytes;
  // Of a step of arm `ideal` in such buckets; empty where the host's clock cannot tell (a device). Collective.
  std::function<std::vector<FilledBucket>(const std::string& bucket_cap)> filled_buckets;
  // Of the arm at that place of spec.arms, its gradients in such buckets; null where the arm takes no part. Collective.
  std::function<std::shared_ptr<RepeatedStep>(std::size_t arm, const std::string& bucket_cap)> make_step;
};

// Measures every case of the launch by each of its arms: the arms' results are checked; then, round by round, each arm runs a block of the same
// number of repetitions on the same buffers, in a drawn order, behind repetitions that do not count; then results are checked again. Bucket
// sequences that follow each other share their rounds, so that they can be compared too, and so do steps. Rank 0
// writes the rows of all ranks when a case is through. A case that is too small for the ranks (less than an element for each) has none. All
// ranks make the call.
void run_collectives(const CollectiveRunSetup& setup);

}  // namespace ddpbench
