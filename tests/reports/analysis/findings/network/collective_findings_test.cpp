#include "reports/analysis/findings/network/collective_findings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "reports/analysis/answer/collective_phrases.hpp"
#include "reports/analysis/findings/network/bucket_predictions.hpp"
#include "suite/contract/vocabulary/collectives.hpp"
#include "tests/support/binomial_bound.hpp"

namespace ddpbench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int kRoundsMeasured = 20;

// Rounds in which the machine drifts by a tenth for all arms alike, and each block by a thousandth of its own.
class MadeUpCollectives {
 public:
  MadeUpCollectives& add(const std::string& arm, const char* role, std::int64_t bytes, double us,
                         const std::string& collective = "all_reduce") {
    std::uniform_real_distribution<double> own(0.999, 1.001);
    for (int round = 1; round <= kRoundsMeasured; ++round) {
      CollectiveSampleRow row;
      row.launch_id = "c-0";
      row.nodes = 2;
      row.ranks_per_node = 2;
      row.collective = collective;
      row.bytes = bytes;
      row.messages = 1;
      row.arm = arm;
      row.role = role;
      row.round = round;
      row.calls = 10;
      row.wall_s = us * 1e-6 * (1 + 0.1 * std::sin(round)) * own(generator_);
      row.slowest_s = 1.1 * row.wall_s;
      row.cpu_s = 0.5 * row.wall_s;
      row.longest_s = 3 * row.wall_s;
      if (round == 1 || round == kRoundsMeasured) row.wrong = 0;
      rows_.push_back(row);
    }
    return *this;
  }
  std::vector<CollectiveSampleRow>& samples() { return rows_; }
  std::vector<CollectiveRow> rows() const { return collective_rows(rows_); }

 private:
  std::mt19937 generator_{5};
  std::vector<CollectiveSampleRow> rows_;
};

TEST(Collectives, AnArmIsComparedWithTheReferenceOfItsRounds) {
  MadeUpCollectives made;
  made.add("mpi_nonblocking", collective_role::kReference, 1 << 20, 1000).add("mpi", collective_role::kBackend, 1 << 20, 1250);
  const auto rows = made.rows();
  ASSERT_THAT(rows, SizeIs(2));
  const auto& mpi = rows[1];
  EXPECT_EQ(mpi.reference, "mpi_nonblocking");
  EXPECT_NEAR(mpi.speed.value, 0.8, 1e-3);
  EXPECT_LT(mpi.speed.hi - mpi.speed.lo, 2e-3) << "the drift is the pair's and plays no part";
  EXPECT_NEAR(mpi.beyond_us.value, 250, 5);
  EXPECT_NEAR(mpi.cores, 0.5, 1e-9);
  EXPECT_TRUE(std::isnan(rows[0].speed.value)) << "with itself nothing is compared";
}

TEST(Collectives, BandwidthsAreThoseOfNcclTests) {
  MadeUpCollectives made;
  made.add("mpi_nonblocking", collective_role::kReference, 1 << 20, 1000).add("copy", collective_role::kLimit, 1 << 20, 100);
  const auto rows = made.rows();
  const auto& reference = rows[0];
  EXPECT_DOUBLE_EQ(reference.algbw_gb_s, (1 << 20) / (reference.time_us.value * 1e-6) / 1e9);
  EXPECT_DOUBLE_EQ(reference.busbw_gb_s.value, 1.5 * reference.algbw_gb_s) << "2 (n - 1) / n of 4 ranks";
  EXPECT_LT(reference.busbw_gb_s.lo, reference.busbw_gb_s.value);
  EXPECT_GT(reference.busbw_gb_s.hi, reference.busbw_gb_s.value);
  EXPECT_DOUBLE_EQ(rows[1].busbw_gb_s.value, rows[1].algbw_gb_s) << "a copy crosses no link";
}

