#pragma once
#include <span>
#include <string>
#include <vector>

#include "reports/analysis/answer/analysis_result.hpp"
#include "reports/analysis/findings/network/collective_findings.hpp"

namespace ddpbench {

// Says what the rows show, a sentence each: wrong results first; then of each number of ranks how each backend's all-reduce
// compares with the bare library (or with the first backend), small and large; then which backend moves a model's buckets
// fastest.
std::vector<std::string> collective_sentences(std::span<const CollectiveRow> rows);

// Says what that rests on: launches, blocks, and what the reference measured twice differs by. A phrase each.
std::vector<std::string> collective_sureness(std::span<const CollectiveRow> rows);

// Returns the time of each case by each arm but controls, with its interval.
std::vector<Fom> collective_foms(std::span<const CollectiveRow> rows);

// Writes them for the terminal: nccl-tests' columns, and beside them the speed against the reference.
std::string collective_table_text(std::span<const CollectiveRow> rows);

}  // namespace ddpbench
