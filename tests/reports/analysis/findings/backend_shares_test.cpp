#include "reports/analysis/findings/backend_shares.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "reports/analysis/answer/backend_words.hpp"
#include "suite/contract/collectives.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int kShareRounds = 16;
constexpr double kSecondsPerMs = 1e-3;

struct MadeUpTimes {
  double mean_ms = 0, slowest_ms = 0;
};

// Rounds in which every block has a thousandth of its own.
class MadeUpShares {
 public:
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
  std::vector<BackendShareRow> rows() const { return backend_share_rows(rows_); }

 private:
  std::mt19937 generator_{5};
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
  EXPECT_NEAR(gloo.step_us, 150'000, 100);
  EXPECT_NEAR(gloo.exposed_us, 50'000, 100);
  EXPECT_NEAR(gloo.floor_us, 20'000, 20);
  EXPECT_NEAR(gloo.backend_us, 30'000, 50);
  EXPECT_NEAR(gloo.ddp_us, 3'000, 100);
  EXPECT_NEAR(gloo.skew_us, 2'000, 1);
  EXPECT_NEAR(gloo.overlap_us, -5'000, 200) << "50 - 20 - 30 - 3 - 2: so much is hidden";
  EXPECT_LT(gloo.overlap_us_lo, gloo.overlap_us);
  EXPECT_GT(gloo.overlap_us_hi, gloo.overlap_us);
  EXPECT_NEAR(rows[1].overlap_us, -15'000, 200);
  EXPECT_EQ(gloo.rounds, kShareRounds);
}

TEST(BackendShares, TheFloorIsTheFastestCallOfTheLibrary) {
  auto made = two_backends();
  made.add("all_reduce", "mpi_blocking", {12});
  const auto gloo = made.rows().front();
  EXPECT_EQ(gloo.floor_arm, "mpi_blocking");
  EXPECT_NEAR(gloo.floor_us, 12'000, 20);
  EXPECT_NEAR(gloo.backend_us, 38'000, 50);
}

TEST(BackendShares, StandBesideTheFastestBackend) {
  const auto rows = two_backends().rows();
  EXPECT_EQ(rows[0].fastest, "mpi");
  EXPECT_NEAR(rows[0].beyond_fastest_us, 38'000, 100);
  EXPECT_NEAR(rows[0].alone_beyond_us, 28'000, 50);
  EXPECT_TRUE(std::isnan(rows[1].beyond_fastest_us)) << "beside itself nothing stands";
}

TEST(BackendShares, WithoutTheBucketsAloneThereAreNone) {
  MadeUpShares made;
  made.add(kStepCase, kComputeArm, {100}).add(kStepCase, kIdealArm, {103}).add(kStepCase, "gloo", {150});
  EXPECT_THAT(made.rows(), IsEmpty());
}

TEST(BackendShares, WithoutABareLibraryTheFirstBackendIsTheFloor) {
  MadeUpShares made;
  made.add("all_reduce", "mpi_nonblocking", {20}, "1");  // other buckets
  made.add(kStepCase, kComputeArm, {100}, "1").add(kStepCase, "mpi", {120}, "1");
  const auto rows = made.rows();
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_TRUE(std::isnan(rows[0].backend_us)) << "mpi's own buckets were not measured by themselves";
  EXPECT_TRUE(std::isnan(rows[0].ddp_us));
  EXPECT_NEAR(rows[0].exposed_us, 20'000, 300);
}

TEST(BackendWords, SayWhyOneBackendIsSlowerAndOfWhatItsStepIsMade) {
  const auto sentences = backend_sentences(two_backends().rows());
  ASSERT_THAT(sentences, SizeIs(3));
  EXPECT_THAT(sentences[0],
              HasSubstr("With bucket_cap_mb = 25 on 2 ranks on 1 node a step takes 38 ms longer over gloo than over mpi"));
  EXPECT_THAT(sentences[0], HasSubstr("the same buckets alone take gloo +28 ms, and computing beside them +10 ms."));
  EXPECT_THAT(sentences[1],
              HasSubstr("Beyond computing a step over gloo takes +50 ms: 20 ms the floor (the same buckets by mpi_nonblocking), "
                        "+30 ms gloo's own, +3.0 ms DDP's work, +2.0 ms waiting for the slowest rank, -5.0 ms hidden"));
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
