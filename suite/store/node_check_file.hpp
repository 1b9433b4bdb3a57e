#pragma once
#include <string>
#include <vector>

#include "suite/contract/rows.hpp"

namespace ddpbench {

// node_checks.csv of a results folder: what the nodes could do before the sweep, by each run and resumption of it. It stands beside what the
// manifest holds, for it is written before there is anything to commit; no estimate is made of it.
inline constexpr const char* kNodeCheckFile = "node_checks.csv";

// None where there is no such file. Throws UsageError for one that cannot be read.
std::vector<NodeCheckRow> read_node_checks(const std::string& folder);

// Behind those that are there. Throws Error with the system's reason.
void add_node_checks(const std::string& folder, const std::vector<NodeCheckRow>& rows);

}  // namespace ddpbench
