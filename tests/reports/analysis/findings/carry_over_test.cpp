#include "reports/analysis/findings/carry_over.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "reports/analysis/samples/block_series.hpp"
#include "suite/contract/status.hpp"
#include "tests/reports/analysis/resolved_study.hpp"

namespace ddpbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<std::string> kArms{"raw", "raw_again", "trainer", "injected"};

struct Campaign {
  int super_blocks = 150;
  int launches = 1;
  double after_injected_us = 0;  // what `trainer` pays when `injected` ran before it
};

ArmSamples& arm_of(LaunchSamples& samples, const std::string& arm) {
  return *std::find_if(samples.arms.begin(), samples.arms.end(), [&](const ArmSamples& a) { return a.arm == arm; });
}

// 100 us a step with 2 % noise, every 40th block three times as long; arms in random order.
void fill(LaunchSamples& samples, const Campaign& campaign, std::mt19937& generator) {
  std::normal_distribution<double> noise(0, 0.02);
  std::uniform_int_distribution<int> slow(0, 39);
  auto order = kArms;
  std::string previous;
  std::int64_t number = 0;
  for (const auto& arm : kArms) {
    auto& of_arm = samples.arms.emplace_back();
    of_arm.arm = arm;
    of_arm.ranks.emplace_back();
  }
  for (int i = 0; i < campaign.super_blocks; ++i) {
    std::shuffle(order.begin(), order.end(), generator);
    for (const auto& arm : order) {
      double us = 100 * (1 + noise(generator)) * (slow(generator) == 0 ? 3 : 1);
      if (arm == "trainer" && previous == "injected") us += campaign.after_injected_us;
      auto& of_arm = arm_of(samples, arm);
      of_arm.ranks.front().steps.at(i + 1, 1) = {1e-6 * us, 1e-6 * us};
      of_arm.block_numbers.push_back(++number);
      previous = arm;
    }
  }
  for (auto& arm : samples.arms) find_series(arm, 1);
}

Study study_of(const Campaign& campaign, unsigned seed) {
  std::mt19937 generator(seed);
  Study study;
  auto& cell = study.cells.emplace_back();
  cell.axes.cell_id = "C1";
  cell.label = "null";
  cell.arms = kArms;
  for (int i = 0; i < campaign.launches; ++i) {
    auto& launch = cell.launches.emplace_back();
    for (const auto& arm : kArms) {
      auto& run = launch.runs.emplace_back();
      run.arm = arm;
      run.status = status::kOk;
    }
    fill(launch.samples, campaign, generator);
  }
  return resolved(std::move(study));
}

TEST(CarryOver, FindsAnArmThatIsSlowerAfterAnother) {
  const auto study = study_of({.super_blocks = 400, .launches = 2, .after_injected_us = 3}, 1);
  const auto rows = carry_over_rows(study);
  ASSERT_EQ(rows.size(), 3U * 2 * 4);  // three arms, two sides, four that ran before (the same at a super-block's end)
  for (const auto& row : rows) {
    EXPECT_EQ(row.stands_out, row.p_holm < 0.05);
    EXPECT_FALSE(row.stands_out && row.arm != "trainer") << row.arm << " after " << row.previous;
    if (row.before != "trainer" || row.previous != "injected") continue;
    EXPECT_TRUE(row.stands_out);
    EXPECT_LT(row.effect_us.lo, 3);
    EXPECT_GT(row.effect_us.hi, 3);
    EXPECT_GT(row.effect_us.lo, 0);
    EXPECT_GE(row.super_blocks + row.others, 798);  // nothing ran before a launch's first block
  }
  EXPECT_THAT(carry_over_phrase(study, rows),
              AllOf(HasSubstr("carry-over: trainer on null differs by +"), HasSubstr("when injected ran before it (p ")));
}

// Holm keeps the chance that any of a study's rows stands out below 5 %: 10 of 200, 21 is beyond its 99.9 % bound.
TEST(CarryOver, FindsNothingWhereThereIsNothing) {
  int studies_with_a_finding = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const auto rows = carry_over_rows(study_of({}, 100 + seed));
    studies_with_a_finding += std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.stands_out; }) ? 1 : 0;
  }
  EXPECT_LE(studies_with_a_finding, 20);
  const auto study = study_of({}, 5);
  EXPECT_THAT(carry_over_phrase(study, carry_over_rows(study)),
              AllOf(HasSubstr("no carry-over beyond ±"), HasSubstr("(null): what ran before an arm changes none")));
}

TEST(CarryOver, NothingIsComparedWhereTheOrderIsNotKnown) {
  auto study = study_of({}, 1);
  for (auto& arm : study.cells[0].launches[0].samples.arms) arm.block_numbers.assign(arm.block_numbers.size(), 0);
  EXPECT_THAT(carry_over_rows(study), IsEmpty());
  EXPECT_EQ(carry_over_phrase(study, {}), "");
  for (auto& arm : study.cells[0].launches[0].samples.arms) arm.block_numbers.assign(arm.block_numbers.size(), 1LL << 60);
  EXPECT_THAT(carry_over_rows(study), IsEmpty());
}

}  // namespace
}  // namespace ddpbench
