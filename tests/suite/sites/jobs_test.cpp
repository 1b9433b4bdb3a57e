#include "suite/sites/jobs.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"
#include "tests/suite/sites/a_plan.hpp"

namespace ddpbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using test::launches_on;

Site site() {
  Site site;
  site.name = "mine";
  site.batch_system = "slurm";
  site.node_gpus = 4;
  site.qualities = {{"dev", 2, 16, 2}, {"normal", 20, 64, 0}, {"long", 100, 32, 0}};
  return site;
}

const Plan kPlan{{launches_on(1, 4, 10), launches_on(2, 4, 10), launches_on(4, 3, 10), launches_on(8, 4, 10, "too large")}, {}};

TEST(Jobs, OneHoldsAllSizesThatArePossible) {
  const auto planned = plan_jobs(kPlan, site(), {});
  ASSERT_EQ(planned.jobs.size(), 1U);
  const auto& job = planned.jobs.front();
  EXPECT_EQ(job.name, "all");
  EXPECT_EQ(job.constraint, "");
  EXPECT_EQ(job.nodes, 4);
  EXPECT_EQ(job.gpus, 16) << "whole nodes";
  EXPECT_EQ(job.cells, 3U);
  EXPECT_EQ(job.launches, 30U);
  EXPECT_EQ(job.measuring_seconds, 900);
  EXPECT_EQ(job.starting_seconds, 900);
  EXPECT_EQ(job.minutes, 35) << "30 minutes and 5 more";
  EXPECT_EQ(job.parts, 1);
  EXPECT_NEAR(job.gpu_hours, 35.0 / 60 * 16, 1e-9) << "of all that is asked for";
  EXPECT_EQ(job.quality, "dev");
  EXPECT_THAT(planned.refusals, IsEmpty());
  EXPECT_EQ(size_phrase(job), "4 nodes, 16 GPUs");
}

TEST(Jobs, OneForEachNodeCountHasItsCellsOnly) {
  const auto planned = plan_jobs(kPlan, site(), {.layout = JobLayout::kPerNodeCount, .quality = "", .minutes = {}});
  ASSERT_EQ(planned.jobs.size(), 3U);
  EXPECT_EQ(planned.jobs[1].name, "nodes-2");
  EXPECT_EQ(planned.jobs[1].constraint, "nodes == 2");
  EXPECT_EQ(planned.jobs[1].nodes, 2);
  EXPECT_EQ(planned.jobs[1].launches, 10U);
  EXPECT_THAT(planned.refusals, ElementsAre(HasSubstr("3 jobs of dev, which allows 2 at a time: `--jobs one` needs one")));
}

TEST(Jobs, AnArrayHasATaskForEachRepetitionWithAllSizes) {
  const auto planned = plan_jobs(kPlan, site(), {.layout = JobLayout::kArray, .quality = "normal", .minutes = {}});
  ASSERT_EQ(planned.jobs.size(), 1U);
  const auto& job = planned.jobs.front();
  EXPECT_EQ(job.tasks, 10);
  EXPECT_EQ(job.nodes, 4);
  EXPECT_EQ(job.launches, 3U) << "of each task";
  EXPECT_EQ(job.launches_of_all_tasks, 30);
  EXPECT_EQ(job.minutes, 8) << "3 launches of 30 seconds with starts, and 5 minutes more";
  EXPECT_NEAR(job.gpu_hours, 10 * 8.0 / 60 * 16, 1e-9) << "of all tasks";
  EXPECT_THAT(plan_jobs(kPlan, site(), {.layout = JobLayout::kArray, .quality = "dev", .minutes = {}}).refusals,
              ElementsAre(HasSubstr("10 jobs of dev, which allows 2 at a time")));
}

TEST(Jobs, AnArrayOfOneTaskIsNone) {
  EXPECT_EQ(
      plan_jobs({{launches_on(1, 4, 1)}, {}}, site(), {.layout = JobLayout::kArray, .quality = "", .minutes = {}}).jobs[0].tasks,
      0);
}

// The first quality of service that takes size and time.
TEST(Jobs, TakeTheFirstQualityThatFits) {
  EXPECT_EQ(plan_jobs({{launches_on(8, 4, 1)}, {}}, site(), {}).jobs[0].quality, "normal") << "32 GPUs are too many for dev";
  EXPECT_EQ(plan_jobs({{launches_on(1, 4, 200)}, {}}, site(), {}).jobs[0].quality, "normal") << "205 minutes, dev has 120";
  EXPECT_EQ(plan_jobs({{launches_on(8, 4, 2000)}, {}}, site(), {}).jobs[0].quality, "long") << "2005 minutes";
  EXPECT_EQ(plan_jobs(kPlan, site(), {.quality = "long", .minutes = {}}).jobs[0].quality, "long");
  EXPECT_THROW(plan_jobs(kPlan, site(), {.quality = "lng", .minutes = {}}), UsageError);
}

