#include "reports/analysis/answer/setting_phrases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

SettingComparison compared_setting(const std::string& setting, const std::string& verdict, double lo_percent, double hi_percent) {
  SettingComparison one;
  one.setting = setting;
  one.value = "new";
  one.reference_value = "old";
  one.cell_id = "c1";
  one.clock = clock_name::kWall;
  one.reference_step_us = 1000;
  one.difference_us = {10 * (lo_percent + hi_percent) / 2, 10 * lo_percent, 10 * hi_percent, 5};
  one.difference_us_together = one.difference_us;
  one.comparisons = 7;
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

// The bounds of the ratios may have other signs than those of the differences, which were judged.
TEST(SettingWords, TellTheBoundsThatWereJudged) {
  auto one = compared_setting("backend", verdict::kFaster, -30, -1);
  one.difference_percent = {-16, -30, 1, 5};
  EXPECT_THAT(said_of({one}), ElementsAre(testing::HasSubstr(", between 1.0 and 30 %.")));
}

TEST(SettingWords, SayWhatIsOpenAndWhatIsEqual) {
  EXPECT_THAT(said_of({compared_setting("backend", verdict::kAmbiguous, -3, 5)}),
              ElementsAre("backend: new against old is open: a step differs by -3.0 to +5.0 %; more launches would tell."));
  EXPECT_THAT(said_of({compared_setting("backend", verdict::kAmbiguous, -8, -1)}),
              ElementsAre(testing::HasSubstr("-8.0 to -1.0 %, which may be chance among 7 comparisons; more launches")));
  EXPECT_THAT(said_of({compared_setting("backend", verdict::kEquivalent, -0.1, 0.1)}),
              ElementsAre("backend: new against old makes no difference that matters to a step (inside ±2 us)."));
}

TEST(SettingWords, OfManyComparisonsTheOneThatMakesTheStepShortestIsToldAndTheOthersCounted) {
  EXPECT_THAT(
      said_of({compared_setting("cap", verdict::kEquivalent, -0.1, 0.1), compared_setting("cap", verdict::kSlower, 35, 45),
               compared_setting("cap", verdict::kFaster, -6, -4), compared_setting("cap", verdict::kAmbiguous, -50, 50)}),
      ElementsAre(
          "cap: with new a step takes 5.0 % less than with old, between 4.0 and 6.0 % (c1; of 4 comparisons 1 is shorter, "
          "1 is longer, 1 is open, 1 is equal)."));
}

TEST(SettingWords, AtMostThreeSettingsAreTold) {
  const auto sentences =
      said_of({compared_setting("a", verdict::kAmbiguous, -1, 1), compared_setting("b", verdict::kSlower, 9, 11),
               compared_setting("c", verdict::kFaster, -2, -1), compared_setting("d", verdict::kSlower, 5, 6)});
  ASSERT_EQ(sentences.size(), kMostSettingSentences);
  EXPECT_TRUE(sentences[0].starts_with("c: ")) << "what makes a step shorter comes first";
  EXPECT_TRUE(sentences[2].starts_with("d: "));
}

TEST(SettingWords, OneRepetitionAndOtherClocksSayNothing) {
  auto on_cpu = compared_setting("backend", verdict::kSlower, 8, 12);
  on_cpu.clock = clock_name::kThreadCpu;
  EXPECT_THAT(said_of({compared_setting("backend", "", -3, 5), on_cpu}), IsEmpty());
}

}  // namespace
}  // namespace ddpbench
