#pragma once
#include <span>
#include <string>
#include <vector>

#include "reports/analysis/findings/network/slow_nodes.hpp"

namespace ddpbench {

// Holds what a check of the nodes tells a person.
struct NodeAnswer {
  std::string table;         // a line for each node, those that are well only as far as they can be read; "" without rows
  std::vector<BadNode> bad;  // by the nodes' order
};

// Judges the checks of the nodes; empty where none was comparable.
NodeAnswer node_answer(std::span<const NodeCheckRow> rows);

}  // namespace ddpbench
