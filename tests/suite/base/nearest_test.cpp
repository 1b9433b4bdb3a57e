#include "suite/base/nearest.hpp"

#include <gtest/gtest.h>

namespace ddpbench {
namespace {

const std::vector<std::string> kWords{"run", "report", "plan", "batch_size_per_rank", "ddp"};

TEST(Nearest, FindsWhatATypingErrorMeant) {
  EXPECT_EQ(nearest(kWords, "rnu"), "run") << "two letters exchanged";
  EXPECT_EQ(nearest(kWords, "rum"), "run");
  EXPECT_EQ(nearest(kWords, "reports"), "report");
  EXPECT_EQ(nearest(kWords, "batchsize_perrank"), "batch_size_per_rank");
}

TEST(Nearest, GuessesNothingThatIsFarOff) {
  EXPECT_EQ(nearest(kWords, "fsdp"), "");
  EXPECT_EQ(nearest(kWords, "rx"), "");
  EXPECT_EQ(nearest(kWords, ""), "");
  EXPECT_EQ(nearest(kWords, std::string(100'000, 'r')), "");
  EXPECT_EQ(nearest({}, "run"), "");
}

}  // namespace
}  // namespace ddpbench
