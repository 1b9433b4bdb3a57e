#pragma once
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "suite/contract/launch/discarded_steps.hpp"
#include "suite/contract/tables/rows.hpp"
#include "suite/store/arm_order.hpp"
#include "suite/store/row_values.hpp"

namespace ddpbench {

// Checks in which order the rows of a launch stand, rank by rank: blocks in the order in which they ran, each once, and in a
// block its steps one after the other, from a discarded one (step 0 or below). Rows that were doubled, moved, lost in the middle
// or given to another rank break it. One per launch and file.
template <class Row>
class RowSequence;

template <>
class RowSequence<BlockRow> {
 public:
  // Says what is wrong with the row; "" where nothing is.
  std::string problem_of(const BlockRow& row) {
    auto& last = last_block_[row.rank];
    const auto before = last;
    last = row.block;
    if (row.block > before) return "";
    return "block " + std::to_string(row.block) + " of rank " + std::to_string(row.rank) + " comes after block " +
           std::to_string(before);
  }

 private:
  std::map<std::int64_t, std::int64_t> last_block_;  // by rank
};

template <>
class RowSequence<StepRow> {
 public:
  RowSequence() = default;
  RowSequence(RowSequence&&) = default;  // a copy's last_ would point into the other
  RowSequence& operator=(RowSequence&&) = default;
  std::string problem_of(const StepRow& row) {
    if (row.super_block == 0) return "";  // the equal-work check
    if (last_ == nullptr || row.rank != last_rank_) last_ = &places_[row.rank];
    last_rank_ = row.rank;
    const auto before = *last_;
    *last_ = {row.block, row.step};
    const bool goes_on = row.block == before.block && row.step == before.step + 1;
    const bool begins = row.block > before.block && row.step <= 0 && row.step >= kFirstDiscardedStep;
    if (goes_on || begins) return "";
    return place(row.block, row.step) + " of rank " + std::to_string(row.rank) + " comes after " +
           place(before.block, before.step);
  }

 private:
  struct Place {
    std::int64_t block = 0, step = 0;
  };
  static std::string place(std::int64_t block, std::int64_t step) {
    return "step " + std::to_string(step) + " of block " + std::to_string(block);
  }
  std::map<std::int64_t, Place> places_;  // of each rank's last row
  Place* last_ = nullptr;                 // of the rank that the last row was of: its rows stand together
  std::int64_t last_rank_ = -1;
};

// Checks the rows of one launch in one sample file.
template <class Row>
class LaunchRows {
 public:
  LaunchRows(std::string launch_id, std::int64_t ranks) : launch_id_(std::move(launch_id)), ranks_(ranks) {}

  // Says what is wrong with the row, which comes behind those before it; "" where nothing is.
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
