#pragma once
#include <memory>

#include "harness/api/workload.hpp"
#include "suite/formats/data_set.hpp"
#include "workloads/data/data_options.hpp"

namespace ddpbench {

// Makes the cursor of one rank's batches of a data set's training images, normalised by the set's channel means and deviations.
// The set is dealt out as DistributedSampler does, anew in each epoch; what a batch holds follows from the launch's seed, the
// rank and the position alone. Throws UsageError where request.data does not hold the set, or a rank's images are fewer than one
// batch; next() throws Error where a file cannot be read any more.
std::unique_ptr<BatchCursor> make_image_cursor(const WorkloadRequest& request, const DataSet& set, const DataOptions& options);

}  // namespace ddpbench
