#include <gtest/gtest.h>

#include <cmath>

#include "reports/analysis/samples/samples.hpp"
#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

TEST(BlockTable, BlocksOfDifferentLengthAndHolesStayWhatTheyAre) {
  BlockTable blocks;
  blocks.at(3, 1)[0] = 31;
  blocks.at(1, 2)[0] = 12;
  blocks.at(3, 5)[0] = 35;
  ASSERT_EQ(blocks.size(), 3U);
  ASSERT_EQ(blocks[0].size(), 2U);
  EXPECT_TRUE(std::isnan(blocks[0][0][0]));
  EXPECT_EQ(blocks[0][1][0], 12);
  EXPECT_TRUE(blocks[1].empty());
  ASSERT_EQ(blocks[2].size(), 5U);
  EXPECT_EQ(blocks[2][0][0], 31);
  EXPECT_EQ(blocks[2][4][0], 35);
  EXPECT_THROW(blocks.at(100'000'000, 1'000), UsageError);
}

}  // namespace
}  // namespace ddpbench
