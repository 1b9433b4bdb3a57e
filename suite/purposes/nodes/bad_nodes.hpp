#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// Returns ~/.cache/ddpbench/bad-nodes.csv: the nodes that were slow or broken when they were looked at last. On a cluster the
// home is that of all nodes, so that `submit` on a login node knows what a job has found. "": there is no cache folder, and
// nothing is kept.
std::filesystem::path bad_nodes_path();

// Bounds the age of what is used: a node is mended, or was slow because of a neighbour.
inline constexpr int kBadNodesDays = 7;

// Returns those found since `since_utc` (ISO 8601). A file that cannot be read or is damaged costs the list alone: no error.
std::vector<KnownBadNode> known_bad_nodes(const std::string& since_utc);

// Replaces all that was known of the nodes `looked_at` by what is in `found`.
void remember_bad_nodes(const std::vector<std::string>& looked_at, const std::vector<KnownBadNode>& found);

}  // namespace ddpbench
