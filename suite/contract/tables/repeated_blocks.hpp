#pragma once
#include <cstdint>

namespace ddpbench {

// Tells the blocks of one arm in a super-block apart (blocks_in_super_block), as rows of one rank and super-block stand together,
// in the order in which they were measured. One per arm and file.
class RepeatedBlocks {
 public:
  // Returns which of its arm's blocks in the super-block a StepRow or BlockRow belongs to, from 0.
  template <class Row>
  std::int64_t place_of(const Row& row) {
    const bool together = row.super_block == super_block_ && row.rank == rank_;
    place_ = !together ? 0 : place_ + (row.block == block_ ? 0 : 1);
    super_block_ = row.super_block;
    rank_ = row.rank;
    block_ = row.block;
    return place_;
  }

 private:
  std::int64_t super_block_ = -1, rank_ = -1, block_ = -1, place_ = 0;
};

}  // namespace ddpbench