TEST(Collectives, ABarrierHasATimeAndNoBandwidth) {
  MadeUpCollectives made;
  made.add("gloo", collective_role::kReference, 0, 50, "barrier");
  EXPECT_NEAR(made.rows().front().time_us.value, 50, 1);
  EXPECT_TRUE(std::isnan(made.rows().front().busbw_gb_s.value));
}

TEST(Collectives, TheLineThroughTheSizesHasTheirLatencyAndBandwidth) {
  MadeUpCollectives made;
  for (std::int64_t bytes = 4; bytes <= 1 << 26; bytes *= 4)
    made.add("gloo", collective_role::kReference, bytes, 30 + static_cast<double>(bytes) / 2e9 * 1e6);
  const auto fits = collective_fits(made.rows());
  ASSERT_THAT(fits, SizeIs(1));
  EXPECT_LT(fits[0].alpha_us.lo, 30);
  EXPECT_GT(fits[0].alpha_us.hi, 30);
  EXPECT_NEAR(fits[0].alpha_us.value, 30, 1);
  EXPECT_NEAR(fits[0].bandwidth_gb_s.value, 2, 0.04);
  EXPECT_LT(std::abs(fits[0].worst_miss_percent), 3);
}

TEST(Collectives, WhereNoLineHoldsItSaysWhereItFailsMost) {
  MadeUpCollectives made;
  for (std::int64_t bytes = 4; bytes <= 1 << 26; bytes *= 4) {
    const double at_one_size = bytes == 1 << 14 ? 10 : 1;
    made.add("gloo", collective_role::kReference, bytes, at_one_size * (30 + static_cast<double>(bytes) / 2e9 * 1e6));
  }
  const auto fit = collective_fits(made.rows()).front();
  EXPECT_EQ(fit.worst_miss_bytes, 1 << 14);
  EXPECT_LT(fit.worst_miss_percent, -50);
}

TEST(Collectives, ThreeSizesBearNoLine) {
  MadeUpCollectives made;
  for (const std::int64_t bytes : {4, 64, 1024}) made.add("gloo", collective_role::kReference, bytes, 30);
  EXPECT_EQ(collective_fits(made.rows()).front().reason, "3 sizes; a line takes 4");
}

TEST(CollectiveWords, ABackendIsSaidAgainstTheLibrarySmallAndLarge) {
  MadeUpCollectives made;
  for (const std::int64_t bytes : {64, 4096, 1 << 20, 1 << 24}) {
    const double us = 2 + static_cast<double>(bytes) / 2e9 * 1e6;
    made.add("mpi_nonblocking", collective_role::kReference, bytes, us).add("mpi", collective_role::kBackend, bytes, us + 30);
  }
  const auto rows = made.rows();
  EXPECT_THAT(
      collective_sentences(rows),
      ElementsAre(testing::AllOf(HasSubstr("all_reduce, 4 ranks on 2 nodes: mpi takes 30 us longer than mpi_nonblocking for "
                                           "64 B to 4 KiB, and has 0.95 to 1.00 of its speed for 1 MiB to 16 MiB"),
                                 HasSubstr("It keeps 0.5 cores busy for each rank."))));
}

TEST(CollectiveWords, WhatIsFasterForSomeSizesAndSlowerForOthersIsSaidSo) {
  MadeUpCollectives made;
  made.add("mpi_nonblocking", collective_role::kReference, 64, 100).add("gloo", collective_role::kBackend, 64, 60);
  made.add("mpi_nonblocking", collective_role::kReference, 4096, 100).add("gloo", collective_role::kBackend, 4096, 300);
  EXPECT_THAT(collective_sentences(made.rows()),
              Contains(testing::ContainsRegex(
                  "gloo takes between 40 us less and 20[0-9] us longer than mpi_nonblocking for 64 B to 4 KiB")));
}

