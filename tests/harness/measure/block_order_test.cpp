#include "harness/measure/block_order.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "suite/contract/arm_name.hpp"

namespace ddpbench {
namespace {

std::vector<std::string> arms(std::size_t count) {
  std::vector<std::string> names{"a", "raw", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
  names.resize(count);
  return names;
}

TEST(BlockOrder, IsAPermutationOfTheReferenceAndUpToFourOthers) {
  for (std::size_t count = 1; count <= 5; ++count) {
    std::vector<std::int64_t> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<std::int64_t>(i);
    EXPECT_THAT(block_order(arms(count), 7, 3), testing::UnorderedElementsAreArray(all));
  }
}

// Longest run of blocks without the reference, which is at place 1.
std::size_t longest_without_reference(const std::vector<std::int64_t>& order) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const auto arm : order) longest = std::max(longest, run = arm == 1 ? 0 : run + 1);
  return longest;
}

TEST(BlockOrder, OfManyArmsHasTheReferenceOnceAmongEveryFourOthers) {
  const std::map<std::size_t, std::int64_t> references{{5, 1}, {6, 2}, {9, 2}, {10, 3}, {13, 3}};
  for (const auto& [count, expected] : references) {
    EXPECT_EQ(blocks_in_super_block("raw", count), expected);
    EXPECT_EQ(blocks_in_super_block("a", count), 1);
    for (std::int64_t super_block = 1; super_block <= 200; ++super_block) {
      const auto order = block_order(arms(count), 5, super_block);
      std::map<std::int64_t, std::int64_t> times;
      for (const auto arm : order) ++times[arm];
      EXPECT_EQ(times.size(), count);
      for (const auto& [arm, found] : times) EXPECT_EQ(found, arm == 1 ? expected : 1) << count << " arms, arm " << arm;
      EXPECT_LE(longest_without_reference(order), 8U);  // the end of one group and the begin of the next
    }
  }
}

// A group of five places: raw at each of them 1/5 of 24,000 times, standard deviation 62; 5 deviations.
TEST(BlockOrder, TheReferencesPlaceInItsGroupIsUniform) {
  std::map<std::size_t, int> counts;
  for (std::int64_t super_block = 1; super_block <= 24'000; ++super_block) {
    const auto order = block_order(arms(9), 1, super_block);
    ++counts[static_cast<std::size_t>(std::find(order.begin(), order.end(), 1) - order.begin())];
  }
  EXPECT_EQ(counts.size(), 5U);
  for (const auto& [place, count] : counts) EXPECT_NEAR(count, 4800, 310) << place;
}

TEST(BlockOrder, WithoutAReferenceEveryArmStandsOnce) {
  const auto order = block_order({"a", "b", "c", "d", "e", "f", "g"}, 1, 1);
  EXPECT_THAT(order, testing::UnorderedElementsAre(0, 1, 2, 3, 4, 5, 6));
}

TEST(BlockOrder, ReplaysFromSeedAndNumber) {
  EXPECT_EQ(block_order(arms(6), 42, 17), block_order(arms(6), 42, 17));
  EXPECT_NE(block_order(arms(12), 42, 17), block_order(arms(12), 42, 18));
  EXPECT_NE(block_order(arms(12), 42, 17), block_order(arms(12), 43, 17));
}

// 24 orders of 4 arms, 24,000 draws: 1,000 each expected, standard deviation 31; 5 deviations.
TEST(BlockOrder, EveryOrderIsAsLikely) {
  std::map<std::vector<std::int64_t>, int> counts;
  for (std::int64_t super_block = 1; super_block <= 24'000; ++super_block) ++counts[block_order(arms(4), 1, super_block)];
  EXPECT_EQ(counts.size(), 24U);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 1000, 155);
}

}  // namespace
}  // namespace ddpbench
