#include "reports/analysis/findings/network/backend_shares.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "reports/analysis/answer/backend_phrases.hpp"
#include "suite/contract/vocabulary/collectives.hpp"
#include "tests/support/binomial_bound.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr int kShareRounds = 16;
constexpr double kSecondsPerMs = 1e-3;

struct MadeUpTimes {
  double mean_ms = 0, slowest_ms = 0;
};

// Rounds in which every block has a thousandth of its own.
class MadeUpShares {
 public:
  explicit MadeUpShares(unsigned seed = 5) : generator_(seed) {}

  MadeUpShares& add(const std::string& collective, const std::string& arm, MadeUpTimes times, const std::string& cap = "25") {
    std::uniform_real_distribution<double> own(-0.001, 0.001);
    for (int round = 1; round <= kShareRounds; ++round) {
      CollectiveSampleRow row;
      row.launch_id = "c-0";
      row.nodes = 1;
      row.ranks_per_node = 2;
      row.collective = collective;
      row.bucket_cap = cap;
      row.bytes = 1 << 20;
      row.messages = 4;
      row.arm = arm;
      row.role = arm == "mpi_nonblocking" ? collective_role::kReference
                 : arm == "mpi_blocking"  ? collective_role::kBare
                                          : collective_role::kBackend;
      row.round = round;
      row.wall_s = kSecondsPerMs * times.mean_ms * (1 + own(generator_));
      row.slowest_s = row.wall_s + kSecondsPerMs * (std::max(times.slowest_ms, times.mean_ms) - times.mean_ms);
      rows_.push_back(row);
    }
    return *this;
  }
  // Its rounds behind the first ones.
  MadeUpShares& forget(const std::string& collective, const std::string& arm, int rounds) {
    std::erase_if(rows_, [&](const auto& row) {
      return row.collective == collective && row.arm == arm && (row.round < rounds || rounds > kShareRounds);
    });
    return *this;
  }
  // By a half in these rounds.
  MadeUpShares& slow_down(const std::string& collective, const std::string& arm, const std::vector<int>& rounds) {
    for (auto& row : rows_) {
      const bool is_one = std::find(rounds.begin(), rounds.end(), row.round) != rounds.end();
      if (row.collective == collective && row.arm == arm && is_one) row.wall_s *= 1.5;
    }
    return *this;
  }
  // Round by round, ms; further rounds go.
  MadeUpShares& set_times(const std::string& collective, const std::string& arm, const std::vector<double>& ms) {
    std::erase_if(rows_, [&](const auto& row) { return row.round > static_cast<std::int64_t>(ms.size()); });
    for (auto& row : rows_) {
      if (row.collective == collective && row.arm == arm)
        row.wall_s = kSecondsPerMs * ms[static_cast<std::size_t>(row.round - 1)];
    }
    return *this;
  }
  std::vector<BackendShareRow> rows() const { return backend_share_rows(rows_); }
  std::vector<BackendShareRow> rows_of_rounds(int rounds) const {
    auto first = rows_;
    std::erase_if(first, [rounds](const auto& row) { return row.round > rounds; });
    return backend_share_rows(first);
  }

 private:
  std::mt19937 generator_;
  std::vector<CollectiveSampleRow> rows_;
};

// 100 ms of computing, 3 of DDP's work, a rank that takes 2 longer; the library moves the buckets in 20 ms.
MadeUpShares two_backends(double gloo_step_ms = 150, double mpi_step_ms = 112) {
  MadeUpShares made;
  made.add("all_reduce", "mpi_nonblocking", {20}).add("all_reduce", "gloo", {50}).add("all_reduce", "mpi", {22});
  made.add(kStepCase, kComputeArm, {100}).add(kStepCase, kIdealArm, {103, 105});
  made.add(kStepCase, "gloo", {gloo_step_ms}).add(kStepCase, "mpi", {mpi_step_ms});
  return made;
}