TEST(CollectiveWords, TheBestBucketsAreSaidBesideDdpsOwn) {
  MadeUpCollectives made;
  const auto add = [&made](const std::string& cap, double us) {
    const auto before = made.samples().size();
    made.add("gloo", collective_role::kReference, 90 << 20, us);
    for (auto i = before; i < made.samples().size(); ++i) {
      made.samples()[i].bucket_cap = cap;
      made.samples()[i].messages = cap == "1" ? 90 : 5;
      made.samples()[i].role = collective_role::kBackend;
    }
  };
  add("1", 60'000);
  add("25", 90'000);
  add("default", 84'000);
  const auto rows = made.rows();
  EXPECT_NEAR(rows[0].default_over.value, 1.4, 2e-3);
  EXPECT_TRUE(std::isnan(rows[2].default_over.value)) << "itself";
  EXPECT_THAT(
      collective_sentences(rows),
      ElementsAre("gloo, 4 ranks on 2 nodes: moving the model's 90 MiB of gradients takes least with bucket_cap_mb = 1: 60 ms "
                  "(2.35 GB/s) in 90 buckets; with DDP's own buckets it takes 1.40 [1.40, 1.40] times as long."));
}

// The step of 900 ms and its 84 ms of buckets, of which DDP hides a half in the one size and nothing in its own.
class BucketsWithinAStep : public testing::Test {
 protected:
  BucketsWithinAStep() {
    add("all_reduce", "gloo", collective_role::kReference, "4", 80'000);
    add("all_reduce", "gloo", collective_role::kReference, "default", 84'000);
    for (const char* cap : {"4", "default"}) add(kStepCase, kComputeArm, collective_role::kReference, cap, 900'000);
    add(kStepCase, "gloo", collective_role::kBackend, "4", 940'000);
    add(kStepCase, "gloo", collective_role::kBackend, "default", 990'000);
  }

  void add(const std::string& collective, const std::string& arm, const char* role, const std::string& cap, double us) {
    const auto before = made_.samples().size();
    made_.add(arm, role, 90 << 20, us, collective);
    for (auto i = before; i < made_.samples().size(); ++i) {
      made_.samples()[i].bucket_cap = cap;
      made_.samples()[i].messages = cap == "default" ? 5 : 22;
    }
  }

  MadeUpCollectives made_;
};

TEST_F(BucketsWithinAStep, AreComparedWithComputingAlone) {
  const auto rows = made_.rows();
  const auto step = std::find_if(rows.begin(), rows.end(), [](const auto& row) {
    return row.collective == kStepCase && row.arm == "gloo" && row.bucket_cap == "4";
  });
  ASSERT_NE(step, rows.end());
  EXPECT_EQ(step->reference, kComputeArm);
  EXPECT_NEAR(step->beyond_us.value, 40'000, 1'000);
  EXPECT_NEAR(step->default_over.value, 990.0 / 940, 2e-3);
  EXPECT_TRUE(std::isnan(step->busbw_gb_s.value)) << "most of a step is compute";
}

TEST_F(BucketsWithinAStep, AreSaidWithWhatOfThemIsHidden) {
  EXPECT_THAT(collective_sentences(made_.rows()),
              Contains(testing::AllOf(
                  HasSubstr("gloo, 4 ranks on 2 nodes: a step (forward and backward) takes least with bucket_cap_mb = 4: 94"),
                  testing::ContainsRegex(
                      "] ms longer than computing alone .its buckets alone take 80 ms: 4[0-9] to 5[0-9] % of that is hidden"),
                  HasSubstr("; with DDP's own buckets it takes 1.05"))));
}

TEST_F(BucketsWithinAStep, WhatIsHiddenIsOpenWhereTheStepIsNotKnownBetter) {
  for (auto& row : made_.samples()) {
    if (row.collective == kStepCase && row.arm == "gloo") row.wall_s += row.round % 2 == 0 ? 0.2 : -0.2;
  }
  EXPECT_THAT(collective_sentences(made_.rows()),
              Contains(HasSubstr("(its buckets alone take 80 ms: how much of that is hidden is open)")));
}

TEST_F(BucketsWithinAStep, MayTakeMoreBesideTheComputeThanAlone) {
  add(kStepCase, "gloo", collective_role::kBackend, "4", 1'200'000);
  auto& samples = made_.samples();
  std::erase_if(samples, [](const auto& row) {
    return row.collective == kStepCase && row.arm == "gloo" && (row.bucket_cap == "default" || row.wall_s < 1.05);
  });
  EXPECT_THAT(collective_sentences(made_.rows()),
              Contains(HasSubstr("(its buckets alone take 80 ms: beside the compute more) with bucket_cap_mb = 4.")));
}

// 10 MiB full after 100 ms, 30 MiB after 200 ms; a step of 210 ms; a message takes 1 ms and 2 ms for each MiB.
TEST(BucketPredictions, ABucketIsSentWhenItIsFullAndTheOneBeforeItIsThrough) {
  const auto us = [](std::int64_t bytes) { return 1'000 + 2'000 * static_cast<double>(bytes >> 20); };
  const std::vector<FilledBucket> apart{{0.1, 10 << 20}, {0.2, 30 << 20}};
  EXPECT_DOUBLE_EQ(end_of_buckets_us(apart, us), 200'000 + 61'000) << "the first is through long before";
  const std::vector<FilledBucket> queued{{0.195, 10 << 20}, {0.2, 30 << 20}};
  EXPECT_DOUBLE_EQ(end_of_buckets_us(queued, us), 195'000 + 21'000 + 61'000) << "the second waits for the first";
}

// Two messages of 30 and 60 ms, which keep half a core busy; a step of DDP on the ideal network takes 900 ms in the rounds, 0.9 of what its timeline
// did, and half a core too. What the rounds drift by is half a percent in the middle.
class PredictedBuckets : public BucketsWithinAStep {
 protected:
  PredictedBuckets() { add(kStepCase, kIdealArm, collective_role::kLimit, "4", 900'000); }

  void add_sizes() {
    for (const std::int64_t mib : {20, 40})
      made_.add("gloo", collective_role::kReference, mib << 20, 1'000 * static_cast<double>(mib));
  }

  double predicted(const std::string& collective, const std::vector<FilledBucket>& buckets, double cores_per_node) {
    for (auto& sample : made_.samples()) {
      if (sample.arm == kIdealArm) sample.filled = text_of(buckets);
    }
    auto rows = made_.rows();
    add_predictions(made_.samples(), cores_per_node, rows);
    return std::find_if(
               rows.begin(), rows.end(),
               [&](const auto& row) { return row.collective == collective && row.arm == "gloo" && row.bucket_cap == "4"; })
        ->predicted_us;
  }

  const std::vector<FilledBucket> apart_{{0.4, 30 << 20}, {0.8, 60 << 20}, {1.0, 0}};
  const double many_cores_ = 64;
};

TEST_F(PredictedBuckets, NeedTheirMessagesBySize) { EXPECT_TRUE(std::isnan(predicted(kStepCase, apart_, many_cores_))); }

TEST_F(PredictedBuckets, AloneTakeTheirMessagesTimes) {
  add_sizes();
  EXPECT_NEAR(predicted("all_reduce", apart_, many_cores_), 90'000, 0.01 * 90'000);
}

TEST_F(PredictedBuckets, WithinAStepAreWaitedForFromWhenTheLastIsHandedOver) {
  add_sizes();
  const double with_waits = predicted(kStepCase, apart_, many_cores_);
  EXPECT_NEAR(with_waits, 960'000, 0.01 * 960'000) << "the last bucket is always waited for";
  const std::vector<FilledBucket> queued{{0.78, 30 << 20}, {0.8, 60 << 20}, {1.0, 0}};
  EXPECT_NEAR(predicted(kStepCase, queued, many_cores_) - with_waits, 12'000, 0.02 * 12'000)
      << "and 12 ms of the first: it is handed over 18 ms before the last one and takes 30";
}

TEST_F(PredictedBuckets, HideNothingWhereARankHasNoCoreToSpare) {
  add_sizes();
  // (900 + 90 ms) of half a core on two ranks of a node with 0.9 cores
  EXPECT_NEAR(predicted(kStepCase, apart_, 0.9), 990'000 * 0.5 / 0.45, 0.01 * 1'100'000);
}

TEST(CollectiveWords, ABucketSizeThatIsNotMeasurablyFasterIsNotRecommended) {
  CollectiveRow row;
  row.arm = "gloo";
  row.role = collective_role::kBackend;
  row.nodes = 1;
  row.world_size = 2;
  row.bytes = 90 << 20;
  row.bucket_cap = "16";
  row.messages = 6;
  row.time_us.value = 79'000;
  row.default_over = {1.09, 0.95, 1.24};
  row.busbw_gb_s.value = 1.2;
  auto own = row;
  own.bucket_cap = own.layout = "default";
  own.time_us.value = 84'000;
  own.default_over = {};
  EXPECT_THAT(
      collective_sentences(std::vector{row, own}),
      ElementsAre(
          "gloo, 2 ranks on 1 node: moving the model's 90 MiB of gradients is measurably faster with no bucket size that was "
          "tried than with DDP's own; with DDP's own (bucket_cap_mb = default) it takes 84 ms (1.20 GB/s) in 6 buckets."));
  EXPECT_THAT(collective_sentences(std::vector{row}),
              ElementsAre(HasSubstr("gradients takes 79 ms (1.20 GB/s) in 6 buckets with bucket_cap_mb = 16.")))
      << "nothing stands beside it";
}

// Each as fast as any other: five sizes in turn, by rounds of one per cent.
std::vector<CollectiveSampleRow> equal_buckets(std::mt19937& generator, bool one_layout = false) {
  std::normal_distribution<double> scatter(0, 0.01);
  std::vector<CollectiveSampleRow> rows;
  for (const char* cap : {"default", "1", "2", "4", "8", "16"}) {
    for (int round = 1; round <= 12; ++round) {
      CollectiveSampleRow row;
      row.launch_id = "c-0";
      row.nodes = 1;
      row.ranks_per_node = 2;
      row.collective = "all_reduce";
      row.bucket_cap = cap;
      row.bytes = 90 << 20;
      row.messages = one_layout ? 1 : 5;
      row.arm = "gloo";
      row.role = collective_role::kReference;
      row.round = round;
      row.calls = 10;
      row.wall_s = row.slowest_s = 0.08 * std::exp(scatter(generator));
      rows.push_back(row);
    }
  }
  return rows;
}

TEST(CollectiveWords, OfEqualBucketsNoneIsRecommendedBeyondChance) {
  std::mt19937 generator(11);
  int recommended = 0;
  for (int draw = 0; draw < 400; ++draw) {
    const auto said = collective_sentences(collective_rows(equal_buckets(generator)));
    recommended += said.at(0).find("takes least with") != std::string::npos ? 1 : 0;
  }
  EXPECT_LE(recommended, binomial_bound(400, 0.05));
  EXPECT_GE(recommended, 2) << "the test can see it";
}

TEST(CollectiveWords, SizesThatMakeTheSameBucketsAreOne) {
  std::mt19937 generator(11);
  const auto said = collective_sentences(collective_rows(equal_buckets(generator, true)));
  EXPECT_THAT(
      said, ElementsAre(testing::AllOf(HasSubstr("gradients takes 80 ms"), HasSubstr("in 1 bucket with bucket_cap_mb = default."),
                                       testing::Not(HasSubstr("least")))));
}

TEST(CollectiveWords, WrongResultsComeFirst) {
  MadeUpCollectives made;
  made.add("mpi_nonblocking", collective_role::kReference, 4096, 10).add("mpi", collective_role::kBackend, 4096, 20);
  made.samples().back().wrong = 3;
  const auto sentences = collective_sentences(made.rows());
  EXPECT_EQ(sentences.front(), "WRONG RESULTS: mpi, all_reduce of 4 KiB, 4 ranks on 2 nodes: 3 elements");
}

TEST(CollectiveWords, NothingMeasuredSaysNothing) { EXPECT_THAT(collective_sentences({}), IsEmpty()); }

}  // namespace
}  // namespace ddpbench
