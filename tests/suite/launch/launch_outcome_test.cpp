#include "suite/launch/launch_outcome.hpp"

#include <gmock/gmock.h>
#include <signal.h>

#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

using ::testing::HasSubstr;

Outcome said(const std::string& status, const std::string& reason = "") { return {status, reason, {}, "node1"}; }

// Two ranks that ended cleanly.
LaunchEnd clean_end() {
  LaunchEnd end;
  end.ranks.assign(2, ProcessEnd{});
  return end;
}

// Rank 1 was killed, and rank 0 gave up because of it.
LaunchEnd broken_end() {
  auto end = clean_end();
  end.ranks[0]->exit_code = 1;
  end.ranks[1]->signal = SIGKILL;
  for (const auto* line : {"first", "the last thing", " "}) end.ranks[1]->last_lines.add(line);
  end.first_failed = 1;
  return end;
}

TEST(LaunchOutcomes, IsOkWhereEveryRankSaysSo) {
  const auto ended = judge(clean_end(), {said(status::kOk), said(status::kOk)});
  EXPECT_EQ(ended.status, status::kOk);
  EXPECT_EQ(ended.reason, "");
  EXPECT_EQ(ended.host_list, "node1");
}

TEST(LaunchOutcomes, KeepsWhatRanksFoundAndWhereTheyDiffer) {
  auto one = said(status::kOk), other = said(status::kOk);
  one.facts = {{"cores", "2"}, {"allowed_cores", "0"}};
  other.facts = {{"cores", "2"}, {"allowed_cores", "1"}};
  const std::map<std::string, std::string> expected{{"cores", "2"}, {"allowed_cores", "rank 0: 0, rank 1: 1"}};
  EXPECT_EQ(judge(clean_end(), {one, other}).facts, expected);
  one.versions = other.versions = {{"raw", "torch=2"}};
  EXPECT_EQ(judge(clean_end(), {one, other}).versions, one.versions);
}

TEST(LaunchOutcomes, DoesNotBelieveARankThatDiedAfterItSaidOk) {
  EXPECT_EQ(judge(broken_end(), {said(status::kOk), said(status::kOk)}).status, status::kFailed);
}

TEST(LaunchOutcomes, FailsWhereARankLeftNoWord) {
  const auto ended = judge(clean_end(), {said(status::kOk), std::nullopt});
  EXPECT_EQ(ended.status, status::kFailed);
  EXPECT_THAT(ended.reason, HasSubstr("rank 1"));
}

TEST(LaunchOutcomes, NamesARankThatWasKilledBeforeOneThatGaveUp) {
  auto end = broken_end();
  end.first_failed = 0;
  EXPECT_THAT(judge(end, {std::nullopt, std::nullopt}).reason, HasSubstr("rank 1 was killed by signal 9"));
  end.ranks[1]->was_asked = true;
  EXPECT_THAT(judge(end, {std::nullopt, std::nullopt}).reason, HasSubstr("rank 0 ended with exit code 1"));
}

TEST(LaunchOutcomes, NamesTheRankThatDiedAndItsLastWords) {
  const auto ended = judge(broken_end(), {said(status::kFailed, "rank 0: peer closed the connection"), std::nullopt});
  EXPECT_EQ(ended.status, status::kFailed);
  EXPECT_EQ(ended.reason, "rank 1 was killed by signal 9 (Killed); it last said: the last thing");
}

TEST(LaunchOutcomes, ARankThatLostTheRendezvousWasNotTheFirst) {
  auto end = broken_end();
  end.ranks[1]->signal = 0;
  end.ranks[1]->exit_code = 1;
  end.ranks[1]->last_lines.add("rank 1: the rendezvous is closed, or refuses this process");
  end.ranks[0]->last_lines.add("rank 0: no such interface");
  EXPECT_THAT(judge(end, {std::nullopt, std::nullopt}).reason,
              HasSubstr("rank 0 ended with exit code 1; it last said: rank 0: no such"));
  end.ranks[0]->exit_code = 0;
  end.ranks[0]->signal = SIGTERM;  // by us: it was there until then
  EXPECT_THAT(judge(end, {std::nullopt, std::nullopt}).reason, HasSubstr("rank 1 ended with exit code 1"));
}