TEST(Jobs, ThatNeedMoreThanTheLimitBeginAgain) {
  const auto planned = plan_jobs({{launches_on(16, 4, 2000)}, {}}, site(), {});
  EXPECT_THAT(planned.refusals, IsEmpty());
  EXPECT_EQ(planned.jobs[0].quality, "normal") << "the longest that takes 64 GPUs";
  EXPECT_EQ(planned.jobs[0].minutes, 1200);
  EXPECT_EQ(planned.jobs[0].parts, 2) << "1197 launches of a minute surely end in each, 2000 are planned";
  EXPECT_EQ(plan_jobs(kPlan, site(), {.quality = "", .minutes = 12}).jobs[0].parts, 4) << "9 of 30 launches in each";
  EXPECT_EQ(plan_jobs(kPlan, site(), {.quality = "", .minutes = 36}).jobs[0].parts, 1);
}

// A launch that the end cuts off begins anew in the next part.
TEST(Jobs, CountTheirPartsByWholeLaunches) {
  auto launch = launches_on(1, 4, 100);
  launch.spec.protocol.max_seconds_per_launch = 1900;
  const auto planned = plan_jobs({{launch}, {}}, site(), {.quality = "", .minutes = 36});
  EXPECT_THAT(planned.refusals, IsEmpty());
  EXPECT_EQ(planned.jobs[0].parts, 100);
  EXPECT_NEAR(planned.jobs[0].gpu_hours, 100 * 36.0 / 60 * 4, 1e-9);
}

// No limit is known: the longest of all.
TEST(Jobs, AQualityWithoutHoursIsTheLongest) {
  auto open = site();
  open.most_hours = 20;
  open.qualities = {{"dev", 2, 0, 0}, {"normal", 0, 0, 0}};
  EXPECT_EQ(plan_jobs({{launches_on(1, 4, 5000)}, {}}, open, {}).jobs[0].quality, "normal");
}

TEST(Jobs, AWishedQualityIsWrittenWhereTheSiteListsNone) {
  auto none = site();
  none.qualities.clear();
  EXPECT_EQ(plan_jobs(kPlan, none, {.quality = "mine", .minutes = {}}).jobs[0].quality, "mine");
  none.batch_system = "pbs";
  EXPECT_THROW(plan_jobs(kPlan, none, {.quality = "mine", .minutes = {}}), UsageError);
}

TEST(Jobs, ThatTheSiteDoesNotAllowAreRefusedWithTheLimit) {
  auto with_limits = site();
  with_limits.most_nodes = 2;
  EXPECT_THAT(plan_jobs(kPlan, with_limits, {}).refusals, ElementsAre("job all: 4 nodes, 16 GPUs; the site allows 2 nodes"));
  EXPECT_THAT(plan_jobs({{launches_on(17, 4, 1)}, {}}, site(), {}).refusals,
              ElementsAre("job all: 17 nodes, 68 GPUs; normal allows 64 GPUs"));
  EXPECT_THAT(plan_jobs({{launches_on(8, 4, 1)}, {}}, site(), {.quality = "dev", .minutes = {}}).refusals,
              ElementsAre("job all: 8 nodes, 32 GPUs; dev allows 16 GPUs"));
  EXPECT_THAT(plan_jobs(kPlan, site(), {.quality = "dev", .minutes = 121}).refusals,
              ElementsAre("job all: --time 02:01:00; dev allows 02:00:00"));
}

// It would begin for ever, and never end a launch.
TEST(Jobs, MustBeLongerThanTheirLongestLaunch) {
  EXPECT_THAT(plan_jobs(kPlan, site(), {.quality = "", .minutes = 2}).refusals,
              ElementsAre(HasSubstr(
                  "a launch may take 00:04:00 with its start and the warning before the end, the job ends after 00:02:00")));
}

TEST(Jobs, WithoutGpusAndLimitsAskForWhatTheyNeed) {
  Site plain;
  plain.batch_system = "slurm";
  const auto planned = plan_jobs(kPlan, plain, {});
  EXPECT_EQ(planned.jobs[0].gpus, 0);
  EXPECT_EQ(planned.jobs[0].gpu_hours, 0);
  EXPECT_EQ(planned.jobs[0].minutes, 35);
  EXPECT_EQ(planned.jobs[0].quality, "");
  EXPECT_EQ(size_phrase(planned.jobs[0]), "4 nodes");
}

TEST(Jobs, OfNothingAreNone) { EXPECT_THAT(plan_jobs({{launches_on(1, 4, 1, "no GPU")}, {}}, site(), {}).jobs, IsEmpty()); }

TEST(TimeText, IsAsBatchSystemsReadIt) {
  EXPECT_EQ(time_text(5), "00:05:00");
  EXPECT_EQ(time_text(6000), "100:00:00");
}

}  // namespace
}  // namespace ddpbench
