#pragma once
#include <memory>
#include <string>

#include "harness/api/workload.hpp"

namespace ddpbench {

// One rank's batches of a CIFAR training set, normalised by the set's channel means and deviations. Each epoch is a new permutation drawn
// from seed + epoch and dealt out to the ranks in turn (DistributedSampler's rule); an incomplete last batch is left out.
// Throws UsageError where request.data does not hold the set, or the set is smaller than one global batch.
std::unique_ptr<BatchCursor> make_cifar_cursor(const WorkloadRequest& request, const std::string& dataset);

}  // namespace ddpbench
