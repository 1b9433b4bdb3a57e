#include "reports/analysis/answer/setting_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

SettingComparison compared_setting(const std::string& setting, const std::string& verdict, double lo_percent, double hi_percent) {
  const auto log_ratio = [](double percent) { return std::log1p(percent / 100); };
  SettingComparison one;
  one.setting = setting;
  one.value = "new";
  one.reference_value = "old";
  one.cell_id = "c1";
  one.clock = clock_name::kWall;
  one.log_ratio.value = (log_ratio(lo_percent) + log_ratio(hi_percent)) / 2;
  one.log_ratio.lo = log_ratio(lo_percent);
  one.log_ratio.hi = log_ratio(hi_percent);
  one.verdict = verdict;
  one.reason = "inside ±2 us";
  return one;
}

std::vector<std::string> said_of(const std::vector<SettingComparison>& comparisons) {
  return setting_sentences(Study(), comparisons);
}

TEST(SettingWords, SayWhichValueMakesTheStepShorter) {
  EXPECT_THAT(said_of({compared_setting("backend", verdict::kFaster, -17, -13)}),
              ElementsAre("backend: with new a step takes 15 % less than with old, between 13 and 17 %."));
  EXPECT_THAT(said_of({compared_setting("precision", verdict::kSlower, 8, 12)}),
              ElementsAre("precision: with new a step takes 10 % more than with old, between 8.0 and 12 %."));
}

TEST(SettingWords, SayWhatIsOpenAndWhatIsEqual) {
  EXPECT_THAT(said_of({compared_setting("backend", verdict::kAmbiguous, -3, 5)}),
              ElementsAre("backend: new against old is open: a step differs by -3.0 to +5.0 %; more launches would tell."));
  EXPECT_THAT(said_of({compared_setting("backend", verdict::kEquivalent, -0.1, 0.1)}),
              ElementsAre("backend: new against old makes no difference that matters to a step (inside ±2 us)."));
}

TEST(SettingWords, OfManyComparisonsTheLargestDifferenceIsTold) {
  EXPECT_THAT(
      said_of({compared_setting("backend", verdict::kEquivalent, -0.1, 0.1), compared_setting("backend", verdict::kSlower, 2, 4),
               compared_setting("backend", verdict::kFaster, -30, -28),
               compared_setting("backend", verdict::kAmbiguous, -50, 50)}),
      ElementsAre("backend: with new a step takes 29 % less than with old, between 28 and 30 % (c1; the largest of 4 "
                  "differences)."));
}

TEST(SettingWords, AtMostThreeSettingsAreTold) {
  const auto sentences =
      said_of({compared_setting("a", verdict::kAmbiguous, -1, 1), compared_setting("b", verdict::kSlower, 1, 2),
               compared_setting("c", verdict::kSlower, 9, 11), compared_setting("d", verdict::kSlower, 5, 6)});
  ASSERT_EQ(sentences.size(), kMostSettingSentences);
  EXPECT_TRUE(sentences[0].starts_with("c: ")) << "the largest difference first";
  EXPECT_TRUE(sentences[2].starts_with("b: "));
}

TEST(SettingWords, OneRepetitionAndOtherClocksSayNothing) {
  auto on_cpu = compared_setting("backend", verdict::kSlower, 8, 12);
  on_cpu.clock = clock_name::kThreadCpu;
  EXPECT_THAT(said_of({compared_setting("backend", "", -3, 5), on_cpu}), IsEmpty());
}

}  // namespace
}  // namespace ddpbench
