#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// ~/.cache/ddpbench/bad-nodes.csv: the nodes that were slow or broken when they were looked at last. On a cluster the home is that of all nodes,
// so that `submit` on a login node knows what a job has found. "": there is no cache folder, and nothing is kept.
std::filesystem::path bad_nodes_path();

// A node is mended, or was slow because of a neighbour: what is older is not used.
inline constexpr int kBadNodesDays = 7;

// Those found since `since_utc` (ISO 8601). A file that cannot be read or is damaged costs the list alone: no error.
std::vector<KnownBadNode> known_bad_nodes(const std::string& since_utc);

// `looked_at`: nodes of which all that was known is replaced by what is in `found`.
void remember_bad_nodes(const std::vector<std::string>& looked_at, const std::vector<KnownBadNode>& found);

}  // namespace ddpbench
