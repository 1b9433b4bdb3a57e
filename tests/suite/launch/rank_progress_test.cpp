#include "suite/launch/rank_progress.hpp"

#include <gmock/gmock.h>

namespace ddpbench {
namespace {

TEST(RankProgress, ReadsKeysInAnyOrder) {
  const auto progress = parse_progress("@progress max_seconds=30 stage=measure elapsed=3.5 super_blocks=12");
  ASSERT_TRUE(progress);
  EXPECT_EQ(progress->stage, "measure");
  EXPECT_EQ(progress->super_blocks, 12);
  EXPECT_EQ(progress->elapsed_seconds, 3.5);
  EXPECT_EQ(progress->max_seconds, 30);
}

TEST(RankProgress, PassesOverWhatItDoesNotKnow) {
  const auto progress = parse_progress("@progress stage=warmup loss=1.2 elapsed=soon x");
  ASSERT_TRUE(progress);
  EXPECT_EQ(progress->stage, "warmup");
  EXPECT_EQ(progress->elapsed_seconds, 0);
}

TEST(RankProgress, LeavesOtherLinesAlone) {
  EXPECT_FALSE(parse_progress("loss 3.4 @progress stage=measure"));
  EXPECT_FALSE(parse_progress("@progressive"));
}

}  // namespace
}  // namespace ddpbench
