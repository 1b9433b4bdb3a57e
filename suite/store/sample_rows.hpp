#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "suite/store/arm_order.hpp"
#include "suite/store/row_sequence.hpp"
#include "suite/store/row_values.hpp"

namespace ddpbench {

inline constexpr int kFirstWithRepeatedBlocks = 3;  // schema: earlier ones counted blocks in another way

// What the rows of one launch in one sample file have to be.
template <class Row>
class LaunchRows {
 public:
  LaunchRows(std::string launch_id, std::int64_t ranks) : launch_id_(std::move(launch_id)), ranks_(ranks) {}

  // The row comes behind those before it. "" where nothing is wrong.
  std::string problem_of(const Row& row, int schema_version) {
    if (row.launch_id != launch_id_) return "is of launch " + row.launch_id;
    if (row.rank >= ranks_) return "rank " + std::to_string(row.rank) + " of " + std::to_string(ranks_);
    auto problem = value_problem(row);
    if (problem.empty()) problem = time_problem(row);
    if (problem.empty() && schema_version >= kFirstWithRepeatedBlocks) problem = sequence_.problem_of(row);
    if (problem.empty() && schema_version >= kFirstWithRepeatedBlocks) problem = order_.problem_of(row);
    return problem;
  }

 private:
  static std::string time_problem(const StepRow& row) {
    return row.super_block == 0 || row.step_s > 0 ? "" : "column step_s: must be above 0";
  }
  static std::string time_problem(const BlockRow& row) { return row.wall_s > 0 ? "" : "column wall_s: must be above 0"; }

  std::string launch_id_;
  std::int64_t ranks_;
  RowSequence<Row> sequence_;
  ArmOrder order_;
};

}  // namespace ddpbench