TEST(BackendShares, AreFloorBackendDdpSkewAndOverlap) {
  const auto rows = two_backends().rows();
  ASSERT_THAT(rows, SizeIs(2));
  const auto& gloo = rows[0];
  EXPECT_EQ(gloo.backend, "gloo");
  EXPECT_EQ(gloo.floor_arm, "mpi_nonblocking");
  EXPECT_NEAR(gloo.step_us.value, 150'000, 100);
  EXPECT_NEAR(gloo.exposed_us.value, 50'000, 100);
  EXPECT_NEAR(gloo.floor_us.value, 20'000, 20);
  EXPECT_NEAR(gloo.backend_us.value, 30'000, 50);
  EXPECT_NEAR(gloo.ddp_us.value, 3'000, 100);
  EXPECT_NEAR(gloo.skew_us.value, 2'000, 1);
  EXPECT_NEAR(gloo.overlap_us.value, -5'000, 200) << "50 - 20 - 30 - 3 - 2: so much is hidden";
  EXPECT_LT(gloo.overlap_us.lo, gloo.overlap_us.value);
  EXPECT_GT(gloo.overlap_us.hi, gloo.overlap_us.value);
  EXPECT_NEAR(rows[1].overlap_us.value, -15'000, 200);
  EXPECT_EQ(gloo.rounds, kShareRounds);
}

TEST(BackendShares, TheFloorIsTheFastestCallOfTheLibrary) {
  auto made = two_backends();
  made.add("all_reduce", "mpi_blocking", {12});
  const auto gloo = made.rows().front();
  EXPECT_EQ(gloo.floor_arm, "mpi_blocking");
  EXPECT_NEAR(gloo.floor_us.value, 12'000, 20);
  EXPECT_NEAR(gloo.backend_us.value, 38'000, 50);
}

TEST(BackendShares, StandBesideTheFastestBackend) {
  const auto rows = two_backends().rows();
  EXPECT_EQ(rows[0].fastest, "mpi");
  EXPECT_NEAR(rows[0].beyond_fastest_us.value, 38'000, 100);
  EXPECT_NEAR(rows[0].alone_beyond_us.value, 28'000, 50);
  EXPECT_TRUE(std::isnan(rows[1].beyond_fastest_us.value)) << "beside itself nothing stands";
}

// Three backends that are equal, with three sizes of buckets: the fastest of them is so by chance.
TEST(BackendShares, OfEqualBackendsNoneIsSaidToBeFasterBeyondChance) {
  constexpr int kDraws = 120;
  int said = 0;
  for (unsigned seed = 1; seed <= kDraws; ++seed) {
    MadeUpShares made(seed);
    for (const char* cap : {"1", "4", "25"}) {
      made.add(kStepCase, kComputeArm, {100}, cap).add(kStepCase, kIdealArm, {103, 105}, cap);
      for (const char* arm : {"gloo", "mpi", "nccl"}) made.add("all_reduce", arm, {20}, cap).add(kStepCase, arm, {120}, cap);
    }
    const auto sentences = backend_sentences(made.rows());
    said += std::any_of(sentences.begin(), sentences.end(), [](const auto& one) {
      return one.find("longer over") != std::string::npos || one.find("less over") != std::string::npos;
    });
  }
  EXPECT_LE(said, binomial_bound(kDraws, 0.05));
}

// As few rounds as a case has at least, four buckets and six arms: what differs by so much is said to.
TEST(BackendShares, AreToldFromEightRoundsToo) {
  MadeUpShares made;
  for (const char* cap : {"1", "4", "25", "default"}) {
    made.add("all_reduce", "mpi_nonblocking", {20}, cap).add("all_reduce", "mpi_blocking", {21}, cap);
    made.add(kStepCase, kComputeArm, {100}, cap).add(kStepCase, kIdealArm, {103, 105}, cap);
    for (const char* arm : {"gloo", "mpi", "mpi_poll"}) {
      const double ms = arm == std::string("gloo") ? 50 : 22;
      made.add("all_reduce", arm, {ms}, cap).add(kStepCase, arm, {100 + ms}, cap);
    }
  }
  for (const auto& row : made.rows_of_rounds(8)) {
    EXPECT_TRUE(std::isfinite(row.floor_us.lo) && std::isfinite(row.overlap_us.hi)) << row.backend;
    if (row.backend == "gloo") {
      EXPECT_GT(row.beyond_fastest_us.lo, 20'000);
    }
  }
}

TEST(BackendShares, WithoutTheBucketsAloneThereAreNone) {
  MadeUpShares made;
  made.add(kStepCase, kComputeArm, {100}).add(kStepCase, kIdealArm, {103}).add(kStepCase, "gloo", {150});
  EXPECT_THAT(made.rows(), IsEmpty());
}

TEST(BackendShares, WithoutALibrarysOwnCallABackendIsTheFloor) {
  MadeUpShares made;
  made.add("all_reduce", "gloo", {20}).add(kStepCase, kComputeArm, {100}).add(kStepCase, kIdealArm, {101, 102});
  made.add(kStepCase, "gloo", {120});
  const auto rows = made.rows();
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].floor_arm, "gloo");
  EXPECT_NEAR(rows[0].floor_us.value, 20'000, 30);
  EXPECT_TRUE(std::isnan(rows[0].backend_us.value)) << "what c10d itself takes was not measured";
  EXPECT_NEAR(rows[0].overlap_us.value, -2'000, 300);
  EXPECT_THAT(backend_sentences(rows),
              ElementsAre(testing::AllOf(HasSubstr("(the same buckets alone, by gloo)"), Not(HasSubstr("own")))));
}

TEST(BackendShares, ABackendThatIsFasterThanTheLibraryIsTheFloor) {
  auto made = two_backends();
  made.add("all_reduce", "mpi_poll", {15}).add(kStepCase, "mpi_poll", {120});
  EXPECT_EQ(made.rows()[0].floor_arm, "mpi_poll");
}

TEST(BackendShares, AreOfTheRoundsThatHaveEveryTime) {
  auto made = two_backends();
  made.forget(kStepCase, "gloo", 9);  // as where a rank died
  EXPECT_EQ(made.rows()[0].rounds, kShareRounds - 8);
  EXPECT_EQ(made.rows()[1].rounds, kShareRounds);
  made.forget(kStepCase, "gloo", 99);
  EXPECT_THAT(made.rows(), SizeIs(1));
}

// Of skewed rounds the median of the sums is not the sum of the medians.
TEST(BackendShares, WhatTheMediansLeaveIsTold) {
  auto made = two_backends();
  made.slow_down(kStepCase, kIdealArm, {1, 4, 7, 10}).slow_down("all_reduce", "mpi_nonblocking", {2, 5, 8, 11});
  for (const auto& row : made.rows()) {
    const double sum = row.floor_us.value + row.backend_us.value + row.ddp_us.value + row.skew_us.value + row.overlap_us.value;
    EXPECT_NEAR(row.remainder_us, row.exposed_us.value - sum, 1e-6);
    EXPECT_GT(std::abs(row.remainder_us), 1);
  }
}

// Seen: of two heavy-tailed arms the one with the smaller centre was the slower one, round by round.
TEST(BackendShares, TheFastestIsFoundRoundByRound) {
  const std::vector<double> one{1001.5, 1003.6, 1053.7, 1300.9, 1057.1, 1300.3, 1000.3, 1006.2},
      other{1002.0, 1007.3, 1051.0, 1306.9, 1057.9, 1307.1, 1005.6, 1009.0};
  MadeUpShares made;
  for (const char* arm : {"gloo", "mpi"}) made.add("all_reduce", arm, {20});
  made.add(kStepCase, kComputeArm, {900})
      .add(kStepCase, kIdealArm, {901, 902})
      .add(kStepCase, "gloo", {1})
      .add(kStepCase, "mpi", {1});
  made.set_times(kStepCase, "gloo", other).set_times(kStepCase, "mpi", one);
  const auto rows = made.rows();
  EXPECT_EQ(rows[0].fastest, "mpi");
  EXPECT_GT(rows[0].beyond_fastest_us.value, 0);
}

TEST(BackendShares, TheBucketSizeOfTheShortestStepIsMarked) {
  auto made = two_backends();
  for (const char* arm : {"mpi_nonblocking", "gloo", "mpi"}) made.add("all_reduce", arm, {20}, "1");
  made.add(kStepCase, kComputeArm, {100}, "1").add(kStepCase, kIdealArm, {103, 104}, "1").add(kStepCase, "mpi", {160}, "1");
  for (const auto& row : made.rows()) EXPECT_EQ(row.is_shortest, row.bucket_cap == "25" ? 1 : 0);
  EXPECT_THAT(backend_sentences(made.rows()), SizeIs(3)) << "two backends at that size";
}

TEST(BackendWords, SayWhyOneBackendIsSlowerAndOfWhatItsStepIsMade) {
  const auto sentences = backend_sentences(two_backends().rows());
  ASSERT_THAT(sentences, SizeIs(3));
  EXPECT_THAT(
      sentences[0],
      HasSubstr("With bucket_cap_mb = 25 on 2 ranks on 1 node a step takes 38 ms longer over gloo than over mpi ([+38, "));
  EXPECT_THAT(sentences[0], HasSubstr("): +28 ms when its buckets move alone, +10 ms more beside the compute."));
  EXPECT_THAT(sentences[1],
              HasSubstr("a step over gloo takes +50 ms beyond computing: 20 ms the floor (the same buckets alone, by "
                        "mpi_nonblocking), +30 ms gloo's own, +3.0 ms DDP's work, +2.0 ms waiting for the slowest rank, "
                        "-5.0 ms hidden"));
  EXPECT_THAT(sentences[2], HasSubstr("over mpi"));
}

TEST(BackendWords, SendingThatHoldsUpComputingIsNotCalledHidden) {
  EXPECT_THAT(backend_sentences(two_backends(180).rows())[1],
              HasSubstr("+25 ms because sending and computing hold each other up."));
}

TEST(BackendWords, AnOverlapThatMayBeNoneIsNotCalledHidden) {
  EXPECT_THAT(backend_sentences(two_backends(155).rows())[1],
              testing::ContainsRegex(", .-[0-9.]+, .[0-9.]+. (us|ms) of overlap"));
}

TEST(BackendWords, StepsThatDoNotDifferAreNotRanked) {
  const auto first = backend_sentences(two_backends(112, 112).rows())[0];
  EXPECT_THAT(first, HasSubstr("no difference between a step over "));
  EXPECT_THAT(first, HasSubstr("is measured (["));
}

}  // namespace
}  // namespace ddpbench
