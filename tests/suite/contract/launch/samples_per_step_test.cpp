#include "suite/contract/launch/samples_per_step.hpp"

#include <gmock/gmock.h>

namespace ddpbench {
namespace {

TEST(SamplesPerStep, AreThoseOfAllRanksAndMicroBatches) {
  Axes axes;
  axes.nodes = axes.ranks_per_node = 2;
  axes.batch_size_per_rank = 8;
  const std::map<std::string, std::string> none, accumulate{{"accumulate", "3"}, {"clip_norm", "0"}};
  EXPECT_EQ(samples_per_step(axes, none), 32);
  EXPECT_EQ(samples_per_step(axes, accumulate), 96);
}

TEST(SamplesPerStep, OfARowAreThoseOfItsLaunch) {
  Axes axes;
  axes.ranks_per_node = 2;
  axes.batch_size_per_rank = 8;
  EXPECT_EQ(samples_per_step(axes, std::string("data=constant;accumulate=4;clip_norm=0")), 64);
  EXPECT_EQ(samples_per_step(axes, std::string("data=constant")), 16);
}

}  // namespace
}  // namespace ddpbench
