#pragma once
#include <functional>
#include <span>
#include <vector>

#include "reports/analysis/findings/network/collective_findings.hpp"
#include "suite/contract/vocabulary/collectives.hpp"

namespace ddpbench {

// Returns when the last of these buckets is through, microseconds from the step's begin: each is sent as soon as it is full and
// the one before it is through. Takes the buckets in the order in which a backward fills them.
double end_of_buckets_us(std::span<const FilledBucket> buckets, const std::function<double(std::int64_t bytes)>& message_us);

// Fills predicted_us, where the arm's all_reduce was measured by size: a message's time and CPU time lie on the straight line
// between the two sizes around its own. Of a bucket sequence: its messages' times, added. Of a step: one on the ideal network,
// and what of its buckets is not through when the last is handed over; but no less than the CPU time of that step and of its
// messages takes on the cores that a rank has. `cores_per_node`: NaN where it is not known.
void add_predictions(std::span<const CollectiveSampleRow> samples, double cores_per_node, std::vector<CollectiveRow>& rows);

}  // namespace ddpbench
