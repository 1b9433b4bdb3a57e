#include "suite/launch/agents/torchrun_output.hpp"

#include <gmock/gmock.h>
#include <signal.h>

namespace ddpbench {
namespace {

TEST(TorchrunLabel, TellsWhoseALineIs) {
  const auto line = without_label("[rank 12] [rank 3] said");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->rank, 12U);
  EXPECT_EQ(line->text, "[rank 3] said");
  for (const auto* own : {"", "rank 1", "[rank x] y", "[rank 1]", "W0101 00:00:00 torch/api.py] Sending"}) {
    EXPECT_FALSE(without_label(own)) << own;
  }
}

TorchrunOutputParser heard(std::initializer_list<const char*> lines) {
  TorchrunOutputParser words;
  for (const auto* line : lines) words.hear(line);
  return words;
}

TEST(TorchrunOutputParser, KnowHowEachRankFailedAndWhichWasFirst) {
  const auto words = heard({"Failures:", "[1]:", "  rank      : 0 (local_rank: 0)", "  exitcode  : -15 (pid: 7)",
                            "Root Cause (first observed failure):", "[0]:", "  rank      : 2 (local_rank: 2)",
                            "  exitcode  : 3 (pid: 9)", "  error_file: <N/A>"});
  ASSERT_EQ(words.failures().size(), 2U);
  EXPECT_EQ(words.failures().at(0).signal, SIGTERM);
  EXPECT_EQ(words.failures().at(2).exit_code, 3);
  EXPECT_EQ(words.first_failed(), 2U);
}

TEST(TorchrunOutputParser, TakeTheOneThatWasKilledForTheCause) {
  const auto words =
      heard({"  rank      : 1 (local_rank: 1)", "  exitcode  : -9 (pid: 7)",
             "Root Cause (first observed failure):", "  rank      : 0 (local_rank: 0)", "  exitcode  : 1 (pid: 9)"});
  EXPECT_EQ(words.first_failed(), 1U);
}

TEST(TorchrunOutputParser, HearThatRanksAreEnded) {
  EXPECT_FALSE(heard({"W0101 torch/run.py] master_addr is used for static only"}).tells_of_the_end());
  EXPECT_TRUE(heard({"W0101 torch/api.py] Sending process 17 closing signal SIGTERM"}).tells_of_the_end());
  EXPECT_TRUE(
      heard({"E0101 torch/api.py] failed (exitcode: 1) local_rank: 0 (pid: 17) of binary: /opt/worker"}).tells_of_the_end());
}

TEST(TorchrunOutputParser, KnowNothingOfOtherErrors) {
  const auto words = heard({"Traceback (most recent call last):", "FileNotFoundError: no such file: rank : x"});
  EXPECT_TRUE(words.failures().empty());
  EXPECT_EQ(words.first_failed(), std::nullopt);
}

}  // namespace
}  // namespace ddpbench
