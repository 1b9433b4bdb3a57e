#include "suite/launch/launchers.hpp"

#include <gmock/gmock.h>

#include "suite/contract/registry.hpp"

namespace ddpbench {
namespace {

using ::testing::Contains;
using ::testing::Pair;

LaunchSpec three_ranks() {
  LaunchSpec spec;
  spec.launch_id = "L0002";
  spec.workload = "null";
  spec.arms = {"raw", "trainer"};
  spec.ranks_per_node = 3;
  spec.protocol.threads_per_rank = 2;
  return spec;
}

TEST(LocalLauncher, SaysEveryRankWhoItIs) {
  const auto command = find_entry(launchers(), "launcher", "local").command(three_ranks(), "/opt/worker", 2);
  EXPECT_THAT(command.environment, Contains(Pair("RANK", "2")));
  EXPECT_THAT(command.environment, Contains(Pair("LOCAL_RANK", "2")));
  EXPECT_THAT(command.environment, Contains(Pair("WORLD_SIZE", "3")));
  EXPECT_THAT(command.environment, Contains(Pair("LOCAL_WORLD_SIZE", "3")));
  EXPECT_THAT(command.environment, Contains(Pair("NODE_RANK", "0")));
  EXPECT_THAT(command.environment, Contains(Pair("MASTER_ADDR", "127.0.0.1")));
  EXPECT_THAT(command.environment, Contains(Pair("MASTER_PORT", "29500"))) << "so that a person can run it as it is printed";
  EXPECT_THAT(command.environment, Contains(Pair("OMP_NUM_THREADS", "2")));
}

TEST(LocalLauncher, HandsOverTheWholeSpecification) {
  const auto command = find_entry(launchers(), "launcher", "local").command(three_ranks(), "/opt/worker", 0);
  ASSERT_EQ(command.tokens.front(), "/opt/worker");
  const auto spec = launch_spec_from_tokens({command.tokens.begin() + 1, command.tokens.end()});
  EXPECT_EQ(to_tokens(spec), to_tokens(three_ranks()));
}

TEST(ShellText, QuotesWhatAShellWouldTakeApart) {
  const RankCommand command{{"/a b/worker", "--data", "it's", ""}, {{"RANK", "0"}, {"NOTE", "x;y"}}};
  EXPECT_EQ(shell_text(command), "NOTE='x;y' RANK=0 '/a b/worker' --data 'it'\\''s' ''");
}

}  // namespace
}  // namespace ddpbench
