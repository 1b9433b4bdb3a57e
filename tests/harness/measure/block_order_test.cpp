#include "harness/measure/block_order.hpp"

#include <gmock/gmock.h>

#include <map>

namespace ddpbench {
namespace {

TEST(BlockOrder, IsAPermutation) {
  for (std::int64_t arms = 1; arms < 8; ++arms) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(arms));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
    EXPECT_THAT(block_order(arms, 7, 3), testing::UnorderedElementsAreArray(all));
  }
}

TEST(BlockOrder, ReplaysFromSeedAndNumber) {
  EXPECT_EQ(block_order(6, 42, 17), block_order(6, 42, 17));
  EXPECT_NE(block_order(12, 42, 17), block_order(12, 42, 18));
  EXPECT_NE(block_order(12, 42, 17), block_order(12, 43, 17));
}

// 24 orders of 4 arms, 24,000 draws: 1,000 each expected, standard deviation 31; 5 deviations.
TEST(BlockOrder, EveryOrderIsAsLikely) {
  std::map<std::vector<std::int64_t>, int> counts;
  for (std::int64_t super_block = 1; super_block <= 24'000; ++super_block) ++counts[block_order(4, 1, super_block)];
  EXPECT_EQ(counts.size(), 24U);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 1000, 155);
}

}  // namespace
}  // namespace ddpbench
