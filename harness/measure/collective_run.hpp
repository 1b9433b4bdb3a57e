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
#include "suite/contract/launch_spec.hpp"

namespace ddpbench {

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
};

// Measures every case of the launch by each of its arms: the arms' results are checked; then, round by round, each arm runs a block of the same
// number of repetitions on the same buffers, in a drawn order, behind repetitions that do not count; then results are checked again. Bucket
// sequences that follow each other share their rounds, so that they can be compared too. Rank 0
// writes the rows of all ranks when a case is through. A case that is too small for the ranks (less than an element for each) has none. All
// ranks make the call.
void run_collectives(const CollectiveRunSetup& setup);

}  // namespace ddpbench
