#pragma once
#include <string>
#include <vector>

#include "suite/contract/rows.hpp"

namespace ddpbench {

// collectives_samples.csv of a results folder: what launches of purpose `collectives` measured, block by block. It stands beside what the
// manifest holds, as node_checks.csv does; rows of a launch that failed are those of the cases that were through.
inline constexpr const char* kCollectiveSampleFile = "collectives_samples.csv";

// None where there is no such file. Throws UsageError where it cannot be read.
std::vector<CollectiveSampleRow> read_collective_samples(const std::string& folder);

// Behind those that are there, in the place of an earlier attempt's at the same launches; by rename.
void add_collective_samples(const std::string& folder, const std::vector<CollectiveSampleRow>& rows);

}  // namespace ddpbench
