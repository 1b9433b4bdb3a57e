#include "reports/analysis/answer/share.hpp"

#include <gmock/gmock.h>

#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

// A step of 1 ms, on which 40 us were measured, and one of 100 ms.
class Share : public testing::Test {
 protected:
  Share() {
    short_.label = "null";
    long_.label = "resnet50_cifar10";
    span_.shortest = {&short_, 1e-3, "raw"};
    span_.longest = {&long_, 0.1, "raw"};
    span_.law = nullptr;
    at_shortest_ = row(40, 38, 42, 1);
  }
  static OverheadRow row(double us, double lo, double hi, double step_ms, const char* verdict = verdict::kSlower) {
    OverheadRow row;
    row.arm = "trainer";
    row.reference = "raw";
    row.verdict = verdict;
    row.step_us = 1e3 * step_ms;
    row.overhead_us.value = us;
    row.overhead_us.lo = row.at_least_us = lo;
    row.overhead_us.hi = row.at_most_us = hi;
    row.overhead_percent.value = 0.1 * us / step_ms;
    row.overhead_percent.lo = 0.1 * lo / step_ms;
    row.overhead_percent.hi = 0.1 * hi / step_ms;
    return row;
  }
  std::string sentence(const OverheadRow* at_longest) const {
    return share_sentence(span_, at_shortest_, reported_share(span_, at_shortest_, at_longest));
  }

  Cell short_, long_;
  Span span_;
  OverheadRow at_shortest_;
};

TEST_F(Share, OfItsOwnStepHasItsInterval) {
  span_.longest = span_.shortest;
  EXPECT_EQ(sentence(&at_shortest_), "That is 4.0 % (3.8 to 4.2 %) of its step of 1.0 ms.");
}

TEST_F(Share, WhatWasMeasuredThereIsToldAndNotTheEstimate) {
  const auto there = row(2800, 2000, 4900, 100);
  EXPECT_EQ(sentence(&there), "Of the step of resnet50_cifar10 (100 ms) it costs 2.8 % (2.0 to 4.9 %), measured there.");
  const auto equal = row(5, -20, 30, 100, verdict::kEquivalent);
  EXPECT_EQ(sentence(&equal), "Of the step of resnet50_cifar10 (100 ms) it costs at most 0.030 %, measured there.");
  const auto faster = row(-3000, -3500, -2500, 100, verdict::kFaster);
  EXPECT_EQ(sentence(&faster), "Of the step of resnet50_cifar10 (100 ms) it saves 3.0 % (2.5 to 3.5 %), measured there.");
}

TEST_F(Share, WhatWasNotMeasuredIsCalledAnEstimate) {
  EXPECT_EQ(sentence(nullptr),
            "Of the step of resnet50_cifar10 (100 ms) it would cost 0.040 % (0.038 to 0.042 %): estimated from "
            "the cost on null, not measured.");
}

TEST_F(Share, AnOpenMeasurementStandsBesideTheEstimateUnlessItSaysMore) {
  const auto open = row(100, -5000, 15000, 100, verdict::kAmbiguous);
  EXPECT_THAT(sentence(&open), EndsWith(": estimated from the cost on null. The measurement there allows at most 15 %."));
  at_shortest_ = row(-40, -42, -38, 1, verdict::kFaster);
  EXPECT_THAT(sentence(&open), EndsWith(": estimated from the cost on null. The measurement there allows -5.0 to 15 %."))
      << "of a saving";
  at_shortest_ = row(40, 38, 42, 1);
  const auto beyond = row(3000, 500, 6000, 100, verdict::kAmbiguous);
  EXPECT_EQ(sentence(&beyond),
            "Of the step of resnet50_cifar10 (100 ms) it probably costs between 0.50 and 6.0 %, measured there.");
  const auto gain = row(-3000, -6000, -500, 100, verdict::kAmbiguous);
  EXPECT_EQ(sentence(&gain), "Of the step of resnet50_cifar10 (100 ms) it saves at most 6.0 %, if anything, measured there.");
  at_shortest_ = row(40, -4000, 4000, 1, verdict::kAmbiguous);
  const auto narrower = row(100, -2000, 3000, 100, verdict::kAmbiguous);
  EXPECT_EQ(sentence(&narrower), "Of the step of resnet50_cifar10 (100 ms) it costs at most 3.0 %, measured there.");
}

// SLOWER by its mean step alone, or on one rank: the median step's interval holds nothing of it.
TEST_F(Share, IsOfWhatTheVerdictRestsOn) {
  span_.longest = span_.shortest;
  at_shortest_ = row(5, -1, 11, 1);
  EXPECT_EQ(sentence(nullptr), "");
  at_shortest_.overhead_us_of_means = 20;
  at_shortest_.overhead_us_of_means_lo = 12;
  at_shortest_.overhead_us_of_means_hi = 28;
  at_shortest_.margin_us = 3;
  EXPECT_EQ(sentence(nullptr), "That is 2.0 % (1.2 to 2.8 %) of its step of 1.0 ms.");
}

TEST_F(Share, AFigureWhoseBoundIsFarAwayIsNotTold) {
  EXPECT_EQ(percent_phrase({2.8, 0.75, 4.9, 0}), "between 0.75 and 4.9 %");
  EXPECT_EQ(percent_phrase({1, 0.6, 2.1, 0}), "between 0.60 and 2.1 %");
  EXPECT_EQ(percent_phrase({1, 0.5, 2, 0}), "1.0 % (0.50 to 2.0 %)");
  EXPECT_EQ(percent_phrase({1, -0.1, 2, 0}), "at most 2.0 %");
  EXPECT_EQ(percent_phrase({-2, -3, 0, 0}), "at most 3.0 %") << "what is saved has no sign";
  EXPECT_EQ(percent_phrase({5, 4.998, 5.002, 0}), "5.000 % (4.998 to 5.002 %)");
  EXPECT_EQ(percent_phrase({1e-4, 0, 2e-4, 0}), "less than 0.001 %");
}

TEST_F(Share, ByALineItIsTheLinesOwnBandWhetherItGrowsOrNot) {
  StepTimeLaw law;
  law.points.assign(6, {});
  law.line.emplace();
  law.line->intercept = 40;
  law.line->slope = 1e-5;
  law.line->intercept_variance = 1;
  law.line->slope_variance = 1e-10;
  law.line->covariance = 0;
  law.line->t = 2;
  span_.law = &law;
  auto share = reported_share(span_, at_shortest_, nullptr);
  EXPECT_EQ(share.source, ShareSource::kLine);
  EXPECT_NEAR(share.percent.value, 1e-3 * law.line->at(1e5), 1e-12);
  EXPECT_NEAR(share.percent.hi, 1e-3 * (law.line->at(1e5) + law.line->half_width(1e5)), 1e-12);
  at_shortest_.periodic_us.value = at_shortest_.periodic_us.lo = at_shortest_.periodic_us.hi = 100;  // the line is without it
  share = reported_share(span_, at_shortest_, nullptr);
  EXPECT_NEAR(share.percent.value, 1e-3 * (law.line->at(1e5) + 100), 1e-12);
  at_shortest_.periodic_us.value = kNotMeasured;
  law.most_factor = 1.25;
  share = reported_share(span_, at_shortest_, nullptr);
  EXPECT_NEAR(share.percent.lo, 1e-3 * (law.line->at(1e5) - law.line->half_width(1e5)) / 1.25, 1e-12);
  EXPECT_THAT(
      sentence(nullptr),
      HasSubstr(": estimated by the line through its costs at 6 step lengths, beyond the longest of them, not measured."));
}

}  // namespace
}  // namespace ddpbench
