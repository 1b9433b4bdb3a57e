#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>

namespace ddpbench {

// Checks which arm drove which block of a launch: all ranks must have run the same one, or their collectives joined the steps of
// different arms. One per launch and file.
class ArmOrder {
 public:
  // Says what is wrong with the row; "" where nothing is.
  template <class Row>
  std::string problem_of(const Row& row) {
    if (row.block == last_block_ && row.rank == last_.rank && row.arm == last_.arm) return "";  // a block's rows stand together
    last_block_ = row.block;
    last_ = {row.arm, row.rank};
    const auto [first, is_new] = blocks_.try_emplace(row.block, last_);
    const auto& ran = first->second;
    if (is_new || row.super_block == 0 || ran.arm == row.arm) return "";
    return "block " + std::to_string(row.block) + ": rank " + std::to_string(row.rank) + " ran " + row.arm + " where rank " +
           std::to_string(ran.rank) + " ran " + ran.arm;
  }

 private:
  struct Ran {
    std::string arm;
    std::int64_t rank;
  };
  std::unordered_map<std::int64_t, Ran> blocks_;
  std::int64_t last_block_ = -1;
  Ran last_{"", -1};
};

}  // namespace ddpbench
