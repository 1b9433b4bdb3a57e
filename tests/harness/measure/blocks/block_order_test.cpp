#include "harness/measure/blocks/block_order.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "tests/support/two_families.hpp"

namespace ddpbench {
namespace {

// Beside `raw` any name is a subject that is compared with it.
std::vector<ArmFacts> arms(std::size_t count) {
  std::vector<std::string> names{"a", "raw", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
  names.resize(count);
  return arm_facts(test::test_vocabulary(), names);
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
    const auto these = arms(count);
    EXPECT_EQ(blocks_in_super_block(these)[1], expected);
    EXPECT_EQ(blocks_in_super_block(these)[0], 1);
    for (std::int64_t super_block = 1; super_block <= 200; ++super_block) {
      const auto order = block_order(these, 5, super_block);
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
  const auto nine = arms(9);
  for (std::int64_t super_block = 1; super_block <= 24'000; ++super_block) {
    const auto order = block_order(nine, 1, super_block);
    ++counts[static_cast<std::size_t>(std::find(order.begin(), order.end(), 1) - order.begin())];
  }
  EXPECT_EQ(counts.size(), 5U);
  for (const auto& [place, count] : counts) EXPECT_NEAR(count, 4800, 310) << place;
}

TEST(BlockOrder, WithoutAReferenceEveryArmStandsOnce) {
  const auto order =
      block_order(arm_facts(test::test_vocabulary(), std::vector<std::string>{"a", "b", "c", "d", "e", "f", "g"}), 1, 1);
  EXPECT_THAT(order, testing::UnorderedElementsAre(0, 1, 2, 3, 4, 5, 6));
}

// A launch that was measured must be replayed by every later release.
TEST(BlockOrder, OfASeedNeverChanges) {
  EXPECT_THAT(block_order(arms(4), 1, 1), testing::ElementsAre(1, 0, 2, 3));
  EXPECT_THAT(block_order(arms(6), 42, 17), testing::ElementsAre(5, 3, 1, 4, 0, 2, 1));
  EXPECT_THAT(block_order(arms(9), 7, 3), testing::ElementsAre(5, 2, 1, 7, 6, 1, 3, 0, 4, 8));
  EXPECT_THAT(block_order(arms(13), 5, 200), testing::ElementsAre(0, 1, 12, 11, 5, 9, 6, 4, 1, 10, 2, 1, 3, 8, 7));
  std::uint64_t digest = 1469598103934665603U;
  for (std::size_t count = 1; count <= 13; ++count) {
    const auto these = arms(count);
    for (std::int64_t super_block = 1; super_block <= 500; ++super_block) {
      for (const auto arm : block_order(these, 31 * static_cast<std::int64_t>(count), super_block)) {
        digest = (digest ^ static_cast<std::uint64_t>(arm)) * 1099511628211U;
      }
    }
  }
  EXPECT_EQ(digest, 1987355930212197221U);
}

// Six arms are compared with raw, five with py_raw: each reference stands once among at most four of its own, whoever stands between them.
TEST(BlockOrder, OfTwoFamiliesHasEachReferenceAmongItsOwn) {
  const std::vector<std::string> names{
      "raw",    "raw_again",    "raw_item",    "trainer",      "trainer-loss",     "trainer-fetch",      "injected",
      "py_raw", "py_raw_again", "py_injected", "py_lightning", "py_lightning+bar", "py_lightning+logger"};
  const auto two = arm_facts(test::two_family_vocabulary(), names);
  for (std::int64_t super_block = 1; super_block <= 300; ++super_block) {
    const auto order = block_order(two, 11, super_block);
    for (const auto* reference : {"raw", "py_raw"}) {
      int since = 0;
      int times = 0;
      std::vector<std::string> others;
      for (const auto arm : order) {
        const auto& facts = two[static_cast<std::size_t>(arm)];
        if (facts.name == reference) since = 0, ++times;
        if (facts.is_reference() || facts.reference != reference) continue;
        others.push_back(facts.name);
        EXPECT_LE(++since, 6) << "the end of one group and the begin of the next, of three each";
      }
      EXPECT_EQ(times, 2) << reference;
      EXPECT_EQ(others.size(), std::string(reference) == "raw" ? 6U : 5U);
    }
  }
}

TEST(BlockOrder, ReplaysFromSeedAndNumber) {
  EXPECT_EQ(block_order(arms(6), 42, 17), block_order(arms(6), 42, 17));
  EXPECT_NE(block_order(arms(12), 42, 17), block_order(arms(12), 42, 18));
  EXPECT_NE(block_order(arms(12), 42, 17), block_order(arms(12), 43, 17));
}

// 24 orders of 4 arms, 24,000 draws: 1,000 each expected, standard deviation 31; 5 deviations.
TEST(BlockOrder, EveryOrderIsAsLikely) {
  std::map<std::vector<std::int64_t>, int> counts;
  const auto four = arms(4);
  for (std::int64_t super_block = 1; super_block <= 24'000; ++super_block) ++counts[block_order(four, 1, super_block)];
  EXPECT_EQ(counts.size(), 24U);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 1000, 155);
}

}  // namespace
}  // namespace ddpbench
