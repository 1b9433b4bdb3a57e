#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "suite/contract/discarded_steps.hpp"
#include "suite/contract/rows.hpp"

namespace ddpbench {

// In which order the rows of a launch stand, rank by rank: blocks in the order in which they ran, each once, and in a block its steps one after
// the other, from a discarded one (step 0 or below). Rows that were doubled, moved, lost in the middle or given to another rank break it. One per
// launch and file.
template <class Row>
class RowSequence;

template <>
class RowSequence<BlockRow> {
 public:
  // What is wrong with the row, or "".
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

}  // namespace ddpbench
