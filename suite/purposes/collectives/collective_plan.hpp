#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suite/contract/launch/launch_spec.hpp"
#include "suite/plan/plan.hpp"

namespace ddpbench {

// Says what a user wants of `ddpbench collectives`, in the words of its options. Lists are comma-separated.
struct CollectivesRequest {
  std::string backends;               // "": nccl where there are GPUs, else gloo and mpi
  std::string nodes, ranks_per_node;  // "": all nodes of the job; a rank for each GPU, else 2
  std::string collectives;            // "": all; "none": bucket sequences alone
  std::string workload, bucket_caps;  // whose gradients, in which buckets; workload "": none. Caps "": 1, 4, 25 and DDP's own
  std::int64_t batch_size = 0;        // of a rank: the workload's step is measured too, in each bucket size; 0: its buckets alone
  std::int64_t least_bytes = 4, most_bytes = std::int64_t{256} << 20, factor = 4;
  std::int64_t launches = 1;
  double seconds = 0;        // of a launch; 0: by the number of its cases
  bool only_checks = false;  // results, and times of the fewest rounds
};

// Bounds `seconds` as max_seconds_per_launch is bounded.
inline constexpr double kFewestCollectiveSeconds = 0.1, kMostCollectiveSeconds = 1e6;

// Holds the launches of a request, and what of it cannot run.
struct CollectivePlan {
  std::vector<LaunchSpec> launches;  // complete but for part_dir; one for each repetition and number of ranks
  std::vector<std::string> skips;    // what is not possible, with its reason
};

// Plans the launches on `nodes`, the number of the job's. Throws UsageError for what is no list of its kind, a name that is
// unknown, and where nothing is left to measure.
CollectivePlan plan_collectives(const CollectivesRequest& request, const Vocabulary& vocabulary, const Availability& availability,
                                std::int64_t nodes);

// Writes a plan with launches as experiment.toml: what was measured, to be read beside the samples.
std::string experiment_text(const CollectivePlan& plan);

// Returns the words of a comma-separated list; none is empty. Throws UsageError for a word that stands there twice.
std::vector<std::string> parse_list(const std::string& list);

}  // namespace ddpbench
