#include "suite/purposes/profile/profile_plan.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"
#include "suite/contract/launch/profile.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/launch/launchers/launchers.hpp"
#include "suite/purposes/profile/profiler_command.hpp"
#include "tests/support/scoped_variable.hpp"
#include "tests/support/test_vocabulary.hpp"

namespace ddpbench {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Plan plan_of_two_cells() {
  const char* text =
      "name = \"n\"\narms = [\"raw\", \"raw_again\", \"trainer\"]\n[axes]\nworkload = [\"resnet50_cifar10\"]\nranks_per_node = "
      "[1, 2]\n"
      "[protocol]\nlaunches = 3\n";
  return make_plan(parse_experiment(text, "x.toml", test::test_vocabulary()), test::test_vocabulary(), Availability{});
}

std::vector<PlannedLaunch> profiles(const ProfileRequest& request) {
  return plan_profiles(request, plan_of_two_cells(), test::test_vocabulary());
}

std::vector<std::string> mistakes_in(const ProfileRequest& request) {
  try {
    profiles(request);
  } catch (const UsageError& error) {
    return error.messages();
  }
  return {};
}

TEST(ProfilePlan, OneLaunchForEachCellOfAllArmsButControls) {
  std::vector<std::string> found;
  for (const auto& launch : profiles({.profiler = "kineto"})) {
    EXPECT_EQ(launch.spec.purpose, purpose::kProfile);
    EXPECT_THAT(launch.spec.arms, ElementsAre("raw", "trainer"));
    EXPECT_TRUE(launch.extra.empty());
    found.push_back(launch.spec.launch_id);
  }
  EXPECT_THAT(found, testing::UnorderedElementsAre("resnet50_cifar10-ddp-gloo-n1r1-fp32-b16-r0-kineto",
                                                   "resnet50_cifar10-ddp-gloo-n1r2-fp32-b16-r0-kineto"));
  EXPECT_THAT(profiles({}), IsEmpty()) << "none is asked for";
}

TEST(ProfilePlan, TakesTheArmsStepsAndRanksThatAreAskedFor) {
  const auto launches =
      profiles({.profiler = "kineto", .arms = {"raw_again"}, .ranks = {"0"}, .with = {"shapes"}, .steps = "3..4"});
  ASSERT_EQ(launches.size(), 2U);
  const auto& spec = launches.front().spec;
  EXPECT_THAT(spec.arms, ElementsAre("raw_again")) << "a control, where it is asked for";
  EXPECT_EQ(parse_profiled_steps(spec.profile_steps).count(), 2);
  EXPECT_TRUE(is_profiled(spec, 0));
  EXPECT_FALSE(is_profiled(spec, 1));
  EXPECT_THAT(spec.profile_with, ElementsAre("shapes"));
}

TEST(ProfilePlan, ACellRecordsThoseOfTheRanksThatItHas) {
  const auto launches = profiles({.profiler = "nsys", .ranks = {"1"}});
  ASSERT_EQ(launches.size(), 1U) << "the other cell has one rank";
  EXPECT_EQ(launches.front().spec.launch_id, "resnet50_cifar10-ddp-gloo-n1r2-fp32-b16-r0-nsys");
  EXPECT_EQ(profiles({.profiler = "nsys", .ranks = {"0", "1"}}).size(), 2U);
}

TEST(ProfilePlan, EveryMistakeIsTold) {
  EXPECT_THAT(mistakes_in({.profiler = "perf"}), ElementsAre("profiler = 'perf': must be one of kineto, nsys"));
  EXPECT_THAT(mistakes_in({.profiler = "kineto", .arms = {"trainr"}}),
              Contains(HasSubstr("--profile-arms: unknown arm 'trainr'")));
  EXPECT_THAT(mistakes_in({.profiler = "kineto", .ranks = {"2"}}), ElementsAre("--profile-ranks 2: must be a rank, from 0 to 1"));
  EXPECT_THAT(mistakes_in({.profiler = "kineto", .ranks = {"x"}}), Contains(HasSubstr("profile_ranks = 'x': must be a rank")));
  EXPECT_THAT(mistakes_in({.profiler = "kineto", .with = {"flops"}}),
              Contains(HasSubstr("must be one of shapes, memory, stacks")));
  EXPECT_THAT(mistakes_in({.profiler = "nsys", .with = {"shapes"}}), Contains(HasSubstr("is for profiler kineto")));
}

TEST(ProfiledSteps, AreTwoNumbersThatLeaveOneStepToWarmUp) {
  EXPECT_EQ(parse_profiled_steps("11..20").count(), 10);
  EXPECT_EQ(parse_profiled_steps("2..2").count(), 1);
  for (const auto* text : {"", "11", "1..3", "5..4", "2..x", "2...4", "2..1002", "-2..4"})
    EXPECT_THROW(parse_profiled_steps(text), UsageError) << text;
}

TEST(ProfilePlan, AScheduleTakesThePlaceOfSteps) {
  const auto launches = profiles({.profiler = "kineto", .schedule = "1/1/3/2"});
  ASSERT_EQ(launches.size(), 2U);
  std::vector<std::string> found;
  for (const auto& window : profiled_windows(launches.front().spec)) {
    found.push_back(window.arms.front() + " " + std::to_string(window.span) + ": " + std::to_string(window.steps.first) + ".." +
                    std::to_string(window.steps.last));
    EXPECT_EQ(window.arms.size(), 1U);
  }
  EXPECT_THAT(found, ElementsAre("raw 1: 3..5", "raw 2: 8..10", "trainer 1: 3..5", "trainer 2: 8..10"));
  EXPECT_EQ(trace_suffix(launches.front().spec, 3), ".4.json");
}

TEST(ProfilePlan, WithoutAScheduleAllArmsAreInOneTrace) {
  const auto spec = profiles({.profiler = "kineto", .steps = "3..4"}).front().spec;
  const auto windows = profiled_windows(spec);
  ASSERT_EQ(windows.size(), 1U);
  EXPECT_THAT(windows.front().arms, ElementsAre("raw", "trainer"));
  EXPECT_EQ(windows.front().span, 0);
  EXPECT_EQ(windows.front().steps.first, 3);
  EXPECT_EQ(trace_suffix(spec, 0), ".json");
}

TEST(ProfilePlan, AScheduleIsForKinetoAndNotBesideSteps) {
  EXPECT_THAT(mistakes_in({.profiler = "nsys", .schedule = "1/1/3/2"}),
              ElementsAre("profile_schedule is for profiler kineto: a report of nsys is one window"));
  EXPECT_THAT(mistakes_in({.profiler = "kineto", .steps = "3..4", .schedule = "1/1/3/2"}),
              ElementsAre("--schedule says which steps a trace shows, as --profile-steps does: leave one of them out"));
  EXPECT_THAT(
      mistakes_in({.profiler = "kineto", .schedule = "1/1/3"}),
      ElementsAre("--schedule (profile_schedule) '1/1/3': must be WAIT/WARMUP/ACTIVE/REPEAT, as in 1/1/3/2: ACTIVE and REPEAT at "
                  "least 1, and 1000 steps at most in all cycles together"));
}

TEST(ProfileSchedule, IsOfFourNumbersWithinItsBound) {
  const auto schedule = parse_profile_schedule("0/2/3/4");
  EXPECT_EQ(schedule.wait, 0);
  EXPECT_EQ(schedule.warmup, 2);
  EXPECT_EQ(schedule.active, 3);
  EXPECT_EQ(schedule.repeat, 4);
  EXPECT_EQ(parse_profile_schedule("0/0/1/1000").repeat, 1000);
  for (const auto* text : {"", "1/1/3", "1/1/3/2/1", "1/1/0/2", "1/1/3/0", "-1/1/3/2", "a/1/3/2", "1//3/2", "1/1/3/2 ",
                           "0/0/1/1001", "250/250/1/2", "9223372036854775807/1/1/1"})
    EXPECT_THROW(parse_profile_schedule(text), UsageError) << text;
}

Program program_of_ranks() { return {{"worker"}, {}, {}}; }

LaunchSpec profile_by(const std::string& profiler) {
  LaunchSpec spec;
  spec.purpose = purpose::kProfile;
  spec.profiler = profiler;
  spec.part_dir = "/parts/L";
  return spec;
}

const Launcher& launcher_called(const char* name) { return find_entry(launchers(), "launcher", name); }

TEST(UnderProfiler, NsysStandsBeforeTheProgramAndTakesItsWindowAlone) {
  const test::ScopedVariable nsys("DDPBENCH_NSYS", "/opt/nsys");
  const auto program = under_profiler(launcher_called("local"), profile_by("nsys"), program_of_ranks());
  EXPECT_EQ(program.tokens.front(), "/opt/nsys");
  EXPECT_EQ(program.tokens.back(), "worker");
  EXPECT_THAT(program.tokens, AllOf(Contains("--nvtx-capture=measure@ddpbench"), Contains("--kill=none"),
                                    Contains("--output=/parts/L/trace.%q{RANK}")));
}

TEST(UnderProfiler, EachLauncherTellsTheRankInItsOwnVariable) {
  const test::ScopedVariable nsys("DDPBENCH_NSYS", "/opt/nsys");
  const auto of = [](const char* launcher) {
    return under_profiler(launcher_called(launcher), profile_by("nsys"), program_of_ranks()).tokens;
  };
  EXPECT_THAT(of("srun"), Contains("--output=/parts/L/trace.%q{SLURM_PROCID}"));
  EXPECT_THAT(of("torchrun"), Contains("--output=/parts/L/trace.%q{RANK}"));
  EXPECT_THAT(of("ssh"), Contains("--output=/parts/L/trace.%q{RANK}"));
}

TEST(UnderProfiler, KinetoNeedsNoOtherProgram) {
  EXPECT_THAT(under_profiler(launcher_called("local"), profile_by("kineto"), program_of_ranks()).tokens, ElementsAre("worker"));
}

TEST(UnderProfiler, WithoutNsysTheReasonNamesWhatToDo) {
  const test::ScopedVariable none("DDPBENCH_NSYS", ""), path("PATH", "/nonexistent");
  EXPECT_THAT(why_no_profiler("nsys"), HasSubstr("DDPBENCH_NSYS"));
  EXPECT_EQ(why_no_profiler("kineto"), "");
}

TEST(NsysOutput, ItsProgressIsLeftOutAndItsErrorsAreNot) {
  EXPECT_TRUE(is_progress_of_nsys("Capture range started in the application."));
  EXPECT_TRUE(is_progress_of_nsys("Generating '/tmp/nsys-report-6136.qdstrm'"));
  EXPECT_TRUE(is_progress_of_nsys("    /out/trace.0.nsys-rep"));
  EXPECT_TRUE(is_progress_of_nsys("?[1/1] [0%                          ] trace.0.nsys-rep"));
  EXPECT_FALSE(is_progress_of_nsys("Failed to create '/out/trace.0.nsys-rep': No space left on device"));
}

}  // namespace
}  // namespace ddpbench
