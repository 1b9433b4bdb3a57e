#pragma once
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "suite/store/arm_order.hpp"
#include "suite/store/row_sequence.hpp"
#include "suite/store/row_values.hpp"

namespace ddpbench {

// What the rows of one launch in one sample file have to be.
template <class Row>
class LaunchRows {
 public:
  LaunchRows(std::string launch_id, std::int64_t ranks) : launch_id_(std::move(launch_id)), ranks_(ranks) {}

  // The row comes behind those before it. "" where nothing is wrong.
  std::string problem_of(const Row& row) {
    if (row.launch_id != launch_id_) return "is of launch " + row.launch_id;
    if (row.rank >= ranks_) return "rank " + std::to_string(row.rank) + " of " + std::to_string(ranks_);
    auto problem = value_problem(row);
    if (problem.empty()) problem = time_problem(row);
    if (problem.empty()) problem = sequence_.problem_of(row);
    if (problem.empty()) problem = order_.problem_of(row);
    return problem;
  }

 private:
  // The steps of an arm without timers have no times, none of them.
  std::string time_problem(const StepRow& row) {
    if (row.super_block == 0) return "";
    const bool is_timed = !std::isnan(row.step_s);
    if (of_last_ == nullptr || row.arm != last_arm_) of_last_ = &is_timed_.try_emplace(row.arm, is_timed).first->second;
    last_arm_ = row.arm;
    if (*of_last_ != is_timed) return "column step_s: some steps of " + row.arm + " have a time, and some have none";
    return !is_timed || row.step_s > 0 ? "" : "column step_s: must be above 0";
  }
  std::string time_problem(const BlockRow& row) { return row.wall_s > 0 ? "" : "column wall_s: must be above 0"; }

  std::map<std::string, bool> is_timed_;  // by arm
  const bool* of_last_ = nullptr;         // of the arm of the last row: rows of an arm stand together
  std::string last_arm_;
  std::string launch_id_;
  std::int64_t ranks_;
  RowSequence<Row> sequence_;
  ArmOrder order_;
};

}  // namespace ddpbench
