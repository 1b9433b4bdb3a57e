#pragma once
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "reports/analysis/answer/node_answer.hpp"
#include "suite/purposes/nodes/node_check.hpp"

namespace ddpbench {

inline constexpr const char* kNoPreflightOption = "--no-preflight";  // of every command that checks nodes first
inline constexpr const char* kNoPreflightHelp = "do not look for slow and broken nodes first";

// Holds what a look at nodes has found.
struct NodeCheckReport {
  CheckedNodes checked;
  NodeAnswer answer;  // its bad nodes: those that were left out as well
};

// Checks the nodes and judges them. Says on standard error that it does.
NodeCheckReport check_and_judge_nodes(const NodeCheckSetup& setup);

// Prints a line for each node, the slow and the broken in words, and what could not be measured.
void print_nodes(const NodeCheckReport& look, std::ostream& out);

// Returns the nodes of which it says something: those that were compared, and those that broke.
std::vector<std::string> looked_at(const NodeCheckReport& look);

// Notes for the next `submit` that `looked_at` are well but for those in `bad`. `results`: the folder, where there is one.
void remember_nodes(const std::vector<std::string>& looked_at, std::span<const BadNode> bad, const std::string& results);

// Notes the same of a look, but for one whose ranks ran under a profiler: what they took is not the nodes' alone.
void remember_look(const NodeCheckReport& look, const std::string& results);

}  // namespace ddpbench
