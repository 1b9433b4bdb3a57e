#include "reports/analysis/answer/banner.hpp"

#include <gmock/gmock.h>

#include "reports/analysis/answer/summary.hpp"
#include "tests/reports/analysis/analysed_run.hpp"

namespace ddpbench {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using Banner = AnalysedRun;

SyntheticLaunch quiet() { return {}; }  // 40 super-blocks

SyntheticLaunch disturbed_in(std::int64_t super_blocks) {
  auto launch = quiet();
  launch.disturbed = super_blocks;
  return launch;
}

TEST_F(Banner, OfAQuietMachineThereIsNone) {
  EXPECT_THAT(analyse_launches({quiet()}).banner, IsEmpty());
  EXPECT_THAT(analyse_launches({disturbed_in(7)}).banner, IsEmpty()) << "less than a fifth";
}

TEST_F(Banner, OtherProgramsAreToldWithTheirShare) {
  const auto result = analyse_launches({disturbed_in(20)});
  EXPECT_THAT(result.banner,
              ElementsAre("This machine was busy: other programs ran on its cores in 50 % of the measurement. Awaited time "
                          "leaves out what they took; the wall clock does not."));
  EXPECT_THAT(result.answer, Contains(StartsWith("That is 5.0 %"))) << "of awaited time the share holds";
}

TEST_F(Banner, OnTheWallClockABusyMachineHasNoShareOfTheStep) {
  auto launch = disturbed_in(20);
  launch.knows_awaited = false;
  const auto result = analyse_launches({launch});
  EXPECT_THAT(result.banner, ElementsAre(HasSubstr("no share of the step is told")));
  EXPECT_THAT(result.answer, Each(Not(StartsWith("That is"))));
  EXPECT_EQ(result.table.rows.at(0).share, "-");
  launch.disturbed = 0;
  EXPECT_THAT(analyse_launches({launch}).answer, Contains(StartsWith("That is 5.0 %")));
}

TEST_F(Banner, TheHypervisorIsNoProgram) {
  auto launch = disturbed_in(20);
  launch.stolen_s = 0.01;
  EXPECT_THAT(
      analyse_launches({launch}).banner,
      ElementsAre(
          "Other machines on the same host had cores of this one in 50 % of the measurement: the figures hold what they took."));
  EXPECT_THAT(analyse_launches({launch}).how_sure,
              Contains(HasSubstr(" Other machines disturbed 50 % of the pairs; the time that they took is in the figures.")));
}

TEST_F(Banner, AQuotaIsToldApartAndTheWallClockIsLeftOut) {
  auto launch = disturbed_in(38);
  launch.delays_of_threads_us["trainer"] = 40;  // on the wall clock alone
  EXPECT_THAT(analyse_launches({launch}).answer, Contains(StartsWith("On the wall clock")));
  launch.throttled_s = 0.05;
  const auto result = analyse_launches({launch});
  EXPECT_THAT(result.banner, ElementsAre("The CPU quota of the control group held the ranks back in 95 % of the measurement: "
                                         "what the wall clock says tells about the quota, and the answer leaves it out."));
  EXPECT_THAT(result.answer, Each(Not(StartsWith("On the wall clock"))));
  EXPECT_THAT(result.how_sure,
              Contains(HasSubstr(" The CPU quota disturbed 95 % of the pairs; the time that it took is left out.")));
  EXPECT_THAT(fom_lines(result.foms), AllOf(HasSubstr(".awaited = "), Not(HasSubstr(".wall = "))));
}

SyntheticLaunch launch_under(const std::string& profiler, std::int64_t repetition) {
  auto launch = quiet();
  launch.launch_id = "L000" + std::to_string(repetition);
  launch.repetition = repetition;
  launch.profiled = profiler;
  return launch;
}

TEST_F(Banner, ARunUnderAProfilerSaysSo) {
  EXPECT_THAT(analyse_launches({launch_under("nsys", 1), launch_under("nsys", 2)}).banner,
              ElementsAre("Profiled: 2 of 2 launches ran under nsys: their times include what it records."));
}

TEST_F(Banner, WhereSomeLaunchesWereProfiledTheyAreNamed) {
  const auto result = analyse_launches({launch_under("", 1), launch_under("nsys", 2), launch_under("kineto", 3)});
  EXPECT_THAT(result.banner, ElementsAre("Profiled: 1 of 3 launches (L0003) ran under kineto: its times include what it records.",
                                         "Profiled: 1 of 3 launches (L0002) ran under nsys: its times include what it records."));
}

TEST_F(Banner, ALaunchThatNeverRanIsNotCounted) {
  auto skipped = launch_under("", 2);
  skipped.status = status::kSkipped;
  EXPECT_THAT(analyse_launches({launch_under("nsys", 1), skipped}).banner,
              ElementsAre(HasSubstr("1 of 1 launch ran under nsys")));
}

// 100 us of a delay found where 80 are true: figures may be a quarter too large.
TEST_F(Banner, AControlThatIsOffIsToldAndWidensWhatIsTold) {
  auto launch = quiet();
  launch.delays_us["injected"] = 80;
  const auto result = analyse_launches({launch});
  EXPECT_THAT(result.banner,
              ElementsAre("A known delay of 80 us was found as 100 us (null): figures may be up to 25 % too large, and the "
                          "intervals of costs and their shares allow for that."));
  EXPECT_NEAR(find(result, "trainer", "awaited").control_factor, 1.25, 1e-6);
  EXPECT_EQ(result.answer[0], "trainer costs 5.0 us per step over raw DDP, between 4.0 and 5.0 us.");
  EXPECT_EQ(result.answer[1], "That is 5.0 % (4.0 to 5.0 %) of its step of 100 us.");
  EXPECT_THAT(result.table.rows.at(0).cost, HasSubstr("[+4.0, +5.0]"));
}

TEST_F(Banner, AControlThatIsTooSmallWidensToTheOtherSide) {
  auto launch = quiet();
  launch.delays_us["injected"] = 125;
  const auto result = analyse_launches({launch});
  EXPECT_THAT(result.banner, ElementsAre(HasSubstr("up to 25 % too small")));
  EXPECT_EQ(result.answer[0], "trainer costs 5.0 us per step over raw DDP, between 5.0 and 6.3 us.");
}

}  // namespace
}  // namespace ddpbench