// What a launcher tells that does not know how each rank ended.
LaunchEnd end_of_a_silent_launcher() {
  LaunchEnd end;
  end.ranks.resize(2);
  end.launcher_failure = "torchrun ended with exit code 1; it last said: no such file";
  return end;
}

TEST(LaunchOutcomes, TakesTheLaunchersWordWhereNoRankLeftOne) {
  const auto ended = judge(end_of_a_silent_launcher(), {std::nullopt, std::nullopt});
  EXPECT_EQ(ended.status, status::kFailed);
  EXPECT_EQ(ended.reason, "torchrun ended with exit code 1; it last said: no such file");
}

TEST(LaunchOutcomes, PrefersTheRanksWordToTheLaunchers) {
  EXPECT_EQ(judge(end_of_a_silent_launcher(), {said(status::kFailed, "out of memory"), std::nullopt}).reason, "out of memory");
}

TEST(LaunchOutcomes, DoesNotBelieveRanksWhoseLauncherFailed) {
  EXPECT_EQ(judge(end_of_a_silent_launcher(), {said(status::kOk), said(status::kOk)}).status, status::kFailed);
}

TEST(LaunchOutcomes, NamesTheFirstRankAlsoWhereItsEndIsNotKnown) {
  LaunchEnd end;
  end.ranks.resize(2);
  end.first_failed = 1;
  EXPECT_EQ(judge(end, {std::nullopt, std::nullopt}).reason, "rank 1 failed");
}

TEST(LaunchOutcomes, IsWrongWhereOneRankFoundItWrong) {
  const auto ended = judge(broken_end(), {said(status::kWrongResult, "losses differ"), std::nullopt});
  EXPECT_EQ(ended.status, status::kWrongResult);
  EXPECT_EQ(ended.reason, "losses differ");
}

TEST(LaunchOutcomes, IsPartialAfterASignalToTheDriver) {
  auto end = broken_end();
  end.stopped_by_signal = true;
  end.stop_signal = SIGINT;
  const auto ended = judge(end, {said(status::kPartial), std::nullopt});
  EXPECT_EQ(ended.status, status::kPartial);
  EXPECT_THAT(ended.reason, HasSubstr("signal 2"));
}

TEST(LaunchOutcomes, IsOkWhereTheSignalCameTooLate) {
  auto end = clean_end();
  end.stopped_by_signal = true;
  end.stop_signal = SIGINT;
  EXPECT_EQ(judge(end, {said(status::kOk), said(status::kOk)}).status, status::kOk);
}

TEST(LaunchOutcomes, IsPartialWhereTheRanksWereStoppedByOthers) {
  auto end = clean_end();
  end.ranks[0]->exit_code = end.ranks[1]->exit_code = 75;
  end.first_failed = 0;
  const auto ended = judge(end, {said(status::kPartial, "SIGTERM"), said(status::kPartial, "SIGTERM")});
  EXPECT_EQ(ended.status, status::kPartial);
  EXPECT_EQ(ended.reason, "SIGTERM");
}

// Asked to end because none moved, ranks finish their step and say that they were stopped.
TEST(LaunchOutcomes, AHangIsNoStopByOthers) {
  auto end = clean_end();
  end.hang = Hang{0, "rank 0 hangs"};
  end.first_failed = 0;
  const auto ended = judge(end, {said(status::kPartial, "rank 0: stopped by signal 15"), said(status::kPartial)});
  EXPECT_EQ(ended.status, status::kFailed);
  EXPECT_EQ(ended.reason, "rank 0 hangs");
}

TEST(LaunchOutcomes, HandsOnNothingThatSteersATerminal) {
  auto outcome = said(status::kFailed, "rank 0: \033[2Jgone");
  outcome.arms["trainer"] = {status::kFailed, "threw \a"};
  const auto ended = judge(clean_end(), {outcome, said(status::kOk)});
  EXPECT_EQ(ended.reason, "rank 0: ?[2Jgone");
  EXPECT_EQ(ended.arms.at("trainer").second, "threw ?");
}

TEST(LaunchOutcomes, HandsOnWhatIsSaidOfSingleArms) {
  auto outcome = said(status::kOk);
  outcome.arms["trainer"] = {status::kFailed, "threw"};
  EXPECT_EQ(judge(clean_end(), {outcome, said(status::kOk)}).arms.at("trainer").second, "threw");
}

}  // namespace
}  // namespace ddpbench
